/* Dense linear systems in lanes, for any vector type Vec (vec_*.h, included before).
 *
 * The rows of the matrix are scaled by powers of two, which is exact, so that the largest entry of
 * each is in [1, 2). Gaussian elimination with partial pivoting follows, with separate pivots in
 * every lane. A lane does the same operations in every vector type: an exchange of rows is a
 * selection, and a step without an exchange is skipped.
 *
 * A saddle-point matrix [K B; C 0] has no scale of its own. K goes with the unit of L, rows of C
 * and columns of B with those of constraints, every row and column with that of a coordinate. First
 * K, each row of C and each column of B are brought to [1, 2), which removes the units of L and of
 * constraints to the bit. Then rows and columns far from 1 are scaled together by the square roots
 * of their largest entries, which keeps a symmetric matrix symmetric (D. Ruiz, A scaling algorithm
 * to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034). */
#ifndef CORE_PROGRAM_SOLVE_BODY_H
#define CORE_PROGRAM_SOLVE_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "core/program/instruction.h"

/* A step halves exponents of at most 11 bits until they are near 1 */
enum { BALANCE_STEPS = 10 };

static inline double *row_at(Rows rows, uint32_t row)
{
    return VEC_LANES == 1 ? rows.first + row : rows.table[row];
}

/* Entry (i, j) is block[(i * n + j) * lanes]; then scales of rows and columns, pivots, rcond. */
typedef struct FactorBlock {
    double *block;
    size_t n, lanes;
} FactorBlock;

/* The given matrix, row by row. */
typedef struct FactorOperands {
    const uint32_t *list;
    Rows rows;
    size_t lane;
} FactorOperands;

static inline Vec factor_operand(const FactorOperands *from, size_t k)
{
    return vec_load(row_at(from->rows, from->list[k]) + from->lane);
}

static inline double *factor_entry(const FactorBlock *f, size_t i, size_t j)
{
    return f->block + (i * f->n + j) * f->lanes;
}

static inline double *factor_row_scale(const FactorBlock *f, size_t i)
{
    return f->block + (f->n * f->n + i) * f->lanes;
}

static inline double *factor_column_scale(const FactorBlock *f, size_t j)
{
    return f->block + (f->n * f->n + f->n + j) * f->lanes;
}

static inline double *factor_pivot(const FactorBlock *f, size_t i)
{
    return f->block + (f->n * f->n + 2 * f->n + i) * f->lanes;
}

static inline double *factor_rcond(const FactorBlock *f)
{
    return f->block + (f->n * f->n + 3 * f->n) * f->lanes;
}

/* Copies the matrix. */
static void factor_load(const FactorBlock *f, const FactorOperands *from)
{
    const size_t n = f->n;
    for (size_t i = 0; i < n; i++) {
        vec_store(factor_row_scale(f, i), vec_set(1.0));
        vec_store(factor_column_scale(f, i), vec_set(1.0));
        for (size_t j = 0; j < n; j++)
            vec_store(factor_entry(f, i, j), factor_operand(from, i * n + j));
    }
}

/* The larger of two sizes. A NaN is ignored here and shows in the solution. */
static inline Vec larger(Vec a, Vec b)
{
    return vec_select(vec_mask_less(a, b), b, a);
}

static Vec factor_largest_of_row(const FactorBlock *f, size_t i)
{
    Vec largest = vec_set(0.0);
    for (size_t j = 0; j < f->n; j++)
        largest = larger(largest, vec_abs(vec_load(factor_entry(f, i, j))));
    return largest;
}

static inline void multiply(double *a, Vec by)
{
    vec_store(a, vec_load(a) * by);
}

static inline bool changes(Vec by)
{
    return vec_mask_any(
        vec_mask_or(vec_mask_less(by, vec_set(1.0)), vec_mask_less(vec_set(1.0), by)));
}

static void factor_multiply_row(const FactorBlock *f, size_t i, Vec by)
{
    if (!changes(by))
        return;
    multiply(factor_row_scale(f, i), by);
    for (size_t j = 0; j < f->n; j++)
        multiply(factor_entry(f, i, j), by);
}

