/* The schema's step for tenants.
 *
 * tenants: rows that seldom change, with checksums. ledgers: the counters of each tenant. Triggers
 * keep them (schema_ledgers.c), so that they follow every change and every rollback; they are
 * counted anew when the store is opened. owners: the tenants that have stored a model.
 *
 * All rows of older formats belong to tenant 1, "default". An idempotency key of another tenant is
 * stored behind the tenant's number (transitions.c), so that the column stays unique as it is and
 * no row is written anew. Only the small table `deleted` is: its revisions are those of a tenant.
 * */
#include "db/sqlite/checksum.h"
#include "db/sqlite/deleted.h"
#include "db/sqlite/schema.h"

#define TENANT_DUE(row) "row_checksum(" TENANT_SAYS(row) ")"

/* clang-format off */
const char schema_tenants[] =
    "CREATE TABLE tenants ("
    "  seq INTEGER PRIMARY KEY CHECK (seq BETWEEN 1 AND 1000)," /* TENANTS_MAX */
    "  name TEXT NOT NULL UNIQUE,"
    "  queued_max INTEGER NOT NULL DEFAULT 0,"
    "  running_max INTEGER NOT NULL DEFAULT 0,"
    "  bytes_max INTEGER NOT NULL DEFAULT 0,"
    "  created_ms INTEGER NOT NULL,"
    "  checksum INTEGER"
    ") STRICT;"
    SEAL_ADDED("tenants", "checksum", TENANT_DUE("new."))
    SEAL_CHANGED("tenants", "checksum", TENANT_DUE("old."), TENANT_DUE("new."))

    "CREATE TABLE ledgers ("
    "  tenant INTEGER PRIMARY KEY,"
    "  revision INTEGER NOT NULL DEFAULT 0,"
    "  forgotten INTEGER NOT NULL DEFAULT 0," /* deletions up to this revision */
    "  queued INTEGER NOT NULL DEFAULT 0,"
    "  running INTEGER NOT NULL DEFAULT 0,"
    "  succeeded INTEGER NOT NULL DEFAULT 0,"
    "  failed INTEGER NOT NULL DEFAULT 0,"
    "  cancelled INTEGER NOT NULL DEFAULT 0,"
    "  models INTEGER NOT NULL DEFAULT 0,"
    "  bytes INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "CREATE TRIGGER tenants_ledger AFTER INSERT ON tenants BEGIN "
    "INSERT INTO ledgers (tenant) VALUES (new.seq); END;"
    "INSERT INTO tenants (seq, name, created_ms) VALUES (1, 'default', unixepoch() * 1000);"
    "UPDATE ledgers SET (revision, forgotten) = (SELECT revision, deleted_forgotten FROM store), "
    "bytes = (SELECT coalesce(sum(length(data)), 0) FROM blocks);"

    "ALTER TABLE jobs ADD COLUMN tenant INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE labels ADD COLUMN tenant INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE results ADD COLUMN tenant INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE keys ADD COLUMN tenant INTEGER NOT NULL DEFAULT 1;"

    "DROP INDEX jobs_by_state;"
    "CREATE INDEX jobs_by_state ON jobs (state, tenant);"
    "DROP INDEX jobs_by_model;"
    "CREATE INDEX jobs_by_model ON jobs (model_id, tenant);"
    "DROP INDEX jobs_by_revision;"
    "CREATE INDEX jobs_by_revision ON jobs (tenant, revision);"
    "DROP INDEX jobs_by_reuse;"
    "CREATE INDEX jobs_by_reuse ON jobs (reuse_key, tenant) WHERE program IS NOT NULL;"
    "CREATE INDEX jobs_by_tenant ON jobs (tenant);"
    "DROP INDEX labels_by_value;"
    "CREATE INDEX labels_by_value ON labels (tenant, key, value, job);";

const char schema_owners[] =
    "CREATE TABLE owners ("
    "  seq INTEGER PRIMARY KEY,"
    "  tenant INTEGER NOT NULL,"
    "  model INTEGER NOT NULL REFERENCES models (seq) ON DELETE CASCADE,"
    "  created_ms INTEGER NOT NULL,"
    "  checksum INTEGER,"
    "  UNIQUE (model, tenant)"
    ") STRICT;"
    "CREATE INDEX owners_by_tenant ON owners (tenant);"
    SEAL_ADDED("owners", "checksum", "row_checksum(" OWNER_SAYS("new.") ")")
    "CREATE TRIGGER owners_count_added AFTER INSERT ON owners BEGIN "
    "UPDATE ledgers SET models = models + 1 WHERE tenant = new.tenant; END;"
    "CREATE TRIGGER owners_count_deleted AFTER DELETE ON owners BEGIN "
    "UPDATE ledgers SET models = models - 1 WHERE tenant = old.tenant; END;"
    "INSERT INTO owners (tenant, model, created_ms) SELECT 1, seq, created_ms FROM models m "
    "WHERE listed OR NOT " MODEL_SOUND " ORDER BY seq;"

    "CREATE TABLE deleted_of ("
    "  tenant INTEGER NOT NULL,"
    "  revision INTEGER NOT NULL,"
    "  id TEXT NOT NULL,"
    "  deleted_ms INTEGER NOT NULL,"
    "  checksum INTEGER NOT NULL,"
    "  PRIMARY KEY (tenant, revision)"
    ") STRICT;"
    "INSERT INTO deleted_of (tenant, revision, id, deleted_ms, checksum) "
    "SELECT 1, revision, id, deleted_ms, checksum FROM deleted;"
    "DROP TABLE deleted;"
    "ALTER TABLE deleted_of RENAME TO deleted;";

const char schema_tenant_seals[] =
    "DROP TRIGGER jobs_added;"
    "DROP TRIGGER jobs_changed;"
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_TENANT("new.")))
    SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_TENANT("old.")),
                 JOB_CHECKSUM_OF(JOB_SAYS_TENANT("new.")))
    "DROP TRIGGER keys_added;"
    "DROP TRIGGER keys_changed;"
    SEAL_ADDED("keys", "checksum", KEY_CHECKSUM("new."))
    SEAL_CHANGED("keys", "checksum", KEY_CHECKSUM("old."), KEY_CHECKSUM("new."));
/* clang-format on */
