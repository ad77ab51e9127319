/* Whether numbers are finite. */
#ifndef CORE_BASE_FINITE_H
#define CORE_BASE_FINITE_H

#include <stdbool.h>
#include <stddef.h>

/* Zero times an infinity or NaN is NaN, so one comparison of a sum tests all numbers. */
static inline bool all_finite(const double *x, size_t n)
{
    double zero[] = {0, 0, 0, 0};
    size_t k = 0;

    for (; k + 4 <= n; k += 4) {
        zero[0] *= x[k];
        zero[1] *= x[k + 1];
        zero[2] *= x[k + 2];
        zero[3] *= x[k + 3];
    }
    for (; k < n; k++)
        zero[0] *= x[k];
    return zero[0] + zero[1] + (zero[2] + zero[3]) == 0;
}

#endif
