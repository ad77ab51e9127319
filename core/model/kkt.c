#include <math.h>
#include <string.h>

#include "core/model/eval.h"

static void assemble(size_t n, const double *M, size_t n_rows, const double *A, double *matrix)
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

static void swap_rows(double *matrix, double *scale, double *rhs, size_t size, size_t a, size_t b)
{
    for (size_t j = 0; j < size; j++) {
        double held = matrix[a * size + j];
        matrix[a * size + j] = matrix[b * size + j];
        matrix[b * size + j] = held;
    }
    double held = scale[a];
    scale[a] = scale[b];
    scale[b] = held;
    held = rhs[a];
    rhs[a] = rhs[b];
    rhs[b] = held;
}

/* Gaussian elimination with row-scaled partial pivoting. */
bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs,
               double *matrix, double *scale)
{
    const size_t size = n + n_rows;

    assemble(n, M, n_rows, A, matrix);
    for (size_t i = 0; i < size; i++) {
        scale[i] = 0;
        for (size_t j = 0; j < size; j++)
            scale[i] = fmax(scale[i], fabs(matrix[i * size + j]));
        if (!(scale[i] > 0 && isfinite(scale[i])))
            return false;
    }
    for (size_t k = 0; k < size; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < size; i++)
            if (fabs(matrix[i * size + k]) * scale[pivot] >
                fabs(matrix[pivot * size + k]) * scale[i])
                pivot = i;
        if (!(fabs(matrix[pivot * size + k]) > 0))
            return false;
        if (pivot != k)
            swap_rows(matrix, scale, rhs, size, k, pivot);
        for (size_t i = k + 1; i < size; i++) {
            double factor = matrix[i * size + k] / matrix[k * size + k];
            if (factor == 0)
                continue;
            for (size_t j = k + 1; j < size; j++)
                matrix[i * size + j] -= factor * matrix[k * size + j];
            rhs[i] -= factor * rhs[k];
        }
    }
    for (size_t i = size; i-- > 0;) {
        for (size_t j = i + 1; j < size; j++)
            rhs[i] -= matrix[i * size + j] * rhs[j];
        rhs[i] /= matrix[i * size + i];
        if (!isfinite(rhs[i]))
            return false;
    }
    return true;
}

int kkt_budget(size_t size, int most)
{
    const double operations = 1e9, one = (double)size * (double)size * (double)size / 3 + 1;
    double affordable = operations / one;
    return affordable < 10 ? 10 : affordable > most ? most : (int)affordable;
}
