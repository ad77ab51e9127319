/* Private to db/sqlite: stores the nodes of an ended unit (MemberNodes in db/store.h) in the unit's
 * transaction. */
#ifndef DB_SQLITE_MEMBER_NODES_H
#define DB_SQLITE_MEMBER_NODES_H

#include "db/sqlite/sqlite_store.h"

/* The words of a blob in this machine's byte order; NULL: out of memory, as the arena says. */
const uint64_t *row_words(Query *query, int column, Arena *arena, size_t *ret_n);

/* Checks that the nodes lie within the first `done` members of the range. */
Status member_nodes_check(const MemberNodes *nodes, const MemberRange *range, uint64_t done,
                          Error *err) MUST_CHECK;
/* For run(): adds each node and merges halves as far as possible. */
Status member_nodes_add(Store *store, int64_t job, const MemberNodes *nodes, Error *err) MUST_CHECK;

#endif
