/* The rows of a result with further observables behind their columns, computed when they are
 * read. */
#ifndef API_DOCUMENTS_OBSERVED_ROWS_H
#define API_DOCUMENTS_OBSERVED_ROWS_H

#include "api/documents/result_writer.h"
#include "core/simulate.h"

/* The stored columns names[n] must be those that this program would write; else ERR_CONFLICT. */
Status observed_rows_check(const RowObserver *observer, const char *const *names, size_t n,
                           Error *err) MUST_CHECK;

typedef struct ObservedShape {
    size_t n_columns; /* of the inner rows */
    size_t n_kept;    /* the first ones, which stay in the new rows */
    size_t n_more;    /* observables behind them */
} ObservedShape;

/* The rows of `inner` with observables; one that is not finite is NaN. Takes over `inner` and the
 * observer, also if this fails: `free_inner` is called once. Release with
 * observed_rows_free(ret->self). */
Status observed_rows_new(const RowsSource *inner, void (*free_inner)(void *self),
                         RowObserver *observer, const ObservedShape *shape, RowsSource *ret,
                         Error *err) MUST_CHECK;
void observed_rows_free(void *self);

/* The numbers of such rows, of n_columns in all, that may be read ahead, so that no other client
 * waits long for the computing thread. */
size_t observed_rows_tile(const RowObserver *observer, size_t n_columns);

#endif
