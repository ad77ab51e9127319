/* Checksums of stored rows: a bit that flips on the disk is reported, never served.
 *
 * A checksum covers the key and shape of its row too, so that a row in the place of another is
 * detected. Rows of files older than format 3 have none (SQL's NULL); rows of jobs and results have
 * none in files older than format 5. The table store records which rows are older.
 *
 * Blocks, requests, evidence, results and the documents of models are written once, with their
 * checksums. Rows that change (jobs, models) get a new checksum from triggers at every change. A
 * row that was damaged before the change gets CHECKSUM_DAMAGED, which no sound row has. */
#ifndef DB_SQLITE_CHECKSUM_H
#define DB_SQLITE_CHECKSUM_H

#include "db/sqlite/sqlite_store.h"

/* One block of a result as it lies in the database. */
typedef struct BlockRow {
    int64_t job; /* number of the job's row */
    int table;
    uint64_t first_row, n_rows, n_columns;
    double t_first, t_last;
    const void *data; /* little-endian */
    size_t size;
} BlockRow;

/* Registers two SQL functions. row_checksum(...) is the checksum of all its arguments, of any type.
 * row_checksum_grown(n, ...) is the checksum of the n arguments after n, and of the later ones up
 * to the last that is not NULL. So rows keep their checksums when their table gets a column. */
int checksum_register(sqlite3 *db);
#define CHECKSUM_DAMAGED "4294967296"

/* SQL: a row's checksum. It may be NULL only if the job or model is older than these checksums;
 * another NULL comes from a flipped bit and counts as CHECKSUM_DAMAGED. */
#define CHECKSUM_DUE(checksum, key, unchecked) \
    "coalesce(" checksum ", iif(NOT " UNCHECKED(key, unchecked) ", " CHECKSUM_DAMAGED ", NULL))"

/* Copies n doubles from this machine's byte order to little-endian, which is stored and summed, or
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

/* The current row of a query for BLOCK_COLUMNS; SQLite owns `data` until the next row. False if the
 * size does not match the shape. */
bool block_row(Query *query, BlockRow *ret_block);

/* Whether a column of the current row holds this checksum, or NULL. */
bool checksum_agrees(const Query *query, int column, int64_t checksum);

/* Sets ERR_DAMAGED with the message, and counts it. */
Status damage(Store *store, Error *err, const char *format, ...) PRINTF_LIKE(3, 4);
#ifdef __clang_analyzer__ /* see error_set() */
#define damage(...) (damage(__VA_ARGS__), ERR_DAMAGED)
#endif

#endif
