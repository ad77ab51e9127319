/* Statistics over members. Sums are exact and rounded once (core/numeric/exact_sum.h), so that
 * they do not depend on the order of additions. A value that is NaN is missing: it is left
 * out. */
#ifndef CORE_ENSEMBLE_STATISTICS_H
#define CORE_ENSEMBLE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"

typedef struct Moments {
    uint64_t count;
    double mean, variance; /* of the population, by n - 1; NaN below one and two values */
    double least, most;    /* NaN without values */
} Moments;

Moments statistics_moments(const double *x, size_t n);

/* By n - 1, of the members that have both; NaN below two of them. */
double statistics_covariance(const double *x, const double *y, size_t n);

/* The quantiles of the given levels in [0, 1], linear between order statistics (type 7 of R. J.
 * Hyndman, Y. Fan, Am. Stat. 50 (1996) 361); NaN without values. Sorts a copy. */
Status statistics_quantiles(const double *x, size_t n, const double *levels, size_t n_levels,
                            double *ret_values, Error *err) MUST_CHECK;

/* Between two order statistics that follow one another: the part 0 is the lower one. */
double statistics_between(double below, double above, double part);

/* Counts of n_bins equal parts of [from, to], each with its lower end, the last with both;
 * returns the number of values outside. from < to. */
uint64_t statistics_histogram(const double *x, size_t n, double from, double to, size_t n_bins,
                              uint64_t *ret_counts);

/* Sobol indices of one axis of a Saltelli design with d axes: x[(d + 2) n_base], in the order of
 * members. Of first order by A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259, table 2
 * (b); of total order by M. J. W. Jansen, Comput. Phys. Commun. 117 (1999) 35, (f). Base points
 * with a missing value are left out. */
typedef struct SobolIndex {
    uint64_t count;            /* base points used */
    double first, first_error; /* and its standard error over base points */
    double total, total_error;
} SobolIndex;

SobolIndex statistics_sobol(const double *x, size_t n_base, size_t d, size_t axis);

#endif
