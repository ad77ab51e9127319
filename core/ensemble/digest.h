/* Statistics of the values of many members, in bounded memory: the digests of neighboring ranges
 * of members are merged into one. Count, extremes, mean and variance are exact. Quantiles are
 * exact up to DIGEST_VALUES values. Beyond that number, a value of height h represents 2^h
 * values (J. I. Munro, M. S. Paterson, Theor. Comput. Sci. 12 (1980) 315; G. S. Manku, S.
 * Rajagopalan, B. G. Lindsay, SIGMOD 27 (1998) 426), without random numbers.
 *
 * The error of ranks is bounded. A merge pairs the values of height h in order. It keeps either
 * the lower or the upper value of each pair, and that value represents both. The number of
 * values below an x therefore changes only by the pair that contains x, by at most +2^h or -2^h.
 * The digest sums these bounds over all merges: at most `above` values too many are counted
 * below an x, and at most `below` values too few. With n members, and the lower values kept in
 * half of the merges, both are near n log2(n / DIGEST_VALUES) / (4 DIGEST_VALUES). */
#ifndef CORE_ENSEMBLE_DIGEST_H
#define CORE_ENSEMBLE_DIGEST_H

#include "core/base/text.h"
#include "core/ensemble/statistics.h"
#include "core/numeric/exact_sum.h"

/* DIGEST_VALUES: values of a digest after a merge; 1024 take 8 KiB. DIGEST_HEIGHTS: heights of
 * fewer than 2^54 members. Both are conventions. */
enum { DIGEST_LEVEL = 10, DIGEST_VALUES = 1 << DIGEST_LEVEL, DIGEST_HEIGHTS = 54 };

/* {0} is the digest of no values; release with digest_done(). */
typedef struct Digest {
    uint64_t count;
    double least, most;    /* meaningless if count is 0 */
    uint64_t above, below; /* bounds of the rank error */
    ExactSum sum, squares;
    double *values;           /* n_values: those of each height in order, the lowest first */
    size_t n[DIGEST_HEIGHTS]; /* number of values of each height */
    size_t n_values, capacity;
} Digest;

void digest_done(Digest *digest);

/* The digest of n <= DIGEST_VALUES values; NaN does not count. Sorts a copy. */
Status digest_of(const double *x, size_t n, Digest *ret_digest, Error *err) MUST_CHECK;
/* All values of a and b. *ret_digest may be neither of them. */
Status digest_join(const Digest *a, const Digest *b, Digest *ret_digest, Error *err) MUST_CHECK;
/* The same, thinned to about DIGEST_VALUES values; `upper`: thinning keeps the upper values of
 * pairs. */
Status digest_merge(const Digest *a, const Digest *b, bool upper, Digest *ret_digest,
                    Error *err) MUST_CHECK;

/* `missing` is 0. The variance is that of the exact sums, rounded three times; NaN if squares
 * overflow. */
Moments digest_moments(const Digest *digest);
/* As statistics_quantiles(). Each lies between the exact ones of its level -+ digest_rank_error();
 * those of levels 0 and 1 are exact. */
Status digest_quantiles(const Digest *digest, const double *levels, size_t n_levels,
                        double *ret_values, Error *err) MUST_CHECK;
double digest_rank_error(const Digest *digest);

/* Appends words of 8 bytes each. */
void digest_write(const Digest *digest, Text *words);
/* Reads the digest that begins at *io_at and advances *io_at behind it. ERR_DAMAGED: there is
 * none. */
Status digest_read(const uint64_t *words, size_t n, size_t *io_at, Digest *ret_digest,
                   Error *err) MUST_CHECK;

#endif
