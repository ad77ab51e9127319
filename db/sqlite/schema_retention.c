/* The schema's part for the retention of a tenant's jobs. keep_ms, keep_failed_ms: NULL: as the
 * service keeps them; -1: for ever. keep_bytes: NULL: no bound. */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

const char schema_retention[] = "ALTER TABLE tenants ADD COLUMN keep_ms INTEGER;"
                                "ALTER TABLE tenants ADD COLUMN keep_failed_ms INTEGER;"
                                "ALTER TABLE tenants ADD COLUMN keep_bytes INTEGER;"
                                "DROP TRIGGER tenants_added;"
                                "DROP TRIGGER tenants_changed;" //
    SEAL_ADDED("tenants", "checksum", TENANT_CHECKSUM("new."))
        SEAL_CHANGED("tenants", "checksum", TENANT_CHECKSUM("old."), TENANT_CHECKSUM("new."));
