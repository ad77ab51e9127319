/* What is computed of initial states in lanes, for the instruction set that the including file is compiled for: it defines
 * INITIAL_KERNEL, the name of the table. Values are computed in the order of initial.c, kkt.c and lu.c. */
#ifndef CORE_MODEL_INITIAL_LANES_BODY_H
#define CORE_MODEL_INITIAL_LANES_BODY_H

#include "core/model/initial_lanes.h"
#include "core/model/rank.h"
#include "core/model/regularity.h"
#include "core/model/residuals.h"
#include "core/model/watch_limits.h"
#include "core/numeric/definite.h"
#include "core/program/blocks.h"

enum { LANES = INITIAL_LANES };

/* Whether M[n x n] is positive definite by far, and no pivot is less than so much of the diagonal
 * element; see definite_clearly() and definite_with_pivots(). */
static inline __attribute__((always_inline)) BlockMask look_definite(size_t n, const double *M,
                                                                     double least)
{
    Block left[DEFINITE_MOST][DEFINITE_MOST], product = (Block){0} + 1;
    BlockMask clear = ~(BlockMask){0};

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) {
            Block rest = *block_at(M, (i * n + j) * LANES);
            for (size_t k = 0; k < i; k++)
                rest -= left[i][k] * left[k][j];
            left[i][j] = rest;
            if (i < j)
                left[j][i] = rest / left[i][i];
        }
        const Block diagonal = *block_at(M, (j * n + j) * LANES);
        const Block pivot = left[j][j] / diagonal;
        product *= pivot;
        clear &= (diagonal > 0) & (product > DEFINITE_CLEAR) & (pivot >= least);
    }
    return clear;
}

static void look_finite(const InitialLanes *s, int64_t *masks)
{
    for (size_t b = 0; b < LANES; b += BLOCK) {
        Block zero = {0};
        for (size_t k = 0; k < s->n_out; k++)
            zero += 0 * *block_at(s->point.out, k * LANES + b);
        *block_mask_of(masks, b) &= zero == 0;
    }
}

static inline __attribute__((always_inline)) BlockMask look_mass(const InitialLanes *s, size_t b)
{
    const size_t n = s->model->n;
    const double *M = s->at.M + b, *rounding = s->at.M_rounding + b;
    BlockMask clear = look_definite(n, M, 0);

    for (size_t i = 0; i < n; i++)
        clear &=
            *block_at(M, (i * n + i) * LANES) > MASS_NEGLIGIBLE * *block_at(rounding, i * LANES);
    return clear;
}

/* See is_clearly_full() of rank.c. */
static inline __attribute__((always_inline)) BlockMask look_rows(const InitialLanes *s, size_t b)
{
    const size_t n = s->model->n, r = s->model->r;
    double *rows = s->rows + b, *product = s->product + b;

    for (size_t k = 0; k < r * n; k++) {
        const Block entry = *block_at(s->at.A, k * LANES + b);
        const Block rounding = *block_at(s->at.A_rounding, k * LANES + b);
        *block_of(rows, k * LANES) = BLOCK_SELECT(
            BLOCK_ABSOLUTE(entry) > RANK_ROUNDINGS * DBL_EPSILON * rounding, entry, (Block){0});
    }
    for (size_t k = 0; k < r; k++)
        for (size_t l = 0; l <= k; l++) {
            Block sum = {0};
            for (size_t i = 0; i < n; i++)
                sum += *block_at(rows, (k * n + i) * LANES) * *block_at(rows, (l * n + i) * LANES);
            *block_of(product, (k * r + l) * LANES) = *block_of(product, (l * r + k) * LANES) = sum;
        }
    return look_definite(r, product, 0);
}

/* See mass_divides(). */
static inline __attribute__((always_inline)) BlockMask look_divides(const InitialLanes *s, size_t b)
{
    const size_t n = s->model->n, r = s->model->r;
    const double *A = s->at.A + b, *M = s->at.M + b;
    double *product = s->product + b;

    for (size_t k = 0; k < r; k++)
        for (size_t l = 0; l <= k; l++) {
            Block sum = {0};
            for (size_t i = 0; i < n; i++)
                sum += *block_at(A, (k * n + i) * LANES) * *block_at(A, (l * n + i) * LANES) /
                       *block_at(M, (i * n + i) * LANES);
            *block_of(product, (k * r + l) * LANES) = *block_of(product, (l * r + k) * LANES) = sum;
        }
    return look_definite(r, product, RECOVERED);
}

static void look_regular(InitialLanes *s, int64_t *masks)
{
    for (size_t b = 0; b < LANES; b += BLOCK)
        *block_mask_of(masks, b) &= look_mass(s, b) & look_rows(s, b) & look_divides(s, b);
}

