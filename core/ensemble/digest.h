/* What the values of many members come to, in bounded memory: digests of neighbouring ranges of members are merged into that
 * of both. Count, extremes, mean and variance lose nothing. Quantiles are exact up to DIGEST_VALUES values; beyond, values
 * stand for others, each for 2^h of them (J. I. Munro, M. S. Paterson, Theor. Comput. Sci. 12 (1980) 315; G. S. Manku,
 * S. Rajagopalan, B. G. Lindsay, SIGMOD 27 (1998) 426), without random numbers.
 *
 * The error of ranks is known. Of the values of height h, in order and two by two, a merge keeps the lower or the upper
 * one of each pair, for both: how many values are below an x changes by the pair that x divides, if it divides one, by at most
 * +2^h or -2^h. The sums of these over all merges are told: no more than `above` too many are counted below an x, and no
 * more than `below` too few. With n members and parts of all kinds, lower ones in half of the merges, both are near
 * n log2(n / DIGEST_VALUES) / (4 DIGEST_VALUES). */
#ifndef CORE_ENSEMBLE_DIGEST_H
#define CORE_ENSEMBLE_DIGEST_H

#include "core/base/text.h"
#include "core/ensemble/statistics.h"
#include "core/numeric/exact_sum.h"

enum { DIGEST_LEVEL = 10, DIGEST_VALUES = 1 << DIGEST_LEVEL, DIGEST_HEIGHTS = 54 };

/* {0} is of no values; release with digest_done(). */
typedef struct Digest {
    uint64_t count;
    double least, most;    /* where count > 0 */
    uint64_t above, below; /* errors of ranks, at most */
    ExactSum sum, squares;
    double *values;           /* n_values: those of each height in order, the lowest first */
    size_t n[DIGEST_HEIGHTS]; /* how many of each */
    size_t n_values, capacity;
} Digest;

void digest_done(Digest *digest);

/* Of n <= DIGEST_VALUES values; NaN is none. Sorts what it needs to of a copy. */
Status digest_of(const double *x, size_t n, Digest *ret_digest, Error *err) MUST_CHECK;
/* Of both: all their values. *ret_digest may not be one of them. */
Status digest_join(const Digest *a, const Digest *b, Digest *ret_digest, Error *err) MUST_CHECK;
/* The same with at most about DIGEST_VALUES values, `upper` ones where they are too many. */
Status digest_merge(const Digest *a, const Digest *b, bool upper, Digest *ret_digest,
                    Error *err) MUST_CHECK;

/* `missing` is 0. The variance is that of the exact sums, rounded thrice; NaN where squares overflow. */
Moments digest_moments(const Digest *digest);
/* As statistics_quantiles(). Each lies between the exact ones of its level -+ digest_rank_error(); those of levels 0 and 1
 * are exact. */
Status digest_quantiles(const Digest *digest, const double *levels, size_t n_levels,
                        double *ret_values, Error *err) MUST_CHECK;
double digest_rank_error(const Digest *digest);

/* Appends words of 8 bytes each. */
void digest_write(const Digest *digest, Text *words);
/* The digest that begins at *io_at, which goes behind it; ERR_DAMAGED where there is none. */
Status digest_read(const uint64_t *words, size_t n, size_t *io_at, Digest *ret_digest,
                   Error *err) MUST_CHECK;

#endif
