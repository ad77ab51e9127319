/* Least change under linear conditions: the Karush-Kuhn-Tucker system, by LU (Nocedal and Wright,
 * Numerical Optimization, section 16.1). */
#include "core/model/kkt.h"

#include <math.h>
#include <string.h>

#include "core/numeric/lu.h"

static void kkt_assemble(size_t n, const double *M, size_t n_rows, const double *A, double *matrix)
{
    const size_t size = n + n_rows;

    memset(matrix, 0, size * size * sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        if (M)
            memcpy(matrix + i * size, M + i * n, n * sizeof *M);
        else
            matrix[i * size + i] = 1;
        for (size_t a = 0; a < n_rows; a++)
            matrix[(n + a) * size + i] = matrix[i * size + n + a] = A[a * n + i];
    }
}

size_t kkt_doubles(size_t size)
{
    return lu_doubles(size) + size;
}

bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs, double *work)
{
    const size_t size = n + n_rows;
    double *x = work + lu_doubles(size);

    kkt_assemble(n, M, n_rows, A, work);
    if (!lu_factor(size, work))
        return false;
    lu_solve(size, work, rhs, x);
    for (size_t i = 0; i < size; i++)
        if (!isfinite(x[i]))
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
