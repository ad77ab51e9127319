/* The schema's step for instants after which a queued job is not begun (Unix time in ms; NULL:
 * whenever). */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

const char schema_not_after[] = "ALTER TABLE jobs ADD COLUMN not_after_ms INTEGER;"
                                "DROP TRIGGER jobs_added;"
                                "DROP TRIGGER jobs_changed;" //
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("new.")))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("old.")),
                     JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("new.")));
