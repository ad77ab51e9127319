#include "core/model/rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

bool row_basis_init(RowBasis *b, size_t n, size_t max_rows)
{
    *b = (RowBasis){
        .n = n,
        .rows = alloc_array(max_rows * n, sizeof *b->rows),
        .basis = alloc_array(n * n, sizeof *b->basis),
        .chosen = alloc_array(max_rows, sizeof *b->chosen),
    };
    return b->rows && b->basis && b->chosen;
}

void row_basis_done(RowBasis *b)
{
    free(b->rows);
    free(b->basis);
    free(b->chosen);
}

double *row_basis_add(RowBasis *b)
{
    return b->rows + b->n_rows++ * b->n;
}

static double norm(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static void take_out(const double *direction, double *row, size_t n)
{
    double along = 0;
    for (size_t i = 0; i < n; i++)
        along += direction[i] * row[i];
    for (size_t i = 0; i < n; i++)
        row[i] -= along * direction[i];
}

/* The row joins the basis and is taken out of the rows that are left. */
static void accept(RowBasis *b, size_t k)
{
    const size_t n = b->n;
    double *direction = b->basis + b->n_chosen * n;

    memcpy(direction, b->rows + k * n, n * sizeof *direction);
    for (int pass = 0; pass < 2; pass++) { /* once more after scaling up what was left */
        for (size_t c = 0; c < b->n_chosen; c++)
            take_out(b->basis + c * n, direction, n);
        const double size = norm(direction, n);
        for (size_t i = 0; i < n; i++)
            direction[i] /= size;
    }
    b->chosen[k] = true;
    b->n_chosen++;
    for (size_t other = 0; other < b->n_rows; other++)
        if (!b->chosen[other])
            take_out(direction, b->rows + other * n, n);
}

void row_basis_choose(RowBasis *b, size_t n_rows, size_t most)
{
    const double nothing = (double)b->n * DBL_EPSILON * 1e3;

    most = most < b->n ? most : b->n;
    for (double threshold = 0.1; b->n_chosen < most; threshold *= 0.1) {
        threshold = fmax(threshold, nothing);
        for (size_t k = 0; k < n_rows && b->n_chosen < most; k++)
            if (!b->chosen[k] && norm(b->rows + k * b->n, b->n) > threshold)
                accept(b, k);
        if (threshold <= nothing)
            break;
    }
}
