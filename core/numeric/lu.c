/* Gaussian elimination: the only scalar LU. That of several lanes is in core/program. */
#include "core/numeric/lu.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Places of the data behind the matrix: scales and order of the rows, norm of S A, sign of P. */
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

static size_t sign_place(size_t n)
{
    return n * n + 2 * n + 1;
}

size_t lu_doubles(size_t n)
{
    return n * n + 2 * n + 2;
}

/* The power of two that brings a positive number into [1, 2). */
static double unit_scale(double number)
{
    enum { MANTISSA_BITS = 52, LARGEST_EXPONENT = 2046 };
    uint64_t bits;
    double scale;

    memcpy(&bits, &number, sizeof bits);
    const uint64_t exponent = bits >> MANTISSA_BITS;
    if (exponent == 0 || exponent == LARGEST_EXPONENT) /* subnormal, or its inverse is */
        return ldexp(1.0, -ilogb(number));
    bits = (LARGEST_EXPONENT - exponent) << MANTISSA_BITS;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

static void scale_rows(size_t n, double *lu)
{
    double *scale = lu + scale_place(n), norm = 0.0;

    for (size_t i = 0; i < n; i++) {
        double largest = 0.0, row = 0.0;
        for (size_t j = 0; j < n; j++)
            if (fabs(lu[i * n + j]) > largest)
                largest = fabs(lu[i * n + j]);
        scale[i] = largest > 0.0 && isfinite(largest) ? unit_scale(largest) : 1.0;
        for (size_t j = 0; j < n; j++) {
            lu[i * n + j] *= scale[i];
            row += fabs(lu[i * n + j]);
        }
        norm = row > norm ? row : norm;
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
    lu[sign_place(n)] = -lu[sign_place(n)];
}

static size_t largest_pivot(size_t n, const double *lu, size_t k)
{
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
        if (fabs(lu[i * n + k]) > fabs(lu[pivot * n + k]))
            pivot = i;
    return pivot;
}

bool lu_factor(size_t n, double *lu)
{
    bool regular = true;

    scale_rows(n, lu);
    lu[sign_place(n)] = 1.0;
    for (size_t i = 0; i < n; i++)
        lu[order_place(n) + i] = (double)i;
    /* eliminate column by column with partial pivoting */
    for (size_t k = 0; k < n; k++) {
        const size_t pivot = largest_pivot(n, lu, k);
        if (pivot != k)
            swap_rows(n, lu, pivot, k);
        const double size = fabs(lu[k * n + k]);
        regular = regular && size > 0.0 && isfinite(size);
        for (size_t i = k + 1; i < n; i++) {
            const double factor = lu[i * n + k] /= lu[k * n + k];
            for (size_t j = k + 1; j < n && factor != 0.0; j++)
                lu[i * n + j] -= factor * lu[k * n + j];
        }
    }
    return regular;
}

/* x holds P S rhs, then the solution. */
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
        const size_t row = (size_t)lu[order_place(n) + i];
        ret_x[i] = rhs[row] * lu[scale_place(n) + row];
    }
    substitute(n, lu, ret_x);
}

double lu_determinant(size_t n, const double *lu)
{
    double product = lu[sign_place(n)];
    for (size_t i = 0; i < n; i++)
        product *= lu[i * n + i] / lu[scale_place(n) + i];
    return product;
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
    const double rcond = 1.0 / (norm * lu[norm_place(n)]);
    return isfinite(norm) && isfinite(rcond) ? rcond : 0.0;
}
