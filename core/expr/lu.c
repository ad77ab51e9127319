#include "core/expr/lu.h"

#include <math.h>

/* Behind the matrix: row scales, row order, norm of the scaled matrix. */
static size_t scale_place(size_t n)
{
    return n * n;
}

static size_t order_place(size_t n)
{
    return n * n + n;
}

static size_t norm_place(size_t n)
{
    return n * n + 2 * n;
}

size_t lu_doubles(size_t n)
{
    return n * n + 2 * n + 1;
}

static void scale_rows(size_t n, double *lu)
{
    double *scale = lu + scale_place(n), norm = 0.0;

    for (size_t i = 0; i < n; i++) {
        double largest = 0.0, row = 0.0;
        for (size_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(lu[i * n + j]));
        scale[i] = largest > 0.0 ? 1.0 / largest : 1.0;
        for (size_t j = 0; j < n; j++) {
            lu[i * n + j] *= scale[i];
            row += fabs(lu[i * n + j]);
        }
        norm = fmax(norm, row);
    }
    lu[norm_place(n)] = norm;
}

static void swap_rows(size_t n, double *lu, size_t i, size_t k)
{
    double *order = lu + order_place(n), swap = order[i];

    order[i] = order[k];
    order[k] = swap;
    for (size_t j = 0; j < n; j++) {
        swap = lu[i * n + j];
        lu[i * n + j] = lu[k * n + j];
        lu[k * n + j] = swap;
    }
}

void lu_factor(size_t n, double *lu)
{
    scale_rows(n, lu);
    for (size_t i = 0; i < n; i++)
        lu[order_place(n) + i] = (double)i;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(lu[i * n + k]) > fabs(lu[pivot * n + k]))
                pivot = i;
        if (pivot != k)
            swap_rows(n, lu, pivot, k);
        for (size_t i = k + 1; i < n; i++) {
            double factor = lu[i * n + k] / lu[k * n + k];
            lu[i * n + k] = factor;
            for (size_t j = k + 1; j < n; j++)
                lu[i * n + j] -= factor * lu[k * n + j];
        }
    }
}

/* x holds the permuted, scaled right-hand side. */
static void substitute(size_t n, const double *lu, double *x)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            x[i] -= lu[i * n + j] * x[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= lu[i * n + j] * x[j];
        x[i] /= lu[i * n + i];
    }
}

void lu_solve(size_t n, const double *lu, const double *rhs, double *ret_x)
{
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)lu[order_place(n) + i];
        ret_x[i] = rhs[row] * lu[scale_place(n) + row];
    }
    substitute(n, lu, ret_x);
}

double lu_rcond(size_t n, const double *lu, double *scratch)
{
    double *column = scratch, *row_sums = scratch + n, norm = 0.0;

    for (size_t i = 0; i < n; i++)
        row_sums[i] = 0.0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = (size_t)lu[order_place(n) + i] == j;
        substitute(n, lu, column);
        for (size_t i = 0; i < n; i++)
            row_sums[i] += fabs(column[i]);
    }
    for (size_t i = 0; i < n; i++)
        norm = row_sums[i] > norm || isnan(row_sums[i]) ? row_sums[i] : norm;
    double rcond = 1.0 / (norm * lu[norm_place(n)]);
    return isfinite(norm) && isfinite(rcond) ? rcond : 0.0;
}
