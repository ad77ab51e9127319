/* Rows grouped into buckets, read in order, some buckets at a time. */
#include "api/documents/extremes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { CHUNK = 1 << 14 }; /* numbers computed at a time */

typedef struct Extremes {
    RowsSource inner;
    void (*free_inner)(void *self);
    size_t n_columns;
    uint64_t first, n_rows, buckets;
    RowsBlock block;  /* of inner; n_rows 0: none */
    uint64_t at_once; /* buckets */
    double *rows;     /* [2 at_once][n_columns] */
    bool *falls;      /* [n_columns]: the greatest value occurs before the least */
} Extremes;

uint64_t extremes_rows(uint64_t n_rows, uint64_t buckets)
{
    return n_rows > 2 && buckets < (n_rows - 2) / 2 ? 2 * buckets + 2 : n_rows;
}

static const double *inner_row(Extremes *x, uint64_t row, Status *status, Error *err)
{
    RowsBlock *block = &x->block;

    if (row < block->first_row || row - block->first_row >= block->n_rows) {
        *block = (RowsBlock){0};
        *status = x->inner.block(x->inner.self, row, block, err);
        if (*status != OK)
            return NULL;
    }
    return block->rows + (row - block->first_row) * x->n_columns;
}

/* Merges a row into its bucket. A NaN does not count, unless all values are NaN. */
static void take_row(Extremes *x, const double *row, double *least, double *greatest)
{
    for (size_t c = 0; c < x->n_columns; c++) {
        if (isnan(least[c])) {
            least[c] = greatest[c] = row[c];
        } else if (row[c] < least[c]) {
            least[c] = row[c];
            x->falls[c] = true;
        } else if (row[c] > greatest[c]) {
            greatest[c] = row[c];
            x->falls[c] = false;
        }
    }
}

/* The first inner row of a bucket. */
static uint64_t bucket_start(const Extremes *x, uint64_t bucket)
{
    const uint64_t inner = x->n_rows - 2, each = inner / x->buckets, more = inner % x->buckets;

    return x->first + 1 + bucket * each + (bucket < more ? bucket : more);
}

static Status fill_bucket(Extremes *x, uint64_t bucket, double *ret_rows, Error *err)
{
    double *least = ret_rows, *greatest = ret_rows + x->n_columns;
    const uint64_t end = bucket_start(x, bucket + 1);
    Status status = OK;

    for (size_t c = 0; c < 2 * x->n_columns; c++)
        ret_rows[c] = NAN;
    memset(x->falls, 0, x->n_columns * sizeof *x->falls);
    /* the least and greatest value of each column */
    for (uint64_t k = bucket_start(x, bucket); k < end; k++) {
        const double *row = inner_row(x, k, &status, err);
        if (!row)
            return status;
        take_row(x, row, least, greatest);
    }
    /* in the order of their occurrence */
    for (size_t c = 0; c < x->n_columns; c++)
        if (x->falls[c]) {
            const double low = least[c];
            least[c] = greatest[c];
            greatest[c] = low;
        }
    return OK;
}

/* A block of buckets from the one with the row on, or one of the end rows. */
static Status extremes_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    Extremes *x = self;
    Status status = OK;

    if (row > 2 * x->buckets + 1)
        return error_set(err, ERR_NOT_FOUND, "there is no row %llu", (unsigned long long)row);
    if (row == 0 || row == 2 * x->buckets + 1) {
        const double *end = inner_row(x, row ? x->first + x->n_rows - 1 : x->first, &status, err);
        if (end)
            *ret_block = (RowsBlock){row, 1, end};
        return status;
    }
    /* as many buckets as fit into a chunk */
    const uint64_t bucket = (row - 1) / 2, left = x->buckets - bucket;
    const uint64_t n = left < x->at_once ? left : x->at_once;
    for (uint64_t k = 0; k < n && status == OK; k++)
        status = fill_bucket(x, bucket + k, x->rows + 2 * k * x->n_columns, err);
    *ret_block = (RowsBlock){1 + 2 * bucket, 2 * n, x->rows};
    return status;
}

static void extremes_release(void *self)
{
    Extremes *x = self;

    x->block = (RowsBlock){0};
    if (x->inner.release)
        x->inner.release(x->inner.self);
}

Status extremes_new(const RowsSource *inner, void (*free_inner)(void *self), size_t n_columns,
                    uint64_t first, uint64_t n_rows, uint64_t buckets, RowsSource *ret, Error *err)
{
    Extremes *x = calloc(1, sizeof *x);

    if (!x) {
        free_inner(inner->self);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *x = (Extremes){.inner = *inner,
                    .free_inner = free_inner,
                    .n_columns = n_columns,
                    .first = first,
                    .n_rows = n_rows,
                    .buckets = buckets,
                    .at_once = 1 + CHUNK / (2 * n_columns)};
    /* the rows of some buckets */
    x->rows = alloc_array(2 * x->at_once * n_columns, sizeof *x->rows);
    x->falls = alloc_array(n_columns, sizeof *x->falls);
    if (!x->rows || !x->falls) {
        extremes_free(x);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *ret = (RowsSource){x, extremes_block, extremes_release};
    return OK;
}

void extremes_free(void *self)
{
    Extremes *x = self;

    x->free_inner(x->inner.self);
    free(x->rows);
    free(x->falls);
    free(x);
}
