/* Dense linear systems in lanes, for whatever vector type Vec is (vec_*.h, included before).
 *
 * The rows of the matrix are scaled by powers of two, which is exact, so that the largest entry of
 * each is in [1, 2); then Gaussian elimination with partial pivoting, every lane with pivots of its
 * own. A lane does the same operations in every vector type: an exchange of rows is a selection, a
 * step without one is skipped. */
#ifndef CORE_PROGRAM_SOLVE_BODY_H
#define CORE_PROGRAM_SOLVE_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "core/program/instruction.h"

static inline double *row_at(Rows rows, uint32_t row)
{
    return VEC_LANES == 1 ? rows.first + row : rows.table[row];
}

/* Where a matrix is: entry (i, j) at block[(i * n + j) * lanes], then scales, pivots, rcond. */
typedef struct FactorBlock {
    double *block;
    size_t n, lanes;
} FactorBlock;

static inline double *factor_entry(const FactorBlock *f, size_t i, size_t j)
{
    return f->block + (i * f->n + j) * f->lanes;
}

static inline double *factor_scale(const FactorBlock *f, size_t i)
{
    return f->block + (f->n * f->n + i) * f->lanes;
}

static inline double *factor_pivot(const FactorBlock *f, size_t i)
{
    return f->block + (f->n * f->n + f->n + i) * f->lanes;
}

static inline double *factor_rcond(const FactorBlock *f)
{
    return f->block + (f->n * f->n + 2 * f->n) * f->lanes;
}

/* Copies the matrix with its rows scaled. */
static void factor_load(const FactorBlock *f, const uint32_t *list, Rows rows, size_t lane)
{
    const size_t n = f->n;
    for (size_t i = 0; i < n; i++) {
        Vec largest = vec_set(0.0);
        for (size_t j = 0; j < n; j++)
            largest = vec_max(largest, vec_abs(vec_load(row_at(rows, list[i * n + j]) + lane)));
        const Vec scale = vec_exact_scale(largest);
        vec_store(factor_scale(f, i), scale);
        for (size_t j = 0; j < n; j++)
            vec_store(factor_entry(f, i, j),
                      vec_load(row_at(rows, list[i * n + j]) + lane) * scale);
    }
}

/* Where mask holds, exchanges *a and *b. */
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

/* The factorisation in place; the diagonal keeps the reciprocals of the pivots. */
static void factor_eliminate(const FactorBlock *f)
{
    const size_t n = f->n;
    for (size_t k = 0; k < n; k++) {
        factor_choose_pivot(f, k);
        /* a zero pivot gives infinities, which rcond and the results tell of */
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

/* Divides x by the sum of its absolute values, which is returned. */
static Vec normalise(double *x, size_t n, size_t lanes)
{
    Vec sum = vec_set(0.0);
    for (size_t i = 0; i < n; i++)
        sum = sum + vec_abs(vec_load(x + i * lanes));
    for (size_t i = 0; i < n; i++)
        vec_store(x + i * lanes, vec_load(x + i * lanes) / sum);
    return sum;
}

/* U^T x = e with e[k] = +1 or -1 chosen one after the other so that x grows. */
static void solve_growing(const FactorBlock *f, double *x)
{
    const size_t n = f->n, lanes = f->lanes;
    for (size_t k = 0; k < n; k++)
        vec_store(x + k * lanes, vec_set(0.0));
    for (size_t k = 0; k < n; k++) {
        /* x_k for e_k = +1 and -1, and how large either makes what is still to come */
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

/* The estimate of LINPACK (Cline, Moler, Stewart, Wilkinson, SIAM J. Numer. Anal. 16 (1979) 368):
 * A^T y = e with e chosen to make y large, A z = y, and then |y| / (|A| |z|) in the 1-norm, for the
 * row-scaled A. Exactly 0 where a pivot is 0 or anything is not finite. */
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

/* OP_FACTOR for the vector of lanes that starts at `lane`. */
static void run_factor(const Instruction *code, const uint32_t *lists, Rows rows, size_t lane,
                       size_t lanes)
{
    const FactorBlock f = {row_at(rows, code->result) + lane, code->arg[1], lanes};
    factor_load(&f, lists + code->arg[0], rows, lane);
    const Vec norm = factor_norm(&f);
    factor_eliminate(&f);
    if (code->arg[2] != PROGRAM_NO_ROW)
        vec_store(factor_rcond(&f),
                  factor_estimate_rcond(&f, norm, row_at(rows, code->arg[2]) + lane));
}

/* OP_SOLVE likewise. */
static void run_solve(const Instruction *code, const uint32_t *lists, Rows rows, size_t lane,
                      size_t lanes)
{
    const size_t n = code->arg[1];
    const uint32_t *list = lists + code->arg[0];
    const FactorBlock f = {row_at(rows, code->arg[2]) + lane, n, lanes};
    double *x = row_at(rows, code->result) + lane;

    /* L U x = P S b: scale, exchange as the pivots were, then both substitutions */
    for (size_t i = 0; i < n; i++)
        vec_store(x + i * lanes,
                  vec_load(row_at(rows, list[i]) + lane) * vec_load(factor_scale(&f, i)));
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            const VecMask chosen =
                vec_mask_equal(vec_load(factor_pivot(&f, k)), vec_set((double)i));
            if (vec_mask_any(chosen))
                exchange(chosen, x + k * lanes, x + i * lanes);
        }
    solve_lower(&f, x);
    solve_upper(&f, x);
}

#endif
