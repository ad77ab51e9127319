/* Gauss-Jordan elimination: reduced echelon forms. */
#include "core/invariants/search/reduced_echelon.h"

#include <math.h>

#include "core/numeric/vectors.h"

/* The largest entry of the column in rows from..m; 0 when all are below `least`. */
static double best_row(const double *rows, size_t m, size_t n, size_t from, size_t column,
                       double least, size_t *ret_row)
{
    double best = 0;
    for (size_t i = from; i < m; i++) {
        double size = fabs(rows[i * n + column]);
        if (size > best && size > least) {
            best = size;
            *ret_row = i;
        }
    }
    return best;
}

/* Makes entry (row, column) the pivot of row `rank`. */
static void pivot(double *rows, size_t m, size_t n, size_t rank, size_t row, size_t column,
                  double least)
{
    const double value = rows[row * n + column];

    /* exchange the rows and divide by the pivot */
    for (size_t j = 0; j < n; j++) {
        double taken = rows[row * n + j];
        rows[row * n + j] = rows[rank * n + j];
        rows[rank * n + j] = taken / value;
    }
    /* eliminate the column from the other rows */
    for (size_t i = 0; i < m; i++) {
        const double factor = rows[i * n + column];
        if (i == rank || factor == 0)
            continue;
        for (size_t j = 0; j < n; j++)
            rows[i * n + j] -= factor * rows[rank * n + j];
        rows[i * n + column] = 0;
    }
    /* entries that are rounding become 0 */
    rows[rank * n + column] = 1;
    for (size_t i = 0; i < m * n; i++)
        if (fabs(rows[i]) <= least)
            rows[i] = 0;
}

size_t echelon_reduce(double *rows, size_t m, size_t n, double tolerance, size_t *ret_pivots)
{
    const double least = tolerance * vector_largest(rows, m * n);
    size_t rank = 0;

    while (rank < m && rank < n) {
        size_t row = 0, column = 0;
        double best = 0;
        /* the largest entry that is left */
        for (size_t j = 0; j < n; j++) {
            size_t candidate = 0;
            double size = best_row(rows, m, n, rank, j, least, &candidate);
            if (size > best) {
                best = size;
                row = candidate;
                column = j;
            }
        }
        if (best == 0)
            break;
        pivot(rows, m, n, rank, row, column, least);
        ret_pivots[rank++] = column;
    }
    for (size_t i = rank * n; i < m * n; i++)
        rows[i] = 0;
    return rank;
}
