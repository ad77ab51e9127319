/* A few rows that represent many in plots: a curve drawn by them looks as if drawn by all.
 *
 * The first and the last row stay unchanged. The rows between them are grouped into buckets. A
 * bucket gives two rows with the least and the greatest value of each column, in the order of their
 * occurrence. (U. Jugel et al., M4: a visualization-oriented time series data aggregation, 2014,
 * without the ends of each bucket.) */
#ifndef API_DOCUMENTS_EXTREMES_H
#define API_DOCUMENTS_EXTREMES_H

#include "api/documents/result_writer.h"

enum { EXTREMES_BUCKETS_MAX = 100000 };

/* The number of rows that represent n_rows rows; `buckets` > 0. If it is n_rows, all rows fit, and
 * extremes_new() is not needed. */
uint64_t extremes_rows(uint64_t n_rows, uint64_t buckets);

/* Rows 0 .. extremes_rows() - 1 that represent the rows first .. first + n_rows - 1 of `inner`,
 * with n_columns numbers each; n_rows must be greater. Takes `inner` over, also if this fails:
 * `free_inner` is called once. */
Status extremes_new(const RowsSource *inner, void (*free_inner)(void *self), size_t n_columns,
                    uint64_t first, uint64_t n_rows, uint64_t buckets, RowsSource *ret,
                    Error *err) MUST_CHECK;
void extremes_free(void *self);

#endif
