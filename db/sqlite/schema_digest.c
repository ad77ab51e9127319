/* The schema's step for digests: an ended job in a few numbers (JSON; NULL: unknown). */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

const char schema_digest[] = "ALTER TABLE jobs ADD COLUMN digest TEXT;"
                             "DROP TRIGGER jobs_added;"
                             "DROP TRIGGER jobs_changed;" //
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_DIGEST("new.")))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_DIGEST("old.")),
                     JOB_CHECKSUM_OF(JOB_SAYS_DIGEST("new.")));
