/* Few rows of many, for plots: a column drawn by them looks as if drawn by all.
 *
 * Between the first row and the last, which stay as they are, rows are taken together in buckets;
 * of each there are two rows, in which each column has its least and its greatest value there, that
 * first which occurs first. (U. Jugel et al., M4: a visualization-oriented time series data
 * aggregation, 2014, without the ends of each bucket.) */
#ifndef API_DOCUMENTS_EXTREMES_H
#define API_DOCUMENTS_EXTREMES_H

#include "api/documents/result_writer.h"

enum { EXTREMES_BUCKETS_MAX = 100000 };

/* The rows there are of so many; `buckets` > 0. As many: all fit, and extremes_new() has nothing to
 * do. */
uint64_t extremes_rows(uint64_t n_rows, uint64_t buckets);

/* Rows 0 .. extremes_rows() - 1, of rows first .. first + n_rows - 1 of `inner` with n_columns
 * numbers each, of which there are more. `inner` is the new source's from now on, also when this
 * fails: `free_inner` is called once. */
Status extremes_new(const RowsSource *inner, void (*free_inner)(void *self), size_t n_columns,
                    uint64_t first, uint64_t n_rows, uint64_t buckets, RowsSource *ret,
                    Error *err) MUST_CHECK;
void extremes_free(void *self);

#endif
