/* The schema as a list of steps. A database of version n has had the first n steps; opening it runs
 * the others. */
#include "db/sqlite/schema.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/deleted.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

/* jobs.seq grows with age, as the ids do. Big or rarely read data (the request, the evidence) have
 * their own tables, so that a change of state does not rewrite them. */
static const char VERSION_1[] =
    "CREATE TABLE store ("
    "  id INTEGER PRIMARY KEY CHECK (id = 1),"
    "  revision INTEGER NOT NULL"
    ") STRICT;"
    "INSERT INTO store VALUES (1, 0);"

    "CREATE TABLE jobs ("
    "  seq INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),"
    "  state TEXT NOT NULL"
    "    CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),"
    "  revision INTEGER NOT NULL,"
    "  priority INTEGER NOT NULL,"
    "  attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),"
    "  token INTEGER,"
    "  cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),"
    "  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),"
    "  created_ms INTEGER NOT NULL,"
    "  started_ms INTEGER,"
    "  finished_ms INTEGER,"
    "  timeout_ms INTEGER NOT NULL CHECK (timeout_ms >= 0),"
    "  model_id TEXT NOT NULL,"
    "  model_name TEXT NOT NULL,"
    "  labels TEXT NOT NULL,"
    "  formulation TEXT NOT NULL,"
    "  method TEXT NOT NULL,"
    "  request_hash TEXT NOT NULL,"
    "  idempotency_key TEXT UNIQUE,"
    "  idempotency_digest TEXT,"
    "  reason TEXT,"
    "  error TEXT,"
    "  warnings TEXT,"
    "  result_hash TEXT,"
    "  CHECK ((state = 'running') = (token IS NOT NULL)),"
    "  CHECK ((state IN ('queued', 'running')) = (finished_ms IS NULL)),"
    "  CHECK ((idempotency_key IS NULL) = (idempotency_digest IS NULL))"
    ") STRICT;"
    "CREATE INDEX jobs_by_state ON jobs (state);"
    "CREATE INDEX jobs_by_model ON jobs (model_id);"
    "CREATE INDEX jobs_by_revision ON jobs (revision);"

    "CREATE TABLE requests ("
    "  job INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE,"
    "  bytes BLOB NOT NULL"
    ") STRICT;"

    "CREATE TABLE labels ("
    "  job INTEGER NOT NULL REFERENCES jobs (seq) ON DELETE CASCADE,"
    "  key TEXT NOT NULL,"
    "  value TEXT NOT NULL,"
    "  PRIMARY KEY (job, key)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX labels_by_value ON labels (key, value, job);"

    "CREATE TABLE evidence ("
    "  job INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE,"
    "  diagnostics TEXT,"
    "  invariants TEXT"
    ") STRICT;"

    "CREATE TABLE results ("
    "  job INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE,"
    "  columns TEXT NOT NULL,"
    "  tables TEXT"
    ") STRICT;"

    /* data: n_rows * n_columns doubles, little-endian, row by row; column 0 is t */
    "CREATE TABLE blocks ("
    "  seq INTEGER PRIMARY KEY,"
    "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
    "  tab INTEGER NOT NULL CHECK (tab >= -1),"
    "  first_row INTEGER NOT NULL CHECK (first_row >= 0),"
    "  n_rows INTEGER NOT NULL CHECK (n_rows > 0),"
    "  n_columns INTEGER NOT NULL CHECK (n_columns > 0),"
    "  t_first REAL NOT NULL,"
    "  t_last REAL NOT NULL,"
    "  data BLOB NOT NULL CHECK (length(data) = 8 * n_rows * n_columns),"
    "  UNIQUE (job, tab, first_row)"
    ") STRICT;"
    "CREATE INDEX blocks_by_time ON blocks (job, tab, t_last, first_row);"

    "CREATE TABLE models ("
    "  seq INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE,"
    "  name TEXT NOT NULL,"
    "  created_ms INTEGER NOT NULL,"
    "  document BLOB NOT NULL"
    ") STRICT;";

/* A deleted model that jobs name is kept, but not listed. */
static const char VERSION_2[] =
    "ALTER TABLE models ADD COLUMN listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1))";

