/* Reading results: the block that holds a row, the rows of a table, and the first row at or beyond
 * a time by bisection. */
#include "db/sqlite/blocks.h"

#include <string.h>

enum { BLOCK_BYTES = 512 * 1024 };

size_t rows_of_block(size_t n_columns)
{
    const size_t rows = BLOCK_BYTES / (n_columns * sizeof(double));
    return rows ? rows : 1;
}

Status block_write(Store *store, const BlockRow *block, Error *err)
{
    Status room = space_take(store, store->disk_reserve / 2, block->size, err);
    if (room != OK)
        return room;
    Query query = query_new(&store->writer.connection,
                            "INSERT INTO blocks (job, tab, first_row, n_rows, n_columns, t_first, "
                            "t_last, data, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    query_int(&query, 1, block->job);
    query_int(&query, 2, block->table);
    query_int(&query, 3, (int64_t)block->first_row);
    query_int(&query, 4, (int64_t)block->n_rows);
    query_int(&query, 5, (int64_t)block->n_columns);
    query_real(&query, 6, block->t_first);
    query_real(&query, 7, block->t_last);
    query_blob(&query, 8, block->data, block->size);
    query_int(&query, 9, block_checksum(block));
    return query_run(&query, err);
}

Status block_check(Store *store, Query *query, const char *job_id, BlockRow *ret_block, Error *err)
{
    BlockRow block;
    if (block_row(query, &block) &&
        checksum_agrees(query, BLOCK_CHECKSUM, block_checksum(&block))) {
        *ret_block = block;
        return OK;
    }
    return damage(store, err,
                  "the block of job %.40s that begins with row %llu of table %d is damaged", job_id,
                  (unsigned long long)block.first_row, block.table);
}

Status block_read(Store *store, Query *query, const char *job_id, Arena *arena,
                  ResultBlock *ret_block, Error *err)
{
    BlockRow block;
    Status status = block_check(store, query, job_id, &block, err);
    if (status != OK)
        return status;
    const size_t n_doubles = (size_t)(block.n_rows * block.n_columns);
    double *rows = arena_alloc(arena, n_doubles, sizeof *rows);
    if (!rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a block of %zu numbers", n_doubles);
    doubles_copy(rows, block.data, n_doubles);
    *ret_block = (ResultBlock){.first_row = block.first_row,
                               .n_rows = block.n_rows,
                               .n_columns = (size_t)block.n_columns,
                               .rows = rows};
    return OK;
}

/* Facts about a table that a read needs first. */
typedef struct TableSpan {
    int64_t seq; /* key of its rows: RESULT_KEY */
    uint64_t rows;
    bool counted; /* the row count was stored at the end of the job */
    bool members; /* its rows are those of an ensemble's members */
} TableSpan;

/* The shape of the first or the last block of a table, without its data; n_rows is 0 if the table
 * is empty. */
static Status block_at_end(Store *store, Connection *reader, const char *job_id, int64_t seq,
                           int table, bool last, BlockRow *ret_block, Error *err)
{
    BlockRow block = {0};
    Status read = OK;
    /* find the block by its first row */
    Query query =
        query_new(reader, last ? "SELECT " BLOCK_COLUMNS " FROM blocks "
                                 "WHERE job = ?1 AND tab = ?2 ORDER BY first_row DESC LIMIT 1"
                               : "SELECT " BLOCK_COLUMNS " FROM blocks "
                                 "WHERE job = ?1 AND tab = ?2 ORDER BY first_row LIMIT 1");
    query_int(&query, 1, seq);
    query_int(&query, 2, table);
    /* check it; its data belong to SQLite */
    if (query_next(&query))
        read = block_check(store, &query, job_id, &block, err);
    Status status = query_end(&query, read == OK ? err : NULL);
    if (read != OK || status != OK)
        return read != OK ? read : status;
    block.data = NULL;
    *ret_block = block;
    return OK;
}

static Status read_span(TenantStore of, Connection *reader, const char *job_id, int table,
                        TableSpan *ret_span, Error *err)
{
    TableSpan span = {0};
    BlockRow last;
    /* a sound row contains valid JSON; json_valid() would return 0 when memory runs out */
    Query query = query_new(
        reader,
        "SELECT " RESULT_KEY("j.") ", " JOB_SOUND_ID ", j.rows IS NOT NULL, "
                                   "iif(?2 < 0, j.rows, "
                                   "iif(" JOB_SOUND ", json_extract(j.table_rows, '$[' "
                                   "|| ?2 || ']'), 0)), "
                                   "EXISTS (SELECT 1 FROM results r WHERE r.job = " RESULT_KEY(
                                       "j.") " AND r.members IS NOT NULL) "
                                             "FROM jobs j WHERE " JOB_OF("?3"));
    query_text(&query, 1, job_id);
    query_int(&query, 2, table);
    query_int(&query, 3, of.tenant);
    const bool found = query_next(&query);
    if (found) {
        job_sound(&query, row_int(&query, 1), job_id);
        span.seq = row_int(&query, 0);
        span.members = row_int(&query, 4);
        span.counted = row_int(&query, 2) && !span.members;
        span.rows = (uint64_t)row_int(&query, 3);
    }
    Status status = query_end(&query, err);
    if (status == OK && !found)
        status = job_missing(reader, job_id, err);
    if (status == OK && !span.counted) {
        status = block_at_end(of.store, reader, job_id, span.seq, table, true, &last, err);
        if (status == OK)
            span.rows = last.first_row + last.n_rows;
    }
    if (status == OK)
        *ret_span = span;
    return status;
}

Status member_ended(Connection *reader, int64_t job, uint64_t member, bool *ret_ended, Error *err)
{
    Query query = query_new(reader, "SELECT 1 FROM unit_ends WHERE job = ?1 AND first <= ?2 AND "
                                    "first + n > ?2");
    query_int(&query, 1, job);
    query_int(&query, 2, (int64_t)member);
    const bool ended = query_next(&query);
    Status status = query_end(&query, err);
    if (status == OK)
        *ret_ended = ended;
    return status;
}

/* No block has the row: ERR_NOT_FOUND if the row is past the end, ERR_DAMAGED if its block is
 * missing. */
static Status block_missing(TenantStore of, Connection *reader, const char *job_id, int table,
                            uint64_t row, Error *err)
{
    TableSpan span;
    bool ended = false;
    Status status = read_span(of, reader, job_id, table, &span, err);
    if (status == OK && span.members && table < 0 && row <= INT64_MAX)
        status = member_ended(reader, span.seq, row, &ended, err);
    if (status == OK && (ended || (span.counted && row < span.rows)))
        return damage(of.store, err, "the block of job %.40s with row %llu of table %d is missing",
                      job_id, (unsigned long long)row, table);
    if (status == OK)
        return error_set(err, ERR_NOT_FOUND, "job '%.40s' has no row %llu in table %d", job_id,
                         (unsigned long long)row, table);
    return status;
}

Status store_result_block(TenantStore of, const char *job_id, int table, uint64_t row, Arena *arena,
                          ResultBlock *ret_block, Error *err)
{
    Store *store = of.store;
    ResultBlock block = {0};
    Status read = OK;
    Connection *reader = reader_take(store);
    /* find the last block that begins at or before the row */
    Query query = query_new(
        reader, "SELECT " BLOCK_COLUMNS " FROM blocks "
                "WHERE job = (SELECT " RESULT_KEY("j.") " FROM jobs j WHERE " JOB_SOUND_OF(
                    "?4") ") "
                          "AND tab = ?2 AND first_row <= ?3 "
                          "ORDER BY first_row DESC LIMIT 1");
    query_text(&query, 1, job_id);
    query_int(&query, 2, table);
    query_int(&query, 3, row > INT64_MAX ? INT64_MAX : (int64_t)row);
    query_int(&query, 4, of.tenant);
    /* read it if it contains the row */
    if (query_next(&query) && row < (uint64_t)(row_int(&query, 2) + row_int(&query, 3)))
        read = block_read(store, &query, job_id, arena, &block, err);
    Status status = query_end(&query, read == OK ? err : NULL);
    if (read == OK && status == OK && !block.rows)
        status = block_missing(of, reader, job_id, table, row, err);
    reader_give(store, reader);
    if (read != OK || status != OK)
        return read != OK ? read : status;
    *ret_block = block;
    return OK;
}

Status store_result_rows(TenantStore of, const char *job_id, int table, uint64_t *ret_rows,
                         Error *err)
{
    Store *store = of.store;
    TableSpan span;
    Connection *reader = reader_take(store);
    Status status = read_span(of, reader, job_id, table, &span, err);
    reader_give(store, reader);
    if (status == OK)
        *ret_rows = span.rows;
    return status;
}

/* The difference of t between the last and the first row of a table. */
static Status read_way(Store *store, Connection *reader, const char *job_id, int64_t seq, int table,
                       double *ret_way, Error *err)
{
    BlockRow first, last;
    Status status = block_at_end(store, reader, job_id, seq, table, false, &first, err);
    if (status == OK)
        status = block_at_end(store, reader, job_id, seq, table, true, &last, err);
    if (status == OK)
        *ret_way = last.t_last - first.t_first;
    return status;
}

/* Whether t decreases along a table. If all its rows have one time, the trajectory decides. */
static Status read_direction(Store *store, Connection *reader, const char *job_id, int64_t seq,
                             int table, bool *ret_backward, Error *err)
{
    double way = 0.0;
    Status status = read_way(store, reader, job_id, seq, table, &way, err);
    if (status == OK && way == 0.0 && table >= 0)
        status = read_way(store, reader, job_id, seq, -1, &way, err);
    if (status == OK)
        *ret_backward = way < 0.0;
    return status;
}

/* The first row of a block at or beyond t, which is column 0; n_rows if there is none. */
static size_t block_search(const unsigned char *data, size_t n_rows, size_t n_columns, double t,
                           bool backward)
{
    size_t low = 0, high = n_rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        double at;
        doubles_copy(&at, data + middle * n_columns * sizeof at, 1);
        if (backward ? at > t : at < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A search for a time among the rows low .. high - 1: rows before low are before t, rows from high
 * on are at or beyond t. */
typedef struct TimeSearch {
    double t;
    bool backward;
    uint64_t low, high;
} TimeSearch;

/* Narrows the search by the block that contains the middle row. */
static Status search_step(TenantStore of, Connection *reader, const char *job_id, int64_t seq,
                          int table, TimeSearch *search, Error *err)
{
    const uint64_t middle = search->low + (search->high - search->low) / 2;
    BlockRow block;
    Status read = OK;
    /* find the block */
    Query query =
        query_new(reader, "SELECT " BLOCK_COLUMNS " FROM blocks WHERE job = ?1 AND tab = ?2 "
                          "AND first_row <= ?3 ORDER BY first_row DESC LIMIT 1");
    query_int(&query, 1, seq);
    query_int(&query, 2, table);
    query_int(&query, 3, (int64_t)middle);
    bool found = query_next(&query);
    if (found)
        read = block_check(of.store, &query, job_id, &block, err);
    found = found && read == OK && middle - block.first_row < block.n_rows;
    /* keep the part of the range that contains the time */
    if (found) {
        const size_t before = block_search(block.data, (size_t)block.n_rows,
                                           (size_t)block.n_columns, search->t, search->backward);
        if (before > 0)
            search->low = block.first_row + before;
        if (before < block.n_rows)
            search->high = block.first_row + before;
    }
    Status status = query_end(&query, read == OK ? err : NULL);
    if (read != OK || status != OK)
        return read != OK ? read : status;
    return found ? OK : block_missing(of, reader, job_id, table, middle, err);
}

Status store_result_find(TenantStore of, const char *job_id, int table, double t, uint64_t *ret_row,
                         Error *err)
{
    Store *store = of.store;
    TableSpan span;
    TimeSearch search = {.t = t};
    Connection *reader = reader_take(store);
    Status status = read_span(of, reader, job_id, table, &span, err);
    if (status == OK)
        status = read_direction(store, reader, job_id, span.seq, table, &search.backward, err);
    if (status == OK)
        search.high = span.rows;
    while (status == OK && search.low < search.high)
        status = search_step(of, reader, job_id, span.seq, table, &search, err);
    reader_give(store, reader);
    if (status == OK)
        *ret_row = search.low;
    return status;
}
