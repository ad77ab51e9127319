/* Checksums of what is stored: a bit that flips on the disk is told, never served.
 *
 * Each covers the row's key and shape too, so that a row in the place of another is seen. Rows of
 * files older than format 3 have none (SQL's NULL), those of jobs and results none in files older
 * than 5. The store says which are older.
 *
 * Blocks, requests, evidence, results and the documents of models are written once, with their
 * checksums. Rows that change (jobs, models) get theirs by triggers of the schema: whatever changes
 * a row gives it a new one, unless the row was damaged before; such a row keeps CHECKSUM_DAMAGED,
 * which no row has. */
#ifndef DB_SQLITE_CHECKSUM_H
#define DB_SQLITE_CHECKSUM_H

#include "db/sqlite/sqlite_store.h"

/* One block of a result as it lies in the database. */
typedef struct BlockRow {
    int64_t job; /* the job's row */
    int table;
    uint64_t first_row, n_rows, n_columns;
    double t_first, t_last;
    const void *data; /* little-endian */
    size_t size;
} BlockRow;

/* Makes the SQL functions known: row_checksum(...), the checksum of all its arguments, of whatever
 * types, and row_checksum_grown(n, ...), that of the arguments behind n: the first n of them, and
 * of the others those up to the last that is not NULL. With it, the rows of a table that gets a
 * column have the checksums that they had. */
int checksum_register(sqlite3 *db);
#define CHECKSUM_DAMAGED "4294967296"

/* SQL: a row's checksum; NULL where it may have none, because its job or model is one of those that
 * were there before all rows had one. A flipped bit can make a column NULL. */
#define CHECKSUM_DUE(checksum, key, unchecked) \
    "coalesce(" checksum ", iif(NOT " UNCHECKED(key, unchecked) ", " CHECKSUM_DAMAGED ", NULL))"

/* n doubles from this machine's order to little-endian, as which they are stored and summed, or
 * back. */
void doubles_copy(void *to, const void *from, size_t n);

int64_t block_checksum(const BlockRow *block);
int64_t request_checksum(int64_t job, const void *bytes, size_t size);
int64_t evidence_checksum(int64_t job, const char *diagnostics, const char *invariants);
int64_t model_checksum(const char *id, const char *name, const void *document, size_t size);

/* The columns of a BlockRow, then its checksum. */
#define BLOCK_COLUMNS                                                               \
    "job, tab, first_row, n_rows, n_columns, t_first, t_last, data, " CHECKSUM_DUE( \
        "checksum", "job", UNCHECKED_JOBS)
enum { BLOCK_CHECKSUM = 8 };

/* The current row of a query for BLOCK_COLUMNS; data is SQLite's until the next row. False when its
 * size is not what its shape says. */
bool block_row(Query *query, BlockRow *ret_block);

/* Whether the checksum in a column of the current row is this one, or there is none. */
bool checksum_agrees(const Query *query, int column, int64_t checksum);

/* ERR_DAMAGED with the message; counted. */
Status damage(Store *store, Error *err, const char *format, ...) PRINTF_LIKE(3, 4);
#ifdef __clang_analyzer__ /* as of error_set() */
#define damage(...) (damage(__VA_ARGS__), ERR_DAMAGED)
#endif

#endif