static void factor_multiply_column(const FactorBlock *f, size_t j, Vec by)
{
    if (!changes(by))
        return;
    multiply(factor_column_scale(f, j), by);
    for (size_t i = 0; i < f->n; i++)
        multiply(factor_entry(f, i, j), by);
}

/* The largest entry of each column in the first m rows, stored temporarily as the pivots. */
static void factor_largest_of_columns(const FactorBlock *f, size_t m)
{
    for (size_t j = 0; j < f->n; j++)
        vec_store(factor_pivot(f, j), vec_set(0.0));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < f->n; j++)
            vec_store(factor_pivot(f, j), larger(vec_load(factor_pivot(f, j)),
                                                 vec_abs(vec_load(factor_entry(f, i, j)))));
}

/* Scales rows so that their largest entries are in [1, 2). */
static void factor_scale_rows(const FactorBlock *f)
{
    for (size_t i = 0; i < f->n; i++)
        factor_multiply_row(f, i, vec_exact_scale(factor_largest_of_row(f, i)));
}

/* Scales [K B; C 0] so that the largest entries of K, of each of the r rows of C and columns of B
 * are in [1, 2). A row's scale includes that of K, and a column of B is divided by it. */
static void factor_scale_blocks(const FactorBlock *f, size_t r)
{
    const size_t n = f->n, m = n - r;
    Vec largest = vec_set(0.0);

    factor_largest_of_columns(f, m);
    /* the scale of K, and of each column of B */
    for (size_t j = 0; j < m; j++)
        largest = larger(largest, vec_load(factor_pivot(f, j)));
    const Vec unit =
        vec_select(vec_mask_less(vec_set(0.0), largest), vec_exact_scale(largest), vec_set(1.0));
    for (size_t j = 0; j < n; j++)
        vec_store(factor_pivot(f, j), j < m ? unit : vec_exact_scale(vec_load(factor_pivot(f, j))));
    for (size_t i = 0; i < m; i++) {
        vec_store(factor_row_scale(f, i), unit);
        for (size_t j = 0; j < n; j++)
            multiply(factor_entry(f, i, j), vec_load(factor_pivot(f, j)));
    }
    for (size_t k = m; k < n; k++) {
        vec_store(factor_column_scale(f, k), vec_load(factor_pivot(f, k)) / unit);
        factor_multiply_row(f, k, vec_exact_scale(factor_largest_of_row(f, k)));
    }
}

/* The factor for this largest entry: 1 if it is near 1 or 0, else about its inverse root. */
static inline Vec balance(Vec largest)
{
    const double near = 16.0;
    const VecMask large = vec_mask_less(vec_set(near), largest);
    const VecMask small = vec_mask_less(largest, vec_set(1 / near));
    const Vec by =
        vec_select(vec_mask_or(large, small), vec_exact_scale(vec_sqrt(largest)), vec_set(1.0));
    return vec_select(vec_mask_less(vec_set(0.0), largest), by, vec_set(1.0));
}

/* One step of Ruiz's method. */
static bool factor_balance(const FactorBlock *f)
{
    bool changed = false;
    factor_largest_of_columns(f, f->n);
    for (size_t i = 0; i < f->n; i++) {
        const Vec by = balance(factor_largest_of_row(f, i));
        factor_multiply_row(f, i, by);
        changed = changed || changes(by);
    }
    for (size_t j = 0; j < f->n; j++) {
        const Vec by = balance(vec_load(factor_pivot(f, j)));
        factor_multiply_column(f, j, by);
        changed = changed || changes(by);
    }
    return changed;
}

/* Exchanges *a and *b in lanes of the mask. */
static inline void exchange(VecMask mask, double *a, double *b)
{
    const Vec x = vec_load(a), y = vec_load(b);
    vec_store(a, vec_select(mask, y, x));
    vec_store(b, vec_select(mask, x, y));
}

