/* Some rows at a time, within one block of the inner source. */
#include "api/documents/observed_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum {
    NUMBERS = 1 << 16,   /* computed at a time: a block of the store, which is then read once, .. */
    OPERATIONS = 1 << 22 /* .. but at most some milliseconds of work */
};

typedef struct ObservedRows {
    RowsSource inner;
    void (*free_inner)(void *self);
    RowObserver *observer;
    ObservedShape shape;
    RowsBlock block; /* of inner; n_rows 0: none */
    size_t at_once;  /* rows */
    double *rows;    /* [at_once][n_kept + n_more]; NULL until needed */
} ObservedRows;

size_t observed_rows_tile(const RowObserver *observer, size_t n_columns)
{
    const size_t by_work = OPERATIONS / (row_observer_operations(observer) + 1);
    const size_t by_size = NUMBERS / n_columns, rows = by_work < by_size ? by_work : by_size;

    return (rows > 0 ? rows : 1) * n_columns;
}

Status observed_rows_check(const RowObserver *observer, const char *const *names, size_t n,
                           Error *err)
{
    const char *const *own, *const *units;
    const size_t n_own = row_observer_columns(observer, &own, &units);

    for (size_t c = 0; c < n_own; c++)
        if (c >= n || strcmp(own[c], names[c]) != 0)
            return error_set(err, ERR_CONFLICT,
                             "the rows of this job have other columns than this version of the "
                             "service would write: run it again (POST /v1/jobs/{id}/rerun)");
    return OK;
}

static size_t columns_made(const ObservedShape *shape)
{
    return shape->n_kept + shape->n_more;
}

static void make_row(ObservedRows *x, const double *row, double *ret)
{
    double *more = ret + x->shape.n_kept;

    memcpy(ret, row, x->shape.n_kept * sizeof *ret);
    row_observer_eval(x->observer, row, more);
    for (size_t k = 0; k < x->shape.n_more; k++)
        if (!isfinite(more[k]))
            more[k] = NAN;
}

static Status observed_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    ObservedRows *x = self;
    RowsBlock *block = &x->block;

    /* the inner block */
    if (row < block->first_row || row - block->first_row >= block->n_rows) {
        *block = (RowsBlock){0};
        const Status status = x->inner.block(x->inner.self, row, block, err);
        if (status != OK)
            return status;
    }
    /* some rows of it with the observables */
    const size_t made = columns_made(&x->shape);
    if (!x->rows)
        x->rows = alloc_array(x->at_once * made, sizeof *x->rows);
    if (!x->rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const uint64_t skipped = row - block->first_row, left = block->n_rows - skipped;
    const uint64_t n = left < x->at_once ? left : x->at_once;
    for (uint64_t k = 0; k < n; k++)
        make_row(x, block->rows + (skipped + k) * x->shape.n_columns, x->rows + k * made);
    *ret_block = (RowsBlock){row, n, x->rows};
    return OK;
}

static void observed_release(void *self)
{
    ObservedRows *x = self;

    free(x->rows);
    x->rows = NULL;
    x->block = (RowsBlock){0};
    if (x->inner.release)
        x->inner.release(x->inner.self);
}

void observed_rows_free(void *self)
{
    ObservedRows *x = self;

    if (!x)
        return;
    row_observer_free(x->observer);
    x->free_inner(x->inner.self);
    free(x->rows);
    free(x);
}

Status observed_rows_new(const RowsSource *inner, void (*free_inner)(void *self),
                         RowObserver *observer, const ObservedShape *shape, RowsSource *ret,
                         Error *err)
{
    const size_t made = columns_made(shape);
    ObservedRows *x = alloc_array(1, sizeof *x);

    if (!x) {
        row_observer_free(observer);
        free_inner(inner->self);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    /* takes over the inner source and the observer */
    *x = (ObservedRows){.inner = *inner,
                        .free_inner = free_inner,
                        .observer = observer,
                        .shape = *shape,
                        .at_once = observed_rows_tile(observer, made) / made};
    *ret = (RowsSource){x, observed_block, observed_release};
    return OK;
}
