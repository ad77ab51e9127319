/* Jobs that own the result of another one's run: see schema_reuse.c. */
#ifndef DB_SQLITE_REUSE_H
#define DB_SQLITE_REUSE_H

#include "db/sqlite/sqlite_store.h"

/* The youngest job with the result that the draft wishes for. 0: there is none. One that is damaged
 * is passed over. */
Status reuse_find(Connection *connection, const JobDraft *draft, int64_t *ret_seq,
                  Error *err) MUST_CHECK;
/* The job that was just added has succeeded with the result of the other. */
Status reuse_result(Connection *connection, int64_t job, int64_t other, Error *err) MUST_CHECK;

#endif
