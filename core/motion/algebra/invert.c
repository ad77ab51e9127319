/* Gauss-Jordan elimination with numeric pivots. The rest is inverted by Cramer's rule if it is
 * small, otherwise with pivots at run time. */
#include "core/motion/algebra/invert.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "core/base/arena.h"

enum { COFACTORS_MAX = 3 };

/* a - factor b, or exactly 0 if numbers cancel within rounding: that must not become a pivot. */
static Expr eliminate_entry(ExprPool *pool, Expr a, Expr factor, Expr b)
{
    const double negligible = 64 * DBL_EPSILON;
    double before, times, by;

    if (expr_is_const(pool, a, &before) && expr_is_const(pool, factor, &times) &&
        expr_is_const(pool, b, &by) &&
        fabs(before - times * by) <= negligible * (fabs(before) + fabs(times * by)))
        return expr_const(pool, 0);
    return expr_sub(pool, a, expr_mul(pool, factor, b));
}

void eliminate_column(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns, size_t pivot,
                      size_t column)
{
    const Expr zero = expr_const(pool, 0);
    Expr *row = work + pivot * n_columns;
    double value = 1;
    expr_is_const(pool, row[column], &value);

    const double inverse = expr_inverse(pool, value);
    for (size_t j = 0; j < n_columns; j++)
        row[j] = expr_scale(pool, inverse, row[j]);
    /* set the entries exactly, because 1 / value * value may differ from 1 */
    row[column] = expr_const(pool, 1);
    for (size_t k = 0; k < n_rows; k++) {
        Expr factor = work[k * n_columns + column];
        if (k == pivot || expr_is_zero(pool, factor))
            continue;
        for (size_t j = 0; j < n_columns; j++)
            work[k * n_columns + j] =
                eliminate_entry(pool, work[k * n_columns + j], factor, row[j]);
        work[k * n_columns + column] = zero;
    }
}

/* The row without a pivot that has a numeric entry in the column and the fewest other entries. */
static size_t pivot_row(const ExprPool *pool, const Expr *work, size_t n_rows, size_t n_columns,
                        size_t column, const size_t *pivot)
{
    size_t best = n_rows, best_cost = SIZE_MAX;

    for (size_t k = 0; k < n_rows; k++) {
        double value;
        if (pivot[k] != SIZE_MAX || !expr_is_const(pool, work[k * n_columns + column], &value) ||
            value == 0)
            continue;
        /* few other entries, little fill-in */
        size_t cost = 0;
        for (size_t j = 0; j < n_columns; j++)
            cost += !expr_is_zero(pool, work[k * n_columns + j]);
        if (cost < best_cost) {
            best = k;
            best_cost = cost;
        }
    }
    return best;
}

size_t eliminate_numeric(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns,
                         size_t n_pivots, const bool *preferred, size_t *ret_pivot)
{
    size_t count = 0;

    /* preferred columns first, later ones before earlier ones */
    for (size_t k = 0; k < n_rows; k++)
        ret_pivot[k] = SIZE_MAX;
    for (int pass = preferred ? 0 : 1; pass < 2; pass++)
        for (size_t j = n_pivots; j-- > 0;) {
            if (preferred && preferred[j] != (pass == 0))
                continue;
            size_t row = pivot_row(pool, work, n_rows, n_columns, j, ret_pivot);
            if (row == n_rows)
                continue;
            eliminate_column(pool, work, n_rows, n_columns, row, j);
            ret_pivot[row] = j;
            count++;
        }
    return count;
}

Expr small_determinant(ExprPool *pool, size_t n, const Expr *a, size_t stride)
{
    if (n == 0)
        return expr_const(pool, 1);
    if (n == 1)
        return a[0];
    if (n == 2)
        return expr_sub(pool, expr_mul(pool, a[0], a[stride + 1]), expr_mul(pool, a[1], a[stride]));
    Expr sum = expr_const(pool, 0);
    for (size_t j = 0; j < 3; j++) {
        const Expr *second = a + stride, *third = a + 2 * stride;
        const size_t k = (j + 1) % 3, l = (j + 2) % 3;
        Expr minor = expr_sub(pool, expr_mul(pool, second[k], third[l]),
                              expr_mul(pool, second[l], third[k]));
        sum = expr_add(pool, sum, expr_mul(pool, a[j], minor));
    }
    return sum;
}

/* Cofactor of entry (i, j), n <= 3. */
static Expr cofactor(ExprPool *pool, size_t n, const Expr *a, size_t i, size_t j)
{
    Expr minor[(COFACTORS_MAX - 1) * (COFACTORS_MAX - 1)];
    size_t count = 0;

    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++)
            if (k != i && l != j)
                minor[count++] = a[k * n + l];
    Expr value = small_determinant(pool, n - 1, minor, n - 1);
    return (i + j) % 2 ? expr_neg(pool, value) : value;
}

static void invert_by_cofactors(ExprPool *pool, size_t n, const Expr *a, Inverse *ret)
{
    Expr size = expr_const(pool, 1); /* product of the rows' squared lengths: Hadamard's bound */

    /* det^2 over Hadamard's bound is 1 for orthogonal rows and 0 for dependent ones */
    ret->singular = small_determinant(pool, n, a, n);
    for (size_t i = 0; i < n; i++) {
        size = expr_mul(pool, size, expr_dot(pool, n, a + i * n, a + i * n));
        for (size_t j = 0; j < n; j++)
            ret->inverse[j * n + i] = expr_div(pool, cofactor(pool, n, a, i, j), ret->singular);
    }
    Expr square = expr_mul(pool, ret->singular, ret->singular);
    ret->regularity = expr_div(pool, square, size);
}

