/* The schema's step for the latest start of a queued job (Unix time in ms; NULL: no limit). */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

const char schema_not_after[] = "ALTER TABLE jobs ADD COLUMN not_after_ms INTEGER;"
                                "DROP TRIGGER jobs_added;"
                                "DROP TRIGGER jobs_changed;" //
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("new.")))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("old.")),
                     JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("new.")));