static void factor_choose_pivot(const FactorBlock *f, size_t k)
{
    Vec best = vec_abs(vec_load(factor_entry(f, k, k)));
    Vec pivot = vec_set((double)k);
    for (size_t i = k + 1; i < f->n; i++) {
        const Vec size = vec_abs(vec_load(factor_entry(f, i, k)));
        const VecMask better = vec_mask_less(best, size);
        best = vec_select(better, size, best);
        pivot = vec_select(better, vec_set((double)i), pivot);
    }
    vec_store(factor_pivot(f, k), pivot);
    for (size_t i = k + 1; i < f->n; i++) {
        const VecMask chosen = vec_mask_equal(pivot, vec_set((double)i));
        if (!vec_mask_any(chosen))
            continue;
        for (size_t j = 0; j < f->n; j++)
            exchange(chosen, factor_entry(f, k, j), factor_entry(f, i, j));
    }
}

/* The factorization in place; the diagonal keeps the reciprocals of the pivots. */
static void factor_eliminate(const FactorBlock *f)
{
    const size_t n = f->n;
    for (size_t k = 0; k < n; k++) {
        factor_choose_pivot(f, k);
        /* a zero pivot gives infinities, which show in rcond and the results */
        const Vec reciprocal = 1.0 / vec_load(factor_entry(f, k, k));
        vec_store(factor_entry(f, k, k), reciprocal);
        for (size_t i = k + 1; i < n; i++) {
            const Vec factor = vec_load(factor_entry(f, i, k)) * reciprocal;
            vec_store(factor_entry(f, i, k), factor);
            for (size_t j = k + 1; j < n; j++)
                vec_store(factor_entry(f, i, j), vec_load(factor_entry(f, i, j)) -
                                                     factor * vec_load(factor_entry(f, k, j)));
        }
    }
}

/* The largest column sum of absolute values. */
static Vec factor_norm(const FactorBlock *f)
{
    Vec norm = vec_set(0.0);
    for (size_t j = 0; j < f->n; j++) {
        Vec sum = vec_set(0.0);
        for (size_t i = 0; i < f->n; i++)
            sum = sum + vec_abs(vec_load(factor_entry(f, i, j)));
        norm = vec_max(norm, sum);
    }
    return norm;
}

/* Divides x by the sum of its absolute values, which it returns. */
static Vec normalise(double *x, size_t n, size_t lanes)
{
    Vec sum = vec_set(0.0);
    for (size_t i = 0; i < n; i++)
        sum = sum + vec_abs(vec_load(x + i * lanes));
    for (size_t i = 0; i < n; i++)
        vec_store(x + i * lanes, vec_load(x + i * lanes) / sum);
    return sum;
}

/* Solves U^T x = e. Each e[k] = +1 or -1 is chosen in turn so that x grows. */
static void solve_growing(const FactorBlock *f, double *x)
{
    const size_t n = f->n, lanes = f->lanes;
    for (size_t k = 0; k < n; k++)
        vec_store(x + k * lanes, vec_set(0.0));
    for (size_t k = 0; k < n; k++) {
        /* x_k for e_k = +1 and -1, and the sizes of the remaining components after each choice */
        const Vec reciprocal = vec_load(factor_entry(f, k, k)), known = vec_load(x + k * lanes);
        const Vec plus = (1.0 - known) * reciprocal, minus = (-1.0 - known) * reciprocal;
        Vec plus_size = vec_abs(plus), minus_size = vec_abs(minus);
        for (size_t j = k + 1; j < n; j++) {
            const Vec u = vec_load(factor_entry(f, k, j)), xj = vec_load(x + j * lanes);
            plus_size = plus_size + vec_abs(xj + plus * u);
            minus_size = minus_size + vec_abs(xj + minus * u);
        }
        const Vec xk = vec_select(vec_mask_less(plus_size, minus_size), minus, plus);
        vec_store(x + k * lanes, xk);
        for (size_t j = k + 1; j < n; j++)
            vec_store(x + j * lanes,
                      vec_load(x + j * lanes) + xk * vec_load(factor_entry(f, k, j)));
    }
}

static void exchange_as_pivots(const FactorBlock *f, double *x)
{
    for (size_t k = 0; k < f->n; k++)
        for (size_t i = k + 1; i < f->n; i++) {
            const VecMask chosen = vec_mask_equal(vec_load(factor_pivot(f, k)), vec_set((double)i));
            if (vec_mask_any(chosen))
                exchange(chosen, x + k * f->lanes, x + i * f->lanes);
        }
}