/* The larger one of a residual and `worst`, NaN where one is not finite; see residual_relative(). */
static inline __attribute__((always_inline)) Block
larger_residual(Block worst, const double *value, const double *scale, const double *rounding)
{
    const Block size = BLOCK_ABSOLUTE(*block_at(value, 0)), error = *block_at(rounding, 0);
    const BlockMask rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * error;
    const Block ratio = BLOCK_SELECT(size == 0, (Block){0},
                                     size / BLOCK_SELECT(rounded, error, *block_at(scale, 0)));

    return BLOCK_LARGER(ratio, worst) + 0 * ratio;
}

static void measure(InitialLanes *s)
{
    const ModelPoint *at = &s->at;

    for (size_t b = 0; b < LANES; b += BLOCK) {
        Block velocities = {0}, positions = {0};
        for (size_t a = 0; a < s->model->r; a++) {
            const size_t k = a * LANES + b;
            velocities =
                larger_residual(velocities, at->phi + k, at->phi_scale + k, at->phi_rounding + k);
            if (s->model->constraints[a].kind == CONSTRAINT_HOLONOMIC)
                positions =
                    larger_residual(positions, at->f + k, at->f_scale + k, at->f_rounding + k);
        }
        *block_of(s->worst, b) = velocities;
        *block_of(s->positions, b) = positions;
    }
}

enum { MANTISSA_BITS = 52, EXPONENT_OF_1 = 1023 };

/* The power of two that brings the positive number into [1, 2) where one = 0, into [1/2, 1) where it is 1; where that would not be
 * normal the mask becomes 0. */
static inline __attribute__((always_inline)) Block power_of(Block largest, int64_t one,
                                                            BlockMask *clear)
{
    const BlockMask exponent = (BlockMask)largest >> MANTISSA_BITS;

    *clear &= (exponent > 1) & (exponent < 2 * EXPONENT_OF_1 - 2);
    return (Block)((2 * (int64_t)EXPONENT_OF_1 - one - exponent) << MANTISSA_BITS);
}

static inline __attribute__((always_inline)) Block largest_of(const double *values, size_t n)
{
    Block largest = {0};

    for (size_t k = 0; k < n; k++) {
        const Block size = BLOCK_ABSOLUTE(*block_at(values, k * LANES));
        largest = BLOCK_LARGER(size, largest);
    }
    return largest;
}

/* The system of kkt.c, and its right-hand side for velocities that are to change as little as they can. */
static inline __attribute__((always_inline)) BlockMask assemble(const InitialLanes *s, size_t b)
{
    const size_t n = s->model->n, r = s->model->r, size = n + r;
    const double *M = s->at.M + b, *A = s->at.A + b;
    double *system = s->system + b, *x = s->x + b, *units = s->unit + b;
    BlockMask clear = ~(BlockMask){0};
    const Block unit = power_of(largest_of(M, n * n), 1, &clear);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            *block_of(system, (i * size + j) * LANES) = *block_at(M, (i * n + j) * LANES) * unit;
        *block_of(x, i * LANES) = 0 * unit;
    }
    for (size_t a = 0; a < r; a++) {
        const Block of_row = power_of(largest_of(A + a * n * LANES, n), 1, &clear);
        for (size_t i = 0; i < n; i++)
            *block_of(system, ((n + a) * size + i) * LANES) =
                *block_of(system, (i * size + n + a) * LANES) =
                    *block_at(A, (a * n + i) * LANES) * of_row;
        for (size_t c = 0; c < r; c++)
            *block_of(system, ((n + a) * size + n + c) * LANES) = (Block){0};
        *block_of(x, (n + a) * LANES) = -*block_at(s->at.phi, a * LANES + b) * of_row;
        *block_of(units, a * LANES) = of_row / unit;
    }
    return clear;
}

static inline __attribute__((always_inline)) BlockMask scale_rows(const InitialLanes *s, size_t b)
{
    const size_t size = s->model->n + s->model->r;
    BlockMask clear = ~(BlockMask){0};

    for (size_t i = 0; i < size; i++) {
        double *row = s->system + i * size * LANES + b, *x = s->x + i * LANES + b;
        const Block scale = power_of(largest_of(row, size), 0, &clear);
        for (size_t j = 0; j < size; j++)
            *block_of(row, j * LANES) *= scale;
        *block_of(x, 0) *= scale;
    }
    return clear;
}

static inline __attribute__((always_inline)) void swap(double *a, double *other,
                                                       const BlockMask *where)
{
    const Block of_a = *block_at(a, 0), of_other = *block_at(other, 0);

    *block_of(a, 0) = BLOCK_SELECT(*where, of_other, of_a);
    *block_of(other, 0) = BLOCK_SELECT(*where, of_a, of_other);
}

