/* The rows of an ensemble's summary: all of them, those that a condition selects, or in another
 * order. */
#ifndef API_DOCUMENTS_SUMMARY_ROWS_H
#define API_DOCUMENTS_SUMMARY_ROWS_H

#include "api/documents/grid_axes.h"
#include "api/documents/row_expression.h"
#include "api/documents/summary.h"
#include "core/base/budget.h"

/* Belongs to one thread; owns everything it takes over. */
typedef struct SummaryRows SummaryRows;

/* `stored` returns the stored rows from a member on that lie together, with the member in column 0;
 * ERR_NOT_FOUND: there are none from there on. n_columns: of summary_columns(). budget: pays for
 * numbers read ahead; may be NULL. Takes over `stored`, also on failure. */
Status summary_rows_new(const RowsSource *stored, void (*free_stored)(void *self), size_t n_columns,
                        Budget *budget, SummaryRows **ret_rows, Error *err) MUST_CHECK;
void summary_rows_free(void *rows); /* NULL is fine */

/* Rows from member `first` on. ret_block->first_row is the member of the first row, which may be a
 * later one. They are valid until the next call. ERR_NOT_FOUND: there are none from there on. */
Status summary_rows_next(SummaryRows *rows, uint64_t first, RowsBlock *ret_block,
                         Error *err) MUST_CHECK;

/* A selection of members and their order. */
typedef struct SummaryQuery {
    RowExpression *where; /* a condition; NULL: all stored members */
    RowExpression *sort;  /* ascending, NaN last, ties by number; NULL: by number */
    uint64_t first;       /* by number: the first member; sorted: rows to skip */
    uint64_t limit;       /* 0: all */
} SummaryQuery;

typedef struct SummaryPage {
    uint64_t n;    /* rows */
    bool more;     /* there are more than the limit: */
    uint64_t next; /* `first` of the query for them */
} SummaryPage;

/* The sources return rows of summary_columns(). They belong to SummaryRows, which serves one of
 * them at a time. */

/* Row k is that of member k. All rows must be stored. */
RowsSource summary_rows_all(SummaryRows *rows);
/* Row k is that of the k-th selected member. Reads all members once, and again if they are
 * sorted. */
Status summary_rows_select(SummaryRows *rows, const SummaryQuery *query, SummaryPage *ret_page,
                           RowsSource *ret_source, Error *err) MUST_CHECK;
/* The members of the last selection, in its order; their number is in its page. */
const uint64_t *summary_rows_members(const SummaryRows *rows);
/* Row k is that of member k. All columns but the number are NaN if the row is not stored, or if the
 * condition does not hold. Takes over the condition (NULL: none) and axes, those of the matrix (may
 * be NULL). */
RowsSource summary_rows_whole(SummaryRows *rows, RowExpression *where, GridAxes *axes);

#endif
