/* Rows are read as they are stored, in the order of members. A selection is a list of members. In
 * another order, some rows at a time are looked up in their stored order. */
#include "api/documents/summary_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/memory.h"

/* Numbers of rows that are looked up at once in another order, at most and at least; rows of
 * NaN. */
enum { SORTED_MOST = 1 << 19, SORTED_LEAST = 1 << 13, MISSING_ROWS = 512 };

struct SummaryRows {
    RowsSource stored;
    void (*free_stored)(void *self);
    size_t n_columns;
    Arena view; /* memory of the loaded rows */
    double *at; /* the last rows of `view` */
    Budget *budget;
    size_t held; /* of the budget */

    uint64_t *members; /* n_members, of a selection */
    size_t n_members, capacity;
    double *sorted; /* rows first_sorted .. of a selection in another order */
    size_t most_sorted;
    uint64_t first_sorted, n_sorted;
    RowExpression *where; /* this and axes: of summary_rows_whole() */
    GridAxes *axes;
};

Status summary_rows_new(const RowsSource *stored, void (*free_stored)(void *self), size_t n_columns,
                        Budget *budget, SummaryRows **ret_rows, Error *err)
{
    SummaryRows *rows = alloc_array(1, sizeof *rows);

    if (!rows) {
        free_stored(stored->self);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *rows = (SummaryRows){
        .stored = *stored, .free_stored = free_stored, .n_columns = n_columns, .budget = budget};
    *ret_rows = rows;
    return OK;
}

void summary_rows_free(void *self)
{
    SummaryRows *rows = self;

    if (!rows)
        return;
    rows->free_stored(rows->stored.self);
    arena_done(&rows->view);
    if (rows->budget)
        budget_give(rows->budget, &rows->held);
    row_expression_free(rows->where);
    grid_axes_free(rows->axes);
    free(rows->members);
    free(rows->sorted);
    free(rows);
}

static void release(void *self)
{
    SummaryRows *rows = self;

    arena_done(&rows->view);
    if (rows->stored.release)
        rows->stored.release(rows->stored.self);
}

Status summary_rows_next(SummaryRows *rows, uint64_t first, RowsBlock *ret_block, Error *err)
{
    const size_t n = rows->n_columns;
    RowsBlock block;

    release(rows);
    const Status status = rows->stored.block(rows->stored.self, first, &block, err);
    if (status != OK)
        return status;
    /* leave out the members before `first` */
    const uint64_t stored_first = (uint64_t)block.rows[0];
    const uint64_t skip = first > stored_first ? first - stored_first : 0;
    double *view = arena_doubles(&rows->view, (size_t)block.n_rows * n);
    if (!view)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (skip >= block.n_rows)
        return error_set(err, ERR_INTERNAL, "a block without the members asked for");
    for (uint64_t k = skip; k < block.n_rows; k++)
        summary_view(block.rows + k * (n - 1), n, view + (k - skip) * n);
    rows->at = view;
    *ret_block = (RowsBlock){stored_first + skip, block.n_rows - skip, view};
    return OK;
}

static Status next_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    return summary_rows_next(self, row, ret_block, err);
}

RowsSource summary_rows_all(SummaryRows *rows)
{
    return (RowsSource){rows, next_block, release};
}

/* Selection. */

typedef struct Keyed {
    double key;
    uint64_t member;
} Keyed;

static int by_key(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;

    if (isnan(x->key) || isnan(y->key)) {
        if (isnan(x->key) != isnan(y->key))
            return isnan(x->key) ? 1 : -1;
    } else if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->member > y->member) - (x->member < y->member);
}

/* The selected members, with their keys if they are sorted. */
typedef struct Selection {
    Keyed *keyed;
    size_t n, capacity;
    bool full; /* it has one more than the limit */
} Selection;

static Status select_block(SummaryRows *rows, const SummaryQuery *query, const RowsBlock *block,
                           Selection *s, Error *err)
{
    const size_t n = (size_t)block->n_rows;
    double *holds = arena_doubles(&rows->view, n), *keys = arena_doubles(&rows->view, n);

    if (!holds || !keys || !grow_array(&s->keyed, &s->capacity, s->n + n, sizeof *s->keyed))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the condition and the key of all rows of the block */
    if (query->where)
        row_expression_eval(query->where, block->rows, n, holds);
    if (query->sort)
        row_expression_eval(query->sort, block->rows, n, keys);
    for (size_t k = 0; k < n && !s->full; k++) {
        if (query->where && holds[k] == 0)
            continue;
        s->keyed[s->n++] = (Keyed){keys[k], block->first_row + k};
        s->full = !query->sort && query->limit > 0 && s->n > query->limit;
    }
    return OK;
}

