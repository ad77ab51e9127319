/* Least change under linear conditions: the Karush-Kuhn-Tucker system, by LU (Nocedal and Wright,
 * Numerical Optimization, section 16.1). */
#include "core/model/kkt.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/finite.h"
#include "core/base/numbers.h"
#include "core/base/stop_token.h"
#include "core/numeric/lu.h"

/* A power of two that scales the largest number to between 1/2 and 1. Then pivots and rounding do
 * not depend on the units of L and of a constraint. */
static double kkt_unit(const double *values, size_t n)
{
    double largest = 0;
    int exponent = 0;

    for (size_t i = 0; i < n; i++)
        largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
    if (largest >= DBL_MIN && isfinite(largest))
        (void)frexp(largest, &exponent);
    return ldexp(1, -exponent);
}

/* units[0]: of M, then of each row of A. */
static void kkt_assemble(size_t n, const double *M, size_t n_rows, const double *A, double *matrix,
                         double *units)
{
    const size_t size = n + n_rows;

    memset(matrix, 0, size * size * sizeof *matrix);
    units[0] = M ? kkt_unit(M, n * n) : 1;
    for (size_t a = 0; a < n_rows; a++)
        units[1 + a] = kkt_unit(A + a * n, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            matrix[i * size + j] = M ? M[i * n + j] * units[0] : (double)(i == j);
        for (size_t a = 0; a < n_rows; a++)
            matrix[(n + a) * size + i] = matrix[i * size + n + a] = A[a * n + i] * units[1 + a];
    }
}

/* The head of a work space: n, n_rows, and 1 if there is an M. M and A are behind it. */
enum { KEY = 3 };

size_t kkt_doubles(size_t size)
{
    return KEY + size * size + lu_doubles(size) + 2 * size + 1;
}

/* Factors the matrix, unless the work space has the factors of the same M and A: the members of an
 * ensemble often begin with those of the member before. */
static bool factor(size_t n, const double *M, size_t n_rows, const double *A, double *kept,
                   double *lu, double *units)
{
    const double key[KEY] = {(double)n, (double)n_rows, M != NULL};
    const size_t of_M = M ? n * n : 0, of_A = n_rows * n;

    if (numbers_are_same(kept, key, KEY) && numbers_are_same(kept + KEY, M, of_M) &&
        numbers_are_same(kept + KEY + of_M, A, of_A))
        return true;
    kept[0] = 0;
    numbers_copy(kept + KEY, M, of_M);
    numbers_copy(kept + KEY + of_M, A, of_A);
    kkt_assemble(n, M, n_rows, A, lu, units);
    const bool regular = lu_factor(n + n_rows, lu);
    numbers_copy(kept, key, regular ? KEY : 0);
    return regular;
}

bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs, double *work)
{
    const size_t size = n + n_rows;
    double *lu = work + KEY + size * size, *x = lu + lu_doubles(size), *units = x + size;

    /* only counted; callers that solve many systems check the stop token */
    (void)stop_token_spend((size / 3 + 1) * size * size, NULL);
    if (!factor(n, M, n_rows, A, work, lu, units))
        return false;
    for (size_t i = 0; i < n; i++)
        rhs[i] *= units[0];
    for (size_t a = 0; a < n_rows; a++)
        rhs[n + a] *= units[1 + a];
    lu_solve(size, lu, rhs, x);
    for (size_t a = 0; a < n_rows; a++)
        x[n + a] *= units[1 + a] / units[0];
    if (!all_finite(x, size))
        return false;
    memcpy(rhs, x, size * sizeof *x);
    return true;
}

int kkt_budget(size_t size, int most)
{
    const double operations = 1e9, one = (double)size * (double)size * (double)size / 3 + 1;
    double affordable = operations / one;
    return affordable < 10 ? 10 : affordable > most ? most : (int)affordable;
}
