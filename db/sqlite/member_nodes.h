/* Private to db/sqlite: nodes of members that end with a unit (MemberNodes in db/store.h), in its
 * transaction. */
#ifndef DB_SQLITE_MEMBER_NODES_H
#define DB_SQLITE_MEMBER_NODES_H

#include "db/sqlite/sqlite_store.h"

/* The words of a blob, in this machine's order; NULL: out of memory, which the arena tells. */
const uint64_t *row_words(Query *query, int column, Arena *arena, size_t *ret_n);

/* They are of the first `done` members of the range. */
Status member_nodes_check(const MemberNodes *nodes, const MemberRange *range, uint64_t done,
                          Error *err) MUST_CHECK;
/* For run(): each together with its other half, if that is there, and so on. */
Status member_nodes_add(Store *store, int64_t job, const MemberNodes *nodes, Error *err) MUST_CHECK;

#endif
