/* Weighted sums of stages: the inner loop of the Runge-Kutta methods. */
#ifndef CORE_INTEGRATE_COMBINE_H
#define CORE_INTEGRATE_COMBINE_H

#include <stddef.h>

enum { COMBINE_MAX_TERMS = 12 };

/* out = base + h (w[0] k[0] + ... + w[n-1] k[n-1]), all [rows][lanes] but h[lanes]; without a base,
 * out = h (...). 1 <= n <= COMBINE_MAX_TERMS. out overlaps nothing else. Terms are added
 * in order, so that a lane's bits do not depend on the number of lanes or the instruction set. */
typedef struct StageSum {
    size_t n;
    const double *w;
    const double *k[COMBINE_MAX_TERMS];
    const double *h, *base;
} StageSum;

void combine_stages(const StageSum *sum, size_t rows, size_t lanes, double *out);

/* out -= other, both [rows][lanes]. */
void combine_subtract(double *out, const double *other, size_t rows, size_t lanes);

/* The same, compiled once for each instruction set; lanes must be a multiple of COMBINE_LANES. */
enum { COMBINE_LANES = 8 };
void combine_lanes_sse2(const StageSum *sum, size_t rows, size_t lanes, double *out);
void combine_lanes_avx2(const StageSum *sum, size_t rows, size_t lanes, double *out);
void combine_lanes_avx512(const StageSum *sum, size_t rows, size_t lanes, double *out);

/* The compiler cuts it to the registers there are; element by element it is plain arithmetic. */
typedef double CombineLanes __attribute__((vector_size(64), aligned(8), may_alias));
_Static_assert(sizeof(CombineLanes) == COMBINE_LANES * sizeof(double), "eight lanes");

#endif