static Status select_all(SummaryRows *rows, const SummaryQuery *query, Selection *s, Error *err)
{
    RowsBlock block;
    Status status = OK;

    for (uint64_t member = query->sort ? 0 : query->first; status == OK && !s->full;
         member = block.first_row + block.n_rows) {
        status = summary_rows_next(rows, member, &block, err);
        if (status == ERR_NOT_FOUND)
            return OK;
        if (status == OK)
            status = select_block(rows, query, &block, s, err);
    }
    return status;
}

/* Sorts the selection, and keeps the members of the page. */
static Status keep_page(SummaryRows *rows, const SummaryQuery *query, const Selection *s,
                        SummaryPage *ret_page, Error *err)
{
    uint64_t from = 0;

    if (query->sort) {
        if (s->n > 0)
            qsort(s->keyed, s->n, sizeof *s->keyed, by_key);
        from = query->first < s->n ? query->first : s->n;
    }
    /* the end of the page */
    const bool more = query->limit > 0 && s->n - from > query->limit;
    const uint64_t n = more ? query->limit : s->n - from, end = from + n;
    rows->members = alloc_array((size_t)n, sizeof *rows->members);
    if (!rows->members)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (uint64_t k = 0; k < n; k++)
        rows->members[k] = s->keyed[from + k].member;
    rows->n_members = (size_t)n;
    *ret_page = (SummaryPage){n, more, 0};
    if (more)
        ret_page->next = query->sort ? end : s->keyed[end].member;
    return OK;
}

/* Row k, and the following rows of the selection that are in the same block. */
static Status picked_block(void *self, uint64_t k, RowsBlock *ret_block, Error *err)
{
    SummaryRows *rows = self;
    const size_t n = rows->n_columns;
    RowsBlock block;
    size_t taken = 0;

    if (k >= rows->n_members)
        return error_set(err, ERR_NOT_FOUND, "row %llu", (unsigned long long)k);
    const uint64_t *members = rows->members + k;
    const Status status = summary_rows_next(rows, members[0], &block, err);
    if (status != OK)
        return status;
    for (; k + taken < rows->n_members && members[taken] >= block.first_row &&
           members[taken] - block.first_row < block.n_rows;
         taken++)
        /* rows only move to the front */
        memmove(rows->at + taken * n, rows->at + (members[taken] - block.first_row) * n,
                n * sizeof *rows->at);
    if (taken == 0)
        return error_set(err, ERR_DAMAGED, "the row of a member is missing");
    *ret_block = (RowsBlock){k, taken, rows->at};
    return OK;
}

/* Reserves memory for rows in another order: as much as the budget allows, and at least
 * SORTED_LEAST numbers. */
