/* The schema's step for traces: the request that submitted a job (NULL: unknown). */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

const char schema_traces[] = "ALTER TABLE jobs ADD COLUMN request_id TEXT;"
                             "ALTER TABLE jobs ADD COLUMN traceparent TEXT;"
                             "DROP TRIGGER jobs_added;"
                             "DROP TRIGGER jobs_changed;" //
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM("new."))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM("old."), JOB_CHECKSUM("new."));
