/* Storing results: rows gather into blocks, blocks go to the writer, and producers wait when
 * memory is short. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "db/sqlite/blocks.h"

#define ROOM_SECONDS 1.0 /* wait for a disk that accepts nothing, in seconds */

typedef struct BeginOp {
    WriteOp op;
    const char *columns, *tables; /* in text */
    char text[];
} BeginOp;

static Status touch_job(Store *store, const Lease *lease, Error *err)
{
    Query query =
        query_new(&store->writer.connection, "UPDATE jobs SET revision = ?4 WHERE " LEASE_GUARD);
    lease_bind(&query, lease);
    query_int(&query, 4, writer_revision(store, lease->tenant));
    Status status = query_run(&query, err);
    if (status == OK && !connection_changed(&store->writer.connection))
        status = lease_missing(lease->id, err);
    return status;
}

static Status begin_run(Store *store, WriteOp *op, Error *err)
{
    const BeginOp *begin = (const BeginOp *)op;
    Connection *connection = &store->writer.connection;
    Status status = touch_job(store, op->lease, err);
    if (status != OK)
        return status;
    Query old = query_new(connection, "DELETE FROM results WHERE job = ?1");
    query_int(&old, 1, op->lease->seq);
    status = query_run(&old, err);
    if (status != OK)
        return status;
    Query query =
        query_new(connection, "INSERT INTO results (job, columns, tables, checksum, "
                              "tenant) VALUES (?1, ?2, ?3, row_checksum(?1, ?2, ?3), ?4)");
    query_int(&query, 1, op->lease->seq);
    query_text(&query, 2, begin->columns);
    query_text(&query, 3, begin->tables);
    query_int(&query, 4, op->lease->tenant);
    return query_run(&query, err);
}

static BeginOp *begin_new(const char *columns, const char *tables)
{
    const size_t n_columns = strlen(columns) + 1, n_tables = tables ? strlen(tables) + 1 : 0;
    BeginOp *begin = calloc(1, sizeof *begin + n_columns + n_tables);
    if (!begin)
        return NULL;
    memcpy(begin->text, columns, n_columns);
    begin->columns = begin->text;
    if (tables) {
        memcpy(begin->text + n_columns, tables, n_tables);
        begin->tables = begin->text + n_columns;
    }
    begin->op = (WriteOp){
        .run = begin_run, .settle = lease_settle, .bytes = sizeof *begin + n_columns + n_tables};
    return begin;
}