/* The row with the largest pivot, the first of them, comes to row k. */
static inline __attribute__((always_inline)) void choose_pivot(const InitialLanes *s, size_t k,
                                                               size_t b)
{
    const size_t size = s->model->n + s->model->r;
    double *system = s->system + b, *x = s->x + b;
    BlockMask pivot = (BlockMask){0} + (int64_t)k;
    Block largest = BLOCK_ABSOLUTE(*block_at(system, (k * size + k) * LANES));

    for (size_t i = k + 1; i < size; i++) {
        const Block entry = BLOCK_ABSOLUTE(*block_at(system, (i * size + k) * LANES));
        const BlockMask is_larger = entry > largest;
        largest = BLOCK_SELECT(is_larger, entry, largest);
        pivot = (is_larger & (int64_t)i) | (~is_larger & pivot);
    }
    for (size_t i = k + 1; i < size; i++) {
        const BlockMask here = pivot == (int64_t)i;
        if (!block_any(&here))
            continue;
        for (size_t j = 0; j < size; j++)
            swap(system + (k * size + j) * LANES, system + (i * size + j) * LANES, &here);
        swap(x + k * LANES, x + i * LANES, &here);
    }
}

/* lu_factor() and lu_solve(), the right-hand side with the matrix. */
static inline __attribute__((always_inline)) BlockMask solve(const InitialLanes *s, size_t b)
{
    const size_t size = s->model->n + s->model->r;
    double *system = s->system + b, *x = s->x + b;
    BlockMask clear = scale_rows(s, b);

    for (size_t k = 0; k < size; k++) {
        choose_pivot(s, k, b);
        const Block pivot = *block_at(system, (k * size + k) * LANES);
        clear &= (pivot != 0) & BLOCK_FINITE(pivot);
        for (size_t i = k + 1; i < size; i++) {
            double *row = system + i * size * LANES;
            const Block factor = *block_at(row, k * LANES) / pivot;
            const BlockMask takes = factor != 0;
            for (size_t j = k + 1; j < size; j++) {
                const Block rest =
                    *block_at(row, j * LANES) - factor * *block_at(system, (k * size + j) * LANES);
                block_put(row, j * LANES, &takes, &rest);
            }
            *block_of(x, i * LANES) -= factor * *block_at(x, k * LANES);
        }
    }
    for (size_t i = size; i-- > 0;) {
        Block of_i = *block_at(x, i * LANES);
        for (size_t j = i + 1; j < size; j++)
            of_i -= *block_at(system, (i * size + j) * LANES) * *block_at(x, j * LANES);
        *block_of(x, i * LANES) = of_i / *block_at(system, (i * size + i) * LANES);
    }
    return clear;
}

static void step(InitialLanes *s, int64_t *masks)
{
    const size_t n = s->model->n, r = s->model->r;

    for (size_t b = 0; b < LANES; b += BLOCK) {
        BlockMask clear = *block_mask_at(masks, b);
        clear &= assemble(s, b);
        clear &= solve(s, b);
        for (size_t i = 0; i < n; i++)
            clear &= BLOCK_FINITE(*block_at(s->x, i * LANES + b));
        for (size_t a = 0; a < r; a++) /* the multipliers, in units of their own */
            clear &= BLOCK_FINITE(*block_at(s->x, (n + a) * LANES + b) *
                                  *block_at(s->unit, a * LANES + b));
        for (size_t i = 0; i < n; i++) {
            const Block moved = *block_at(s->v, i * LANES + b) + *block_at(s->x, i * LANES + b);
            block_put(s->v, i * LANES + b, &clear, &moved);
        }
        *block_mask_of(masks, b) = clear;
    }
}

static inline __attribute__((always_inline)) void add_term(Block *sum, Block *terms, Block term)
{
    *sum += term;
    *terms += BLOCK_ABSOLUTE(term);
}

static void balance(const InitialLanes *s, const double *vdot, const double *lambda, double most,
                    int64_t *masks)
{
    const size_t n = s->model->n, r = s->model->r;
    const ModelPoint *at = &s->at;

    for (size_t b = 0; b < LANES; b += BLOCK)
        for (size_t i = 0; i < n; i++) {
            Block sum = {0}, terms = {0};
            add_term(&sum, &terms, *block_at(at->l, i * LANES + b));
            add_term(&sum, &terms, -*block_at(at->F, i * LANES + b));
            for (size_t j = 0; j < n; j++)
                add_term(&sum, &terms,
                         *block_at(at->M, (i * n + j) * LANES + b) *
                             *block_at(vdot, j * LANES + b));
            for (size_t a = 0; a < r; a++)
                add_term(&sum, &terms,
                         -(*block_at(at->A, (a * n + i) * LANES + b) *
                           *block_at(lambda, a * LANES + b)));
            *block_mask_of(masks, b) &= (sum == 0) | (BLOCK_ABSOLUTE(sum) / terms <= most);
        }
}

const InitialKernel INITIAL_KERNEL = {look_finite, look_regular, measure, step, balance};

#endif
