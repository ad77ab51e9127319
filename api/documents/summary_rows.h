/* The rows of an ensemble's summary: all of them, those that a condition selects, or in another
 * order. */
#ifndef API_DOCUMENTS_SUMMARY_ROWS_H
#define API_DOCUMENTS_SUMMARY_ROWS_H

#include "api/documents/grid_axes.h"
#include "api/documents/row_expression.h"
#include "api/documents/summary.h"
#include "core/base/budget.h"

/* Belongs to one thread; owns all that is given to it. */
typedef struct SummaryRows SummaryRows;

/* `stored` gives the rows as they are stored, the member in column 0, from a member on as far as
 * they lie together; ERR_NOT_FOUND: there are none from there on. n_columns: of summary_columns().
 * budget: of what is read ahead; may be NULL. Takes over `stored`, also when it fails. */
Status summary_rows_new(const RowsSource *stored, void (*free_stored)(void *self), size_t n_columns,
                        Budget *budget, SummaryRows **ret_rows, Error *err) MUST_CHECK;
void summary_rows_free(void *rows); /* NULL is fine */

/* Rows from member `first` on: ret_block->first_row is the member of the first of them, which may
 * be a later one. They stay until the next call. ERR_NOT_FOUND: there are none from there on. */
Status summary_rows_next(SummaryRows *rows, uint64_t first, RowsBlock *ret_block,
                         Error *err) MUST_CHECK;

/* Which members, in which order. */
typedef struct SummaryQuery {
    RowExpression *where; /* a condition; NULL: all that are stored */
    RowExpression
        *sort; /* ascending, those without a value last, equal ones by number; NULL: by number */
    uint64_t first; /* by number: from this member on; sorted: so many are left out */
    uint64_t limit; /* 0: all */
} SummaryQuery;

typedef struct SummaryPage {
    uint64_t n;    /* rows */
    bool more;     /* there are more than the limit: */
    uint64_t next; /* `first` of the query for them */
} SummaryPage;

/* The sources give rows of summary_columns(), and belong to the rows, which serve one of them at a
 * time. */

/* Row k is that of member k: where all are stored. */
RowsSource summary_rows_all(SummaryRows *rows);
/* Row k is that of the k-th member that the query selects. Reads all members once, more often where
 * they are sorted. */
Status summary_rows_select(SummaryRows *rows, const SummaryQuery *query, SummaryPage *ret_page,
                           RowsSource *ret_source, Error *err) MUST_CHECK;
/* The members of the last selection, in its order; as many as its page says. */
const uint64_t *summary_rows_members(const SummaryRows *rows);
/* Row k is that of member k; NaN but for its number where it is not stored, or where the condition
 * (which is taken over; NULL: none) does not hold. axes: of the matrix that it is written as, taken
 * over, too; may be NULL. */
RowsSource summary_rows_whole(SummaryRows *rows, RowExpression *where, GridAxes *axes);

#endif