/* checksum.c; older rows have none. */
static const char VERSION_3[] = "ALTER TABLE blocks ADD COLUMN checksum INTEGER;"
                                "ALTER TABLE requests ADD COLUMN checksum INTEGER;"
                                "ALTER TABLE evidence ADD COLUMN checksum INTEGER;"
                                "ALTER TABLE models ADD COLUMN checksum INTEGER";

/* The newest id with random bits in the place of the cell (db/uuid.h). */
static const char VERSION_4[] = "ALTER TABLE store ADD COLUMN last_without_cell TEXT;"
                                "UPDATE store SET last_without_cell = (SELECT max(id) FROM jobs)";

/* Checksums of rows that change (checksum.h); older rows have none, so that the step is quick.
 * Missing parts of a job are detected by three columns that are set at its end: the row counts rows
 * and table_rows (JSON, one number for each table), and has_evidence. */
#define JOB_DUE(row) "row_checksum(" JOB_SAYS(row) ")"
#define MODEL_DUE(row) "row_checksum(" MODEL_SAYS(row) ")"
static const char VERSION_5[] = "ALTER TABLE jobs ADD COLUMN rows INTEGER;"
                                "ALTER TABLE jobs ADD COLUMN table_rows TEXT;"
                                "ALTER TABLE jobs ADD COLUMN has_evidence INTEGER;"
                                "ALTER TABLE jobs ADD COLUMN checksum INTEGER;"
                                "ALTER TABLE results ADD COLUMN checksum INTEGER;"
                                "ALTER TABLE models ADD COLUMN row_checksum INTEGER;" //
    SEAL_ADDED("jobs", "checksum", JOB_DUE("new."))
        SEAL_CHANGED("jobs", "checksum", JOB_DUE("old."), JOB_DUE("new."))
            SEAL_CHANGED("models", "row_checksum", MODEL_DUE("old."), MODEL_DUE("new."));

/* The newest jobs and models that may have rows without a checksum, because a flipped bit can make
 * a column NULL. Times are searched by row numbers, so that every block read is checked. */
static const char VERSION_6[] = "ALTER TABLE store ADD COLUMN unchecked_jobs INTEGER;"
                                "ALTER TABLE store ADD COLUMN unchecked_models INTEGER;"
                                "UPDATE store SET unchecked_jobs = "
                                "(SELECT coalesce(max(seq), 0) FROM jobs), unchecked_models = "
                                "(SELECT coalesce(max(seq), 0) FROM models);"
                                "DROP INDEX blocks_by_time";

/* Ensembles. Their results exist from the start; members: NULL for a plain job. A block of the
 * summary (tab -1) has the rows of n_rows members from first_row on. A block of another table
 * begins with a row of member first_row >> MEMBER_ROW_BITS; the lower bits are the number of that
 * row within its member (MEMBER_KEY). It may go on with rows of the next members. Column 0 is the
 * member, also for t_first and t_last.
 *
 * units: ranges of members that are running (with a token), or whose process died. deaths: 0: none
 * so far; 1: died beside other members; 1 + k: a single member that died k times; -1: no member is
 * to be run any more. unit_ends: ranges of ended members, joined with their neighbors; readers see
 * their rows. */
static const char VERSION_7[] = "ALTER TABLE results ADD COLUMN members INTEGER;"
                                "ALTER TABLE results ADD COLUMN table_columns TEXT;"
                                "ALTER TABLE results ADD COLUMN design TEXT;"

                                "CREATE TABLE units ("
                                "  seq INTEGER PRIMARY KEY,"
                                "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
                                "  first INTEGER NOT NULL CHECK (first >= 0),"
                                "  n INTEGER NOT NULL CHECK (n > 0),"
                                "  deaths INTEGER NOT NULL CHECK (deaths >= -1),"
                                "  token INTEGER,"
                                "  checksum INTEGER NOT NULL"
                                ") STRICT;"
                                "CREATE INDEX units_by_job ON units (job);"

                                "CREATE TABLE unit_ends ("
                                "  seq INTEGER PRIMARY KEY,"
                                "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
                                "  first INTEGER NOT NULL CHECK (first >= 0),"
                                "  n INTEGER NOT NULL CHECK (n > 0),"
                                "  failed INTEGER NOT NULL CHECK (failed BETWEEN 0 AND n),"
                                "  checksum INTEGER NOT NULL,"
                                "  UNIQUE (job, first)"
                                ") STRICT";

