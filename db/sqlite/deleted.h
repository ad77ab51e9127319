/* Deleted jobs, remembered for clients that follow changes. */
#ifndef DB_SQLITE_DELETED_H
#define DB_SQLITE_DELETED_H

#include "db/sqlite/sqlite_store.h"

extern const char schema_deleted_jobs[]; /* the step that adds them to the schema */
#define DELETED_SAYS "revision, id, deleted_ms"
#define DELETED_CHECKSUM "row_checksum_grown(3, " DELETED_SAYS ", nullif(tenant, 1))"

/* Part of the writer's operation that deletes the job. Also removes a few rows that have been kept
 * long enough. */
Status deleted_add(TenantStore of, const char *job_id, int64_t revision, Error *err) MUST_CHECK;

#endif