static Status reserve_sorted(SummaryRows *rows, Error *err)
{
    const size_t need = rows->n_members * rows->n_columns;
    size_t numbers = need < SORTED_MOST ? need : SORTED_MOST;

    while (rows->budget && numbers > SORTED_LEAST &&
           !budget_take(rows->budget, &rows->held, numbers * sizeof(double)))
        numbers /= 2;
    if (rows->budget)
        budget_take_anyway(rows->budget, &rows->held, numbers * sizeof(double));
    rows->most_sorted = numbers > rows->n_columns ? numbers / rows->n_columns : 1;
    rows->sorted = alloc_array(rows->most_sorted * rows->n_columns, sizeof *rows->sorted);
    return rows->sorted ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

/* Row `place` of the rows to look up. */
typedef struct Wanted {
    uint64_t member;
    size_t place;
} Wanted;

static int by_member(const void *a, const void *b)
{
    const Wanted *x = a, *y = b;
    return (x->member > y->member) - (x->member < y->member);
}

/* Looks up rows by members in ascending order. */
static Status look_up(SummaryRows *rows, const Wanted *wanted, size_t n_wanted, Error *err)
{
    const size_t n = rows->n_columns;
    RowsBlock block = {0};

    for (size_t i = 0; i < n_wanted; i++) {
        const uint64_t member = wanted[i].member;
        if (member - block.first_row >= block.n_rows) {
            const Status status = summary_rows_next(rows, member, &block, err);
            if (status != OK)
                return status;
        }
        if (member < block.first_row || member - block.first_row >= block.n_rows)
            return error_set(err, ERR_DAMAGED, "the row of a member is missing");
        memcpy(rows->sorted + wanted[i].place * n, block.rows + (member - block.first_row) * n,
               n * sizeof *rows->sorted);
    }
    return OK;
}

static Status sort_part(SummaryRows *rows, uint64_t first, Error *err)
{
    const uint64_t left = rows->n_members - first;
    const size_t n = left < rows->most_sorted ? (size_t)left : rows->most_sorted;
    Wanted *wanted = alloc_array(n, sizeof *wanted);

    if (!wanted)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the rows in their stored order */
    for (size_t i = 0; i < n; i++)
        wanted[i] = (Wanted){rows->members[first + i], i};
    qsort(wanted, n, sizeof *wanted, by_member);
    rows->n_sorted = 0;
    const Status status = look_up(rows, wanted, n, err);
    if (status == OK) {
        rows->first_sorted = first;
        rows->n_sorted = n;
    }
    free(wanted);
    return status;
}

static Status sorted_block(void *self, uint64_t k, RowsBlock *ret_block, Error *err)
{
    SummaryRows *rows = self;

    if (k >= rows->n_members)
        return error_set(err, ERR_NOT_FOUND, "row %llu", (unsigned long long)k);
    if (k < rows->first_sorted || k - rows->first_sorted >= rows->n_sorted) {
        const Status status = sort_part(rows, k, err);
        if (status != OK)
            return status;
    }
    *ret_block = (RowsBlock){rows->first_sorted, rows->n_sorted, rows->sorted};
    return OK;
}

Status summary_rows_select(SummaryRows *rows, const SummaryQuery *query, SummaryPage *ret_page,
                           RowsSource *ret_source, Error *err)
{
    Selection selection = {0};
    Status status = select_all(rows, query, &selection, err);

    if (status == OK)
        status = keep_page(rows, query, &selection, ret_page, err);
    free(selection.keyed);
    release(rows);
    if (status == OK && query->sort)
        status = reserve_sorted(rows, err);
    if (status == OK)
        *ret_source = (RowsSource){rows, query->sort ? sorted_block : picked_block, release};
    return status;
}

const uint64_t *summary_rows_members(const SummaryRows *rows)
{
    return rows->members;
}

/* All members. */

/* Rows of NaN for missing members before member `end`. */
static Status missing_block(SummaryRows *rows, uint64_t first, uint64_t end, RowsBlock *ret_block,
                            Error *err)
{
    const size_t n = rows->n_columns;
    const uint64_t n_rows = end - first < MISSING_ROWS ? end - first : MISSING_ROWS;
    double *missing = arena_doubles(&rows->view, (size_t)n_rows * n);

    if (!missing)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n_rows * n; k++)
        missing[k] = NAN;
    for (size_t i = 0; i < n_rows; i++)
        missing[i * n] = (double)(first + i);
    *ret_block = (RowsBlock){first, n_rows, missing};
    return OK;
}

static Status whole_block(void *self, uint64_t member, RowsBlock *ret_block, Error *err)
{
    SummaryRows *rows = self;
    const size_t n = rows->n_columns;
    const Status status = summary_rows_next(rows, member, ret_block, err);

    /* members without a row */
    if (status == ERR_NOT_FOUND)
        return missing_block(rows, member, UINT64_MAX, ret_block, err);
    if (status != OK)
        return status;
    if (ret_block->first_row > member)
        return missing_block(rows, member, ret_block->first_row, ret_block, err);
    /* members for which the condition does not hold */
    if (!rows->where)
        return OK;
    double *holds = arena_doubles(&rows->view, (size_t)ret_block->n_rows);
    if (!holds)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    row_expression_eval(rows->where, ret_block->rows, (size_t)ret_block->n_rows, holds);
    for (size_t k = 0; k < ret_block->n_rows; k++)
        for (size_t c = 1; holds[k] == 0 && c < n; c++)
            rows->at[k * n + c] = NAN;
    return OK;
}

RowsSource summary_rows_whole(SummaryRows *rows, RowExpression *where, GridAxes *axes)
{
    rows->where = where;
    rows->axes = axes;
    return (RowsSource){rows, whole_block, release};
}
