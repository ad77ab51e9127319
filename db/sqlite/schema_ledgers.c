/* The schema's triggers that keep the counters of each tenant (schema_tenants.c): its jobs by
 * state, and the bytes of its results. Format 17 had them with a statement more for each change. */
#include "db/sqlite/schema.h"

#define IN(row, state) "(" row "state = '" state "')"
#define ADDS(sign, row, state) state " = " state " " sign " " IN(row, state)
#define MOVES(state) state " = " state " + " IN("new.", state) " - " IN("old.", state)
#define BYTES_OF(row) "8 * " row "n_rows * " row "n_columns"
#define TENANT_OF(row) "(SELECT tenant FROM results WHERE job = " row "job)"

/* clang-format off */
#define JOBS_COUNT(sign, row)                                                              \
    "UPDATE ledgers SET " ADDS(sign, row, "queued") ", " ADDS(sign, row, "running") ", "   \
    ADDS(sign, row, "succeeded") ", " ADDS(sign, row, "failed") ", "                       \
    ADDS(sign, row, "cancelled") " WHERE tenant = " row "tenant;"

const char schema_ledgers[] =
    "DROP TRIGGER IF EXISTS jobs_count_added;"
    "DROP TRIGGER IF EXISTS jobs_count_changed;"
    "DROP TRIGGER IF EXISTS jobs_count_deleted;"
    "DROP TRIGGER IF EXISTS blocks_count_added;"
    "DROP TRIGGER IF EXISTS blocks_count_deleted;"
    "DROP TRIGGER IF EXISTS results_deleted;"

    "CREATE TRIGGER jobs_count_added AFTER INSERT ON jobs BEGIN "
    JOBS_COUNT("+", "new.") " END;"
    "CREATE TRIGGER jobs_count_changed AFTER UPDATE OF state ON jobs "
    "WHEN old.state <> new.state BEGIN UPDATE ledgers SET "
    MOVES("queued") ", " MOVES("running") ", " MOVES("succeeded") ", " MOVES("failed") ", "
    MOVES("cancelled") " WHERE tenant = new.tenant; END;"
    "CREATE TRIGGER jobs_count_deleted AFTER DELETE ON jobs BEGIN "
    JOBS_COUNT("-", "old.") " END;"

    "CREATE TRIGGER blocks_count_added AFTER INSERT ON blocks BEGIN "
    "UPDATE ledgers SET bytes = bytes + " BYTES_OF("new.")
    " WHERE tenant = " TENANT_OF("new.") "; END;"
    "CREATE TRIGGER blocks_count_deleted BEFORE DELETE ON blocks BEGIN "
    "UPDATE ledgers SET bytes = bytes - " BYTES_OF("old.")
    " WHERE tenant = " TENANT_OF("old.") "; END;"
    /* before the result that tells the blocks' tenant is gone */
    "CREATE TRIGGER results_deleted BEFORE DELETE ON results BEGIN "
    "DELETE FROM blocks WHERE job = old.job; END;";
/* clang-format on */