static void solve_lower(const FactorBlock *f, double *x)
{
    for (size_t k = 0; k < f->n; k++)
        for (size_t i = k + 1; i < f->n; i++)
            vec_store(x + i * f->lanes,
                      vec_load(x + i * f->lanes) -
                          vec_load(factor_entry(f, i, k)) * vec_load(x + k * f->lanes));
}

static void solve_lower_transposed(const FactorBlock *f, double *x)
{
    for (size_t k = f->n; k-- > 0;)
        for (size_t i = k + 1; i < f->n; i++)
            vec_store(x + k * f->lanes,
                      vec_load(x + k * f->lanes) -
                          vec_load(factor_entry(f, i, k)) * vec_load(x + i * f->lanes));
}

static void solve_upper(const FactorBlock *f, double *x)
{
    for (size_t k = f->n; k-- > 0;) {
        const Vec xk = vec_load(x + k * f->lanes) * vec_load(factor_entry(f, k, k));
        vec_store(x + k * f->lanes, xk);
        for (size_t i = 0; i < k; i++)
            vec_store(x + i * f->lanes,
                      vec_load(x + i * f->lanes) - xk * vec_load(factor_entry(f, i, k)));
    }
}

/* LINPACK's estimate (Cline, Moler, Stewart, Wilkinson, SIAM J. Numer. Anal. 16 (1979) 368): A^T y
 * = e with e chosen to make y large, A z = y, and then |y| / (|A| |z|) in the 1-norm, for the
 * scaled A. Exactly 0 if a pivot is 0 or a value is not finite. */
static Vec factor_estimate_rcond(const FactorBlock *f, Vec norm, double *x)
{
    solve_growing(f, x);
    solve_lower_transposed(f, x);
    (void)normalise(x, f->n, f->lanes);
    solve_lower(f, x);
    solve_upper(f, x);
    Vec size = vec_set(0.0);
    for (size_t i = 0; i < f->n; i++)
        size = size + vec_abs(vec_load(x + i * f->lanes));
    const Vec rcond = 1.0 / norm / size;
    const Vec positive = vec_select(vec_mask_less(vec_set(0.0), rcond), rcond, vec_set(0.0));
    return vec_select(vec_mask_less(vec_set(1.0), positive), vec_set(1.0), positive);
}

/* |A| v for the scaled A. */
static void multiply_absolute(const FactorBlock *f, const FactorOperands *from, const double *v,
                              double *ret)
{
    const size_t n = f->n, lanes = f->lanes;
    for (size_t i = 0; i < n; i++) {
        Vec sum = vec_set(0.0);
        for (size_t j = 0; j < n; j++)
            sum = sum + vec_abs(factor_operand(from, i * n + j)) *
                            vec_load(factor_row_scale(f, i)) * vec_load(factor_column_scale(f, j)) *
                            vec_load(v + j * lanes);
        vec_store(ret + i * lanes, sum);
    }
}

/* The columns of the scaled A's inverse. */
static void factor_invert(const FactorBlock *f, double *ret)
{
    const size_t n = f->n, lanes = f->lanes;
    for (size_t j = 0; j < n; j++) {
        double *x = ret + j * n * lanes;
        for (size_t i = 0; i < n; i++)
            vec_store(x + i * lanes, vec_set(i == j));
        exchange_as_pivots(f, x);
        solve_lower(f, x);
        solve_upper(f, x);
    }
}

/* v becomes |A^-1| u, divided by its sum. Returns the largest growth of a component. */
static Vec multiply_inverse(const FactorBlock *f, const double *inverse, const double *u, double *v)
{
    const size_t n = f->n, lanes = f->lanes;
    Vec growth = vec_set(0.0);
    for (size_t i = 0; i < n; i++) {
        Vec sum = vec_set(0.0);
        for (size_t j = 0; j < n; j++)
            sum = sum + vec_abs(vec_load(inverse + (j * n + i) * lanes)) * vec_load(u + j * lanes);
        growth = vec_max(growth, sum / vec_load(v + i * lanes));
        vec_store(v + i * lanes, sum);
    }
    (void)normalise(v, n, lanes);
    return growth;
}

