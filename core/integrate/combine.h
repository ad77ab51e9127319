/* Weighted sums of stages: the inner loops of the Runge-Kutta methods.
 *
 * Arrays are [rows][lanes]; those of rates, stages and sums have room for whole blocks of
 * COMBINE_BLOCK numbers, and all others of one lane may be read so far. Terms are added in
 * order, so that a lane's bits depend neither on the number of lanes nor on the instruction set. */
#ifndef CORE_INTEGRATE_COMBINE_H
#define CORE_INTEGRATE_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMBINE_MAX_TERMS = 12, COMBINE_BLOCK = 8 };

/* w[0] k[0] + ... + w[n-1] k[n-1], 1 <= n <= COMBINE_MAX_TERMS. */
typedef struct StageSum {
    size_t n;
    const double *w;
    const double *k[COMBINE_MAX_TERMS];
} StageSum;

/* The argument of a stage of one term. */
typedef struct FirstStage {
    const double *t, *y, *h, *k; /* [lanes], [dim][lanes], [lanes], [dim][lanes] */
    double node, w;
} FirstStage;

/* The end of a step: y_new + carry_new = y + carry + h slope; carry_new holds the digits that
 * rounding takes from y_new. */
typedef struct StepEndSum {
    const double *y, *carry, *slope; /* [rows][lanes] */
    const double *h;                 /* [lanes] */
    double *y_new, *carry_new;       /* [rows][lanes] */
} StepEndSum;

/* A row of lanes of dense output: with r = 1 - theta, rise = y_new - y, start = h rates - rise
 * and end = rise - h rates_new - start,
 *  y + theta (rise + r (start + theta (end + r (d[0] + theta (d[1] + r (d[2] + theta d[3])))))). */
typedef struct DenseRow {
    const double *y, *y_new, *rates, *rates_new, *h, *d[4]; /* [lanes] */
} DenseRow;

/* Bounds of a polynomial in s = 2 theta - 1 over -1 <= s <= 1, and its rate along theta: the first
 * coefficient, and the sum of the sizes of all others, or more. */
typedef struct DenseReach {
    double *middle, *radius, *rate, *rate_radius; /* [lanes] */
} DenseReach;

/* Compiled once for each instruction set. */
typedef struct Combine {
    /* out = the sum, `count` numbers. out overlaps nothing else. */
    void (*sum)(const StageSum *sum, size_t count, double *out);
    /* t + node h and y + h w k, [1 + dim][lanes]; for one lane and whole blocks of lanes. */
    void (*first)(const FirstStage *first, size_t dim, size_t lanes, double *argument);
    /* k -= start, [rows][lanes]. */
    void (*less)(double *k, const double *start, size_t rows, size_t lanes);
    /* For one lane, with room for whole blocks, and whole blocks of lanes. */
    void (*advance)(const StepEndSum *sum, size_t rows, size_t lanes);
    /* to = from in the lanes whose mask is -1, not where it is 0; for whole blocks of lanes. */
    void (*take)(double *to, const double *from, const int64_t *masks, size_t rows, size_t lanes);
    /* For whole blocks of lanes. */
    void (*dense)(const DenseRow *row, double theta, size_t lanes, double *ret);
    void (*reach)(const DenseRow *row, size_t lanes, const DenseReach *ret);
} Combine;

extern const Combine combine_sse2, combine_avx2, combine_avx512;
const Combine *combine_best(void);

/* The count rounded up to whole blocks. */
static inline size_t combine_room(size_t count)
{
    return (count + COMBINE_BLOCK - 1) / COMBINE_BLOCK * COMBINE_BLOCK;
}

#endif