Status store_result_begin(Store *store, const char *job_id, int64_t token, const char *columns,
                          const char *tables, Error *err)
{
    Status status = OK;
    BeginOp *begin = begin_new(columns, tables);
    if (!begin)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a result");
    pthread_mutex_lock(&store->mutex);
    Lease *lease = lease_held(store, job_id, token);
    if (lease && lease->ensemble) {
        free(begin);
        status = error_set(err, ERR_INVALID, "an ensemble's result was begun when it was added");
    } else if (lease) {
        lease->begun = true;
        lease_close_blocks(lease); /* waiting blocks belong to the earlier result */
        lease->n_tables = 0;
        begin->op.lease = lease;
        writer_post(store, &begin->op);
    } else {
        free(begin);
        status = lease_missing(job_id, err);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

struct AppendOp {
    WriteOp op;
    int table;
    uint64_t first_row;
    size_t n_rows, n_columns;
    double t_first, t_last;
    unsigned char *data; /* little-endian */
    size_t capacity;
};

static Status append_run(Store *store, WriteOp *op, Error *err)
{
    const AppendOp *append = (const AppendOp *)op;
    const BlockRow block = {.job = op->lease->seq,
                            .table = append->table,
                            .first_row = append->first_row,
                            .n_rows = append->n_rows,
                            .n_columns = append->n_columns,
                            .t_first = append->t_first,
                            .t_last = append->t_last,
                            .data = append->data,
                            .size = append->n_rows * append->n_columns * sizeof(double)};
    Query query = query_new(&store->writer.connection, "SELECT 1 FROM jobs WHERE " LEASE_GUARD);
    lease_bind(&query, op->lease);
    const bool held = query_next(&query);
    Status status = query_end(&query, err);
    if (status == OK && !held)
        status = lease_missing(op->lease->id, err);
    return status == OK ? block_write(store, &block, err) : status;
}

static void append_free(AppendOp *append)
{
    if (append)
        free(append->data);
    free(append);
}

static void append_settle(Store *store, WriteOp *op)
{
    if (op->status != OK)
        lease_lose(store, op->lease);
    append_free((AppendOp *)op);
}

static size_t table_index(int table)
{
    return table < 0 ? 0 : (size_t)table + 1;
}

/* Later rows go to a new block. */
static void table_close_block(LeaseTable *table)
{
    if (table->open)
        table->open->op.gathers = false;
    table->open = NULL;
}

void lease_close_blocks(Lease *lease)
{
    for (size_t i = 0; i < lease->n_tables; i++)
        table_close_block(&lease->tables[i]);
}

static void append_take(WriteOp *op)
{
    if (op->gathers)
        table_close_block(&op->lease->tables[table_index(((AppendOp *)op)->table)]);
}

static LeaseTable *table_of(Lease *lease, int table)
{
    const size_t index = table_index(table);
    if (!grow_array(&lease->tables, &lease->capacity, index + 1, sizeof *lease->tables))
        return NULL;
    while (lease->n_tables <= index)
        lease->tables[lease->n_tables++] = (LeaseTable){0};
    return &lease->tables[index];
}

static AppendOp *append_new(Lease *lease, int table, size_t n_columns, size_t n_rows)
{
    AppendOp *append = calloc(1, sizeof *append);
    if (!append)
        return NULL;
    append->op = (WriteOp){.run = append_run,
                           .settle = append_settle,
                           .take = append_take,
                           .lease = lease,
                           .rows = true};
    append->table = table;
    append->n_columns = n_columns;
    if (!grow_array(&append->data, &append->capacity, n_rows * n_columns * sizeof(double), 1)) {
        append_free(append);
        return NULL;
    }
    return append;
}

/* Copies rows into the block, which has memory for them. */
static void append_fill(AppendOp *append, LeaseTable *table, const double *rows, size_t n_rows)
{
    const size_t n_columns = append->n_columns;
    if (append->n_rows == 0) {
        append->first_row = table->rows;
        append->t_first = rows[0];
    }
    append->t_last = rows[(n_rows - 1) * n_columns];
    doubles_copy(append->data + append->n_rows * n_columns * sizeof(double), rows,
                 n_rows * n_columns);
    append->n_rows += n_rows;
    table->rows += n_rows;
}

/* The number of rows that fit into the open block; reserves memory for them. */
static size_t room_in_open(LeaseTable *table, size_t n_rows)
{
    AppendOp *open = table->open;
    if (!open)
        return 0;
    const size_t left = rows_of_block(table->n_columns) - open->n_rows;
    const size_t n = n_rows < left ? n_rows : left;
    const size_t bytes = (open->n_rows + n) * table->n_columns * sizeof(double);
    return grow_array(&open->data, &open->capacity, bytes, 1) ? n : 0;
}

/* New blocks for n_rows, all full but the last, a chain by op.next; NULL when out of memory. */
static AppendOp *new_blocks(Lease *lease, int table, size_t n_columns, size_t n_rows)
{
    const size_t most = rows_of_block(n_columns);
    AppendOp *chain = NULL;
    for (size_t left = n_rows; left;) {
        const size_t n = (left % most) ? left % most : most; /* the chain grows from its end */
        AppendOp *append = append_new(lease, table, n_columns, n);
        if (!append) {
            while (chain) {
                AppendOp *next = (AppendOp *)chain->op.next;
                append_free(chain);
                chain = next;
            }
            return NULL;
        }
        append->op.next = chain ? &chain->op : NULL;
        chain = append;
        left -= n;
    }
    return chain;
}

/* All rows or none. Mutex held. */
static Status append_rows(Store *store, Lease *lease, int number, const double *rows, size_t n_rows,
                          size_t n_columns, Error *err)
{
    LeaseTable *table = table_of(lease, number);
    if (!table)
        return error_set(err, ERR_NO_MEMORY, "out of memory for rows");
    if (table->rows && table->n_columns != n_columns)
        return error_set(err, ERR_INVALID, "rows of %zu columns in a table of %zu", n_columns,
                         table->n_columns);
    table->n_columns = n_columns;

    /* reserve all memory first, so that a failure takes no rows */
    const size_t n_open = room_in_open(table, n_rows), most = rows_of_block(n_columns);
    const size_t bytes_of_row = n_columns * sizeof(double);
    AppendOp *chain = NULL;
    if (n_open < n_rows) {
        chain = new_blocks(lease, number, n_columns, n_rows - n_open);
        if (!chain)
            return error_set(err, ERR_NO_MEMORY, "out of memory for rows");
    }
    /* fill the open block */
    if (n_open) {
        append_fill(table->open, table, rows, n_open);
        table->open->op.bytes += n_open * bytes_of_row;
        store->relaxed_bytes += n_open * bytes_of_row;
        if (table->open->n_rows == most)
            table_close_block(table);
    }
    /* put the other rows into new blocks; the last one stays open unless it is full */
    for (size_t at = n_open; chain;) {
        AppendOp *append = chain;
        const size_t n = n_rows - at < most ? n_rows - at : most;
        chain = (AppendOp *)append->op.next;
        append_fill(append, table, rows + at * n_columns, n);
        append->op.bytes = sizeof *append + n * bytes_of_row;
        table_close_block(table);
        append->op.gathers = n < most;
        table->open = append->op.gathers ? append : NULL;
        writer_post(store, &append->op);
        at += n;
    }
    return OK;
}

static bool has_room(const Store *store, size_t bytes)
{
    return store->relaxed_bytes == 0 || store->relaxed_bytes + bytes <= RELAXED_MAX_BYTES;
}

Status writer_room(Store *store, size_t bytes, Error *err)
{
    const double start = clock_seconds();
    while (!has_room(store, bytes)) {
        const double now = clock_seconds();
        if (store->health != OK && now - start >= ROOM_SECONDS) {
            if (err)
                *err = store->health_error;
            return store->health;
        }
        store->n_crowded++;
        pthread_cond_signal(&store->work);
        writer_wait(&store->room, &store->mutex, now + ROOM_SECONDS / 4);
        store->n_crowded--;
    }
    return OK;
}

static Status check_rows(int table, const double *rows, size_t n_rows, size_t n_columns, Error *err)
{
    if (table < -1 || table >= TABLES_MAX || n_columns == 0 || n_rows > SIZE_MAX / 16 / n_columns)
        return error_set(err, ERR_INVALID, "no such rows: table %d, %zu x %zu", table, n_rows,
                         n_columns);
    for (size_t i = 0; i < n_rows; i++)
        if (isnan(rows[i * n_columns]))
            return error_set(err, ERR_INVALID, "row %zu has no time", i);
    return OK;
}

Status store_result_append(Store *store, const char *job_id, int64_t token, int table,
                           const double *rows, size_t n_rows, size_t n_columns, Error *err)
{
    Status status = check_rows(table, rows, n_rows, n_columns, err);
    if (status != OK || n_rows == 0)
        return status;
    const size_t bytes = n_rows * n_columns * sizeof(double);
    /* wait for room; the lease may be lost meanwhile */
    pthread_mutex_lock(&store->mutex);
    Lease *lease = lease_held(store, job_id, token);
    if (lease && !has_room(store, bytes)) {
        status = writer_room(store, bytes, err);
        lease = lease_held(store, job_id, token);
    }
    /* append the rows */
    if (status == OK && !lease)
        status = lease_missing(job_id, err);
    else if (status == OK && !lease->begun)
        status = error_set(err, ERR_INVALID, "the result was not begun");
    else if (status == OK)
        status = append_rows(store, lease, table, rows, n_rows, n_columns, err);
    pthread_mutex_unlock(&store->mutex);
    return status;
}
