/* Jobs that share the result of another job's run: see schema_reuse.c. */
#ifndef DB_SQLITE_REUSE_H
#define DB_SQLITE_REUSE_H

#include "db/sqlite/sqlite_store.h"

/* The newest job with the result that the draft asks for; 0: none. Damaged jobs are skipped. */
Status reuse_find(Connection *connection, int64_t tenant, const JobDraft *draft, int64_t *ret_seq,
                  Error *err) MUST_CHECK;
/* Marks a new job as succeeded with the result of the other job. */
Status reuse_result(Connection *connection, int64_t job, int64_t other, Error *err) MUST_CHECK;

#endif
