/* The rows of a result with further observables behind their columns, computed as they are read. */
#ifndef API_DOCUMENTS_OBSERVED_ROWS_H
#define API_DOCUMENTS_OBSERVED_ROWS_H

#include "api/documents/result_writer.h"
#include "core/simulate.h"

/* Rows of `inner` with n_columns numbers, and behind them n_more, NaN where an observable is not
 * finite. Both are the new source's from now on, also when this fails: `free_inner` is called once.
 * observed_rows_free(ret->self). */
Status observed_rows_new(const RowsSource *inner, void (*free_inner)(void *self), size_t n_columns,
                         RowObserver *observer, size_t n_more, RowsSource *ret,
                         Error *err) MUST_CHECK;
void observed_rows_free(void *self);

/* How many numbers of such rows, of n_columns in all, may be read ahead, so that nobody waits long
 * for the thread that computes them. */
size_t observed_rows_tile(const RowObserver *observer, size_t n_columns);

#endif
