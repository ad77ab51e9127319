/* The pivots of L D L^T bound the smallest eigenvalue. In units in which the diagonal of M is 1,
 * the pivots are D_ii / M_ii. Their product is the product of all eigenvalues. The product of all
 * eigenvalues but the smallest is less than e, because their sum is below n (inequality of
 * arithmetic and geometric means). */
#include "core/numeric/definite.h"

#include "core/base/accuracy.h"

/* Computes D_ii / M_ii for each pivot; false if a diagonal element is not positive. */
static bool find_pivots(size_t n, const double *M, double *ret)
{
    /* below the diagonal: L; on it and above: the rest of M after elimination */
    double left[DEFINITE_MOST][DEFINITE_MOST];

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) {
            double rest = M[i * n + j];
            for (size_t k = 0; k < i; k++)
                rest -= left[i][k] * left[k][j];
            left[i][j] = rest;
            if (i < j) /* no division for the zeros of a diagonal matrix */
                left[j][i] = rest == 0 ? 0 : rest / left[i][i];
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
        /* the smallest eigenvalue is then larger than 1e-6 / e = 3.7e-7 */
        if (!(product > ACCURACY_CLEAR))
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
