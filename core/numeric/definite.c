/* Pivots of L D L^T as a bound of the smallest eigenvalue: in units in which the diagonal is 1 they
 * are D_ii / M_ii, and it is their product over that of the other eigenvalues, which is less than
 * e, for their sum is below n (inequality of arithmetic and geometric means). */
#include "core/numeric/definite.h"

/* Smallest product of the pivots D_ii / M_ii (no unit) of a clearly definite matrix. The smallest
 * eigenvalue is larger than this over e, which is 3.7e-7. A convention. */
static const double MIN_PIVOT_PRODUCT = 1e-6;

/* The pivots over the diagonal elements; false if one of these is not positive. */
static bool find_pivots(size_t n, const double *M, double *ret)
{
    /* below the diagonal L, on it and above what is left of M */
    double left[DEFINITE_MOST][DEFINITE_MOST];

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) {
            double rest = M[i * n + j];
            for (size_t k = 0; k < i; k++)
                rest -= left[i][k] * left[k][j];
            left[i][j] = rest;
            if (i < j)
                left[j][i] = rest / left[i][i];
        }
        if (!(M[j * n + j] > 0))
            return false;
        ret[j] = left[j][j] / M[j * n + j];
    }
    return true;
}

bool definite_clearly(size_t n, const double *M)
{
    double pivots[DEFINITE_MOST], product = 1;

    if (n > DEFINITE_MOST || !find_pivots(n, M, pivots))
        return false;
    for (size_t j = 0; j < n; j++) {
        product *= pivots[j];
        if (!(product > MIN_PIVOT_PRODUCT))
            return false;
    }
    return true;
}

bool definite_with_pivots(size_t n, const double *M, double least)
{
    double pivots[DEFINITE_MOST];
    bool above = n <= DEFINITE_MOST && find_pivots(n, M, pivots);

    for (size_t j = 0; above && j < n; j++)
        above = pivots[j] >= least;
    return above;
}