/* The largest reciprocal condition number over all scalings of rows and columns, in the norm of row
 * sums: 1 / rho(|A^-1| |A|) (F. L. Bauer, Optimally scaled matrices, Numer. Math. 5 (1963) 73). rho
 * comes from the power method, from above (Collatz, Wielandt). scratch: n * n + 2 n. */
static Vec factor_best_rcond(const FactorBlock *f, const FactorOperands *from, double *scratch)
{
    enum { POWERS = 12 };
    const size_t n = f->n, lanes = f->lanes;
    double *inverse = scratch, *v = inverse + n * n * lanes, *u = v + n * lanes;
    Vec growth = vec_set(1.0);

    factor_invert(f, inverse);
    for (size_t i = 0; i < n; i++)
        vec_store(v + i * lanes, vec_set(1.0));
    for (int power = 0; power < POWERS; power++) {
        multiply_absolute(f, from, v, u);
        growth = multiply_inverse(f, inverse, u, v);
    }
    const Vec rcond = 1.0 / growth;
    return vec_select(vec_mask_less(vec_set(0.0), rcond), rcond, vec_set(0.0));
}

/* An rcond below 2^-20 may come from the scaling: then the best scaling decides. */
static Vec factor_saddle_rcond(const FactorBlock *f, const FactorOperands *from, Vec rcond,
                               double *scratch)
{
    const double much = 0x1p-20;
    if (!vec_mask_any(vec_mask_less(rcond, vec_set(much))))
        return rcond;
    const Vec best = vec_max(rcond, factor_best_rcond(f, from, scratch));
    return vec_select(vec_mask_less(rcond, vec_set(much)), best, rcond);
}

static void factor_equilibrate(const FactorBlock *f, uint32_t saddle)
{
    if (saddle > 0) {
        factor_scale_blocks(f, saddle - 1);
        for (int step = 0; step < BALANCE_STEPS && factor_balance(f); step++)
            ;
    }
    factor_scale_rows(f);
}

/* OP_FACTOR for the vector of lanes that starts at `lane`. */
static void run_factor(const Instruction *code, const uint32_t *lists, Rows rows, size_t lane,
                       size_t lanes)
{
    const FactorBlock f = {row_at(rows, code->result) + lane, code->arg[1], lanes};
    const FactorOperands from = {lists + code->arg[0], rows, lane};
    const uint32_t saddle = code->arg[3];

    factor_load(&f, &from);
    factor_equilibrate(&f, saddle);
    const Vec norm = factor_norm(&f);
    factor_eliminate(&f);
    if (code->arg[2] == PROGRAM_NO_ROW)
        return;
    double *scratch = row_at(rows, code->arg[2]) + lane;
    Vec rcond = factor_estimate_rcond(&f, norm, scratch);
    if (saddle > 0)
        rcond = factor_saddle_rcond(&f, &from, rcond, scratch);
    vec_store(factor_rcond(&f), rcond);
}

/* OP_SOLVE for the vector of lanes that starts at `lane`. */
static void run_solve(const Instruction *code, const uint32_t *lists, Rows rows, size_t lane,
                      size_t lanes)
{
    const size_t n = code->arg[1];
    const uint32_t *list = lists + code->arg[0];
    const FactorBlock f = {row_at(rows, code->arg[2]) + lane, n, lanes};
    double *x = row_at(rows, code->result) + lane;

    /* L U y = P S b: scale, exchange by pivots, substitute twice; x = T y */
    for (size_t i = 0; i < n; i++)
        vec_store(x + i * lanes,
                  vec_load(row_at(rows, list[i]) + lane) * vec_load(factor_row_scale(&f, i)));
    exchange_as_pivots(&f, x);
    solve_lower(&f, x);
    solve_upper(&f, x);
    for (size_t j = 0; j < n; j++)
        multiply(x + j * lanes, vec_load(factor_column_scale(&f, j)));
}

#endif
