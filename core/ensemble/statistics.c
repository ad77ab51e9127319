/* Two passes each: the mean first, then the deviations from it. */
#include "core/ensemble/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/exact_sum.h"
#include "core/numeric/vectors.h"

static double mean_of(const ExactSum *sum, uint64_t count)
{
    return count ? exact_sum_value(sum) / (double)count : NAN;
}

/* sum (x - m)(y - k) - sum (x - m) sum (y - k) / n, over n - 1: corrects for rounded means. */
static double spread(const ExactSum *products, const ExactSum *x, const ExactSum *y, uint64_t count)
{
    if (count < 2)
        return NAN;
    const double rest = exact_sum_value(x) * exact_sum_value(y) / (double)count;
    return (exact_sum_value(products) - rest) / (double)(count - 1);
}

Moments statistics_moments(const double *x, size_t n)
{
    ExactSum sum = {0}, shifted = {0}, squares = {0};
    Moments m = {.least = NAN, .most = NAN};

    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]))
            continue;
        m.count++;
        m.least = fmin(m.least, x[k]);
        m.most = fmax(m.most, x[k]);
        exact_sum_add(&sum, x[k]);
    }
    m.mean = mean_of(&sum, m.count);
    /* deviations from the mean */
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]))
            continue;
        exact_sum_add(&shifted, x[k] - m.mean);
        exact_sum_add_product(&squares, x[k] - m.mean, x[k] - m.mean);
    }
    m.variance = spread(&squares, &shifted, &shifted, m.count);
    return m;
}

double statistics_covariance(const double *x, const double *y, size_t n)
{
    ExactSum of_x = {0}, of_y = {0}, shifted_x = {0}, shifted_y = {0}, products = {0};
    uint64_t count = 0;

    /* the means of the members that have both values */
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]) || isnan(y[k]))
            continue;
        count++;
        exact_sum_add(&of_x, x[k]);
        exact_sum_add(&of_y, y[k]);
    }
    const double mean_x = mean_of(&of_x, count), mean_y = mean_of(&of_y, count);
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]) || isnan(y[k]))
            continue;
        exact_sum_add(&shifted_x, x[k] - mean_x);
        exact_sum_add(&shifted_y, y[k] - mean_y);
        exact_sum_add_product(&products, x[k] - mean_x, y[k] - mean_y);
    }
    return spread(&products, &shifted_x, &shifted_y, count);
}

double statistics_between(double below, double above, double part)
{
    /* equal neighbours, infinite ones too, are their own mean */
    return below == above || part == 0 ? below : below * (1 - part) + above * part;
}

Status statistics_quantiles(const double *x, size_t n, const double *levels, size_t n_levels,
                            double *ret_values, Error *err)
{
    double *sorted = alloc_array(n ? n : 1, sizeof *sorted);
    size_t count = 0;

    if (!sorted)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n; k++)
        if (!isnan(x[k]))
            sorted[count++] = x[k];
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    /* each level lies between two of them */
    for (size_t k = 0; k < n_levels; k++) {
        if (count == 0) {
            ret_values[k] = NAN;
            continue;
        }
        const double place = levels[k] * (double)(count - 1);
        const size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
        ret_values[k] = statistics_between(sorted[below], sorted[above], place - (double)below);
    }
    free(sorted);
    return OK;
}

uint64_t statistics_histogram(const double *x, size_t n, double from, double to, size_t n_bins,
                              uint64_t *ret_counts)
{
    uint64_t outside = 0;

    memset(ret_counts, 0, n_bins * sizeof *ret_counts);
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]))
            continue;
        if (!(x[k] >= from && x[k] <= to)) {
            outside++;
            continue;
        }
        /* halves, for to - from may overflow */
        const double part = (x[k] / 2 - from / 2) / (to / 2 - from / 2);
        const size_t bin = (size_t)(part * (double)n_bins);
        ret_counts[bin < n_bins ? bin : n_bins - 1]++;
    }
    return outside;
}

/* The values of a base point: at A, at B and at A with one axis from B. */
typedef struct BasePoint {
    double a, b, ab;
} BasePoint;

static bool read_point(const double *x, size_t d, size_t axis, size_t base, BasePoint *ret)
{
    const double *block = x + base * (d + 2);

    *ret = (BasePoint){block[0], block[d + 1], block[1 + axis]};
    return isfinite(ret->a) && isfinite(ret->b) && isfinite(ret->ab);
}

/* The mean of terms over base points, divided by a variance, and its standard error. */
static double index_of(const double *terms, size_t count, double variance, double *ret_error)
{
    const Moments m = statistics_moments(terms, count);

    *ret_error = sqrt(m.variance / (double)count) / variance;
    return m.mean / variance;
}

SobolIndex statistics_sobol(const double *x, size_t n_base, size_t d, size_t axis)
{
    SobolIndex index = {.first = NAN, .first_error = NAN, .total = NAN, .total_error = NAN};
    double *both = alloc_array(4 * n_base + 1, sizeof *both);
    double *first = both + 2 * n_base, *total = first + n_base;
    BasePoint p;
    size_t count = 0;

    if (!both)
        return index;
    for (size_t k = 0; k < n_base; k++)
        if (read_point(x, d, axis, k, &p)) {
            both[2 * count] = p.a;
            both[2 * count + 1] = p.b;
            count++;
        }
    const Moments m = statistics_moments(both, 2 * count);
    /* measured from the mean, f(B) has less noise and the same product on average */
    size_t at = 0;
    for (size_t k = 0; k < n_base; k++)
        if (read_point(x, d, axis, k, &p)) {
            first[at] = (p.b - m.mean) * (p.ab - p.a);
            total[at] = 0.5 * (p.a - p.ab) * (p.a - p.ab);
            at++;
        }
    index.count = count;
    if (count > 1 && m.variance > 0) {
        index.first = index_of(first, count, m.variance, &index.first_error);
        index.total = index_of(total, count, m.variance, &index.total_error);
    }
    free(both);
    return index;
}
