/* How rows of a result lie in the database: blocks of about 512 KiB of one table, row by row,
 * little-endian doubles. */
#ifndef DB_SQLITE_BLOCKS_H
#define DB_SQLITE_BLOCKS_H

#include "db/sqlite/checksum.h"

size_t rows_of_block(size_t n_columns); /* of a full one; at least 1 */

/* The current row of a query for BLOCK_COLUMNS, if it is as it was written; its rows in the
 * arena. */
Status block_check(Store *store, Query *query, const char *job_id, BlockRow *ret_block,
                   Error *err) MUST_CHECK;
Status block_read(Store *store, Query *query, const char *job_id, Arena *arena,
                  ResultBlock *ret_block, Error *err) MUST_CHECK;

/* Whether a member of an ensemble has ended, so that its rows are seen. */
Status member_ended(Connection *reader, int64_t job, uint64_t member, bool *ret_ended,
                    Error *err) MUST_CHECK;

#endif
