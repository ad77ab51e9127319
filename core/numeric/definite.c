/* Cholesky's pivots as a bound of the smallest eigenvalue: it is their product over that of the other eigenvalues, which is
 * less than e, for their sum is below n (inequality of arithmetic and geometric means). */
#include "core/numeric/definite.h"

#include <math.h>

/* The least product of pivots. */
static const double CLEAR = 1e-6;

bool definite_clearly(size_t n, const double *M)
{
    double L[DEFINITE_MOST * DEFINITE_MOST], unit[DEFINITE_MOST], product = 1;

    if (n > DEFINITE_MOST)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!(M[i * n + i] > 0))
            return false;
        unit[i] = 1 / sqrt(M[i * n + i]);
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double rest = M[i * n + j] * unit[i] * unit[j];
            for (size_t k = 0; k < j; k++)
                rest -= L[i * DEFINITE_MOST + k] * L[j * DEFINITE_MOST + k];
            L[i * DEFINITE_MOST + j] = rest;
        }
        product *= L[j * DEFINITE_MOST + j];
        if (!(product > CLEAR))
            return false;
        const double root = sqrt(L[j * DEFINITE_MOST + j]);
        for (size_t i = j; i < n; i++)
            L[i * DEFINITE_MOST + j] /= root;
    }
    return true;
}