/* Column lists may contain units; the empty step keeps out older programs, which cannot read
 * them. */
static const char VERSION_11[] = "";

enum { PARTS_MAX = 4 }; /* compilers limit the length of a string */
static const char *const VERSIONS[][PARTS_MAX] = {
    {VERSION_1},
    {VERSION_2},
    {VERSION_3},
    {VERSION_4},
    {VERSION_5},
    {VERSION_6},
    {VERSION_7},
    {schema_member_texts},
    {schema_member_nodes},
    {schema_deleted_jobs},
    {VERSION_11},
    {schema_not_after},
    {schema_digest},
    {schema_calls},
    {schema_reuse},
    {schema_keys},
    {schema_tenants, schema_owners, schema_tenant_seals},
    {schema_traces, schema_ledgers, schema_retention},
};
_Static_assert(sizeof VERSIONS / sizeof *VERSIONS == SCHEMA_NEWEST, "a step for each version");

Status revision_read(Connection *connection, int64_t *ret_revision, Error *err)
{
    int64_t format = 0;
    const Status status = connection_int(connection, "PRAGMA user_version", &format, err);
    if (status != OK)
        return status;
    /* from this format on, the revisions of jobs are those of their tenants */
    return connection_int(connection,
                          format >= FORMAT_OF_TENANTS
                              ? "SELECT max(revision, (SELECT max(revision) FROM ledgers)) "
                                "FROM store"
                              : "SELECT max(revision, coalesce((SELECT max(revision) FROM jobs), "
                                "0)) FROM store",
                          ret_revision, err);
}

/* SQLite takes a file of one byte for an empty one (unixFileSize() of os_unix.c). */
static bool is_one_byte(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size == 1;
}

Status schema_check(Connection *connection, const char *path, Error *err)
{
    int64_t application, version, objects;
    Status status = connection_int(connection, "PRAGMA application_id", &application, err);
    if (status == OK)
        status = connection_int(connection, "PRAGMA user_version", &version, err);
    if (status == OK)
        status = connection_int(connection, "SELECT count(*) FROM sqlite_schema", &objects, err);
    if (status != OK) {
        error_prefix(err, "'%s'", path);
        return status;
    }
    if (application != APPLICATION_ID && (objects || application || version || is_one_byte(path)))
        return error_set(err, ERR_INVALID,
                         "no dalembert store in '%s': it is not a dalembert database", path);
    if (application == APPLICATION_ID && version < 1) /* both are written by one transaction */
        return error_set(err, ERR_DAMAGED,
                         "'%s' is damaged: its header says format %" PRId64
                         "; restore the directory from a backup",
                         path, version);
    if (version > SCHEMA_NEWEST)
        return error_set(err, ERR_INVALID,
                         "'%s' was written by a newer dalembert (format %" PRId64
                         "; this one reads formats up to %d)",
                         path, version, SCHEMA_NEWEST);
    return OK;
}

static Status schema_step(Connection *connection, int64_t version, Error *err)
{
    char pragmas[120];
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %" PRId64 "; COMMIT",
             APPLICATION_ID, version);
    Status status = connection_script(connection, "BEGIN IMMEDIATE", err);
    for (int k = 0; k < PARTS_MAX && VERSIONS[version - 1][k] && status == OK; k++)
        status = connection_script(connection, VERSIONS[version - 1][k], err);
    if (status == OK)
        status = connection_script(connection, pragmas, err);
    if (status != OK)
        (void)!connection_script(connection, "ROLLBACK", NULL);
    return status;
}

Status schema_migrate(Connection *connection, Error *err)
{
    int64_t version;
    Status status = connection_int(connection, "PRAGMA user_version", &version, err);
    if (status != OK || version >= SCHEMA_NEWEST)
        return status;
    /* a step may edit the definition of a table */
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    while (status == OK && version < SCHEMA_NEWEST)
        status = schema_step(connection, ++version, err);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return status;
}
