/* Whether numbers are finite. */
#ifndef CORE_BASE_FINITE_H
#define CORE_BASE_FINITE_H

#include <stdbool.h>
#include <stddef.h>

/* What is not finite makes a NaN of a sum of zeros: no number is asked by itself. */
static inline bool all_finite(const double *x, size_t n)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 4 <= n; k += 4) {
        even += 0 * x[k] + 0 * x[k + 2];
        odd += 0 * x[k + 1] + 0 * x[k + 3];
    }
    for (; k < n; k++)
        even += 0 * x[k];
    return even + odd == 0;
}

#endif