/* The inverse column by column; work: 2 n. */
static void invert_pivoted(ExprPool *pool, size_t n, const Expr *a, Expr *work, Inverse *ret)
{
    Expr *unit = work, *x = work + n;
    Expr factor = expr_factor(pool, n, a);

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            unit[i] = expr_const(pool, i == j);
        expr_solve(pool, factor, n, unit, x);
        for (size_t i = 0; i < n; i++)
            ret->inverse[i * n + j] = x[i];
    }
    ret->singular = ret->regularity = expr_rcond(pool, factor);
}

/* [matrix | 1] after numeric pivots, and the rows and columns without one. */
typedef struct Remainder {
    size_t n, k;            /* k: rows (and columns) without a numeric pivot */
    Expr *work;             /* n x 2n */
    Expr *block;            /* k x k */
    Expr *inverted;         /* k x k */
    Expr *solved;           /* k x n: the rows of the inverse that belong to `columns` */
    Expr *units;            /* 2 k: for the run-time solution */
    size_t *pivot;          /* n */
    size_t *rows, *columns; /* k */
} Remainder;

static void remainder_fill(ExprPool *pool, const Expr *matrix, Remainder *b)
{
    const size_t n = b->n;
    size_t columns = 0;

    /* [matrix | 1], then numeric pivots */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            b->work[i * 2 * n + j] = matrix[i * n + j];
            b->work[i * 2 * n + n + j] = expr_const(pool, i == j);
        }
    eliminate_numeric(pool, b->work, n, 2 * n, n, NULL, b->pivot);
    for (size_t j = 0; j < n; j++) {
        bool taken = false;
        for (size_t i = 0; i < n; i++)
            taken = taken || b->pivot[i] == j;
        if (!taken)
            b->columns[columns++] = j;
    }
    for (size_t i = 0; i < n; i++)
        if (b->pivot[i] == SIZE_MAX)
            b->rows[b->k++] = i;
    for (size_t i = 0; i < b->k; i++)
        for (size_t j = 0; j < b->k; j++)
            b->block[i * b->k + j] = b->work[b->rows[i] * 2 * n + b->columns[j]];
}

/* The rows of the inverse: for unknowns without a pivot, from the inverted block,
 *     x_columns = block^-1 work_rows,
 * for the others, by substitution into the eliminated rows. */
static void remainder_inverse(ExprPool *pool, Remainder *b, Expr *ret)
{
    const size_t n = b->n, k = b->k;

    /* unknowns without a pivot come first, because the others contain them */
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < n; j++) {
            Expr sum = expr_const(pool, 0);
            for (size_t l = 0; l < k; l++)
                sum = expr_add(
                    pool, sum,
                    expr_mul(pool, b->inverted[i * k + l], b->work[b->rows[l] * 2 * n + n + j]));
            ret[b->columns[i] * n + j] = b->solved[i * n + j] = sum;
        }
    for (size_t i = 0; i < n; i++) {
        const Expr *row = b->work + i * 2 * n;
        for (size_t j = 0; b->pivot[i] != SIZE_MAX && j < n; j++) {
            Expr value = row[n + j];
            for (size_t l = 0; l < k; l++)
                value =
                    expr_sub(pool, value, expr_mul(pool, row[b->columns[l]], b->solved[l * n + j]));
            ret[b->pivot[i] * n + j] = value;
        }
    }
}

/* False if the block is too large for cofactors. */
static bool remainder_invert(ExprPool *pool, Remainder *b, bool pivoted, Inverse *ret)
{
    Inverse block = {.inverse = b->inverted, .singular = expr_const(pool, 1)};

    if (b->k > 1 && pivoted)
        invert_pivoted(pool, b->k, b->block, b->units, &block);
    else if (b->k > COFACTORS_MAX)
        return false;
    else if (b->k > 0)
        invert_by_cofactors(pool, b->k, b->block, &block);
    ret->singular = block.singular;
    ret->regularity = block.regularity;
    remainder_inverse(pool, b, ret->inverse);
    return true;
}

bool invert_matrix(ExprPool *pool, size_t n, const Expr *matrix, bool pivoted, Inverse *ret)
{
    Arena scratch = {0};
    Remainder b = {.n = n};

    b.work = ARENA_NEW(&scratch, 2 * n * n, Expr);
    b.block = ARENA_NEW(&scratch, n * n, Expr);
    b.inverted = ARENA_NEW(&scratch, n * n, Expr);
    b.solved = ARENA_NEW(&scratch, n * n, Expr);
    b.units = ARENA_NEW(&scratch, 2 * n, Expr);
    b.pivot = arena_sizes(&scratch, n);
    b.rows = arena_sizes(&scratch, n);
    b.columns = arena_sizes(&scratch, n);
    bool ok = !arena_failed(&scratch);
    if (!ok) {
        expr_pool_no_memory(pool);
    } else {
        /* numeric pivots first, then the rest */
        remainder_fill(pool, matrix, &b);
        ok = remainder_invert(pool, &b, pivoted, ret);
    }
    arena_done(&scratch);
    return ok;
}
