/* The stored form of a result's rows: blocks of about 512 KiB of one table, row by row,
 * little-endian doubles. */
#ifndef DB_SQLITE_BLOCKS_H
#define DB_SQLITE_BLOCKS_H

#include "db/sqlite/checksum.h"

size_t rows_of_block(size_t n_columns); /* rows of a full block; at least 1 */

/* In the writer's thread. ERR_NO_SPACE if the disk has no room for it. */
Status block_write(Store *store, const BlockRow *block, Error *err) MUST_CHECK;

/* Both take the current row of a query for BLOCK_COLUMNS; ERR_DAMAGED if the row is damaged.
 * block_read() copies the block's rows to the arena. */
Status block_check(Store *store, Query *query, const char *job_id, BlockRow *ret_block,
                   Error *err) MUST_CHECK;
Status block_read(Store *store, Query *query, const char *job_id, Arena *arena,
                  ResultBlock *ret_block, Error *err) MUST_CHECK;

/* Whether a member of an ensemble has ended; only then its rows are visible. */
Status member_ended(Connection *reader, int64_t job, uint64_t member, bool *ret_ended,
                    Error *err) MUST_CHECK;

#endif
