/* How rows of a result lie in the database: blocks of about 512 KiB of one table, row by row,
 * little-endian doubles. */
#ifndef DB_SQLITE_BLOCKS_H
#define DB_SQLITE_BLOCKS_H

#include "db/sqlite/sqlite_store.h"

enum { BLOCK_BYTES = 512 * 1024 };

/* n doubles from this machine's order to little-endian, or back. */
void doubles_copy(void *to, const void *from, size_t n);

#endif
