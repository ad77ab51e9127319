/* Sums of stages, for the instruction set that the including file is compiled for: it defines
 * COMBINE, the name of the table. */
#ifndef CORE_INTEGRATE_COMBINE_BODY_H
#define CORE_INTEGRATE_COMBINE_BODY_H

#include <float.h>
#include <stdint.h>

#include "core/integrate/combine.h"
#include "core/program/blocks.h"

/* The number of terms is known to the compiler. Two blocks at a time share what each term takes to find. */
static inline __attribute__((always_inline)) void sum_terms(const size_t n, const StageSum *sum,
                                                            size_t count, double *out)
{
    size_t i = 0;
    for (; i + BLOCK < count; i += 2 * (size_t)BLOCK) {
        Block s = sum->w[0] * *block_at(sum->k[0], i);
        Block beside = sum->w[0] * *block_at(sum->k[0], i + BLOCK);
#pragma GCC unroll 12
        for (size_t j = 1; j < n; j++) {
            s += sum->w[j] * *block_at(sum->k[j], i);
            beside += sum->w[j] * *block_at(sum->k[j], i + BLOCK);
        }
        *block_of(out, i) = s;
        *block_of(out, i + BLOCK) = beside;
    }
    if (i < count) {
        Block s = sum->w[0] * *block_at(sum->k[0], i);
#pragma GCC unroll 12
        for (size_t j = 1; j < n; j++)
            s += sum->w[j] * *block_at(sum->k[j], i);
        *block_of(out, i) = s;
    }
}

static void combine_sum(const StageSum *sum, size_t count, double *out)
{
    switch (sum->n) {
#define SUM_CASE(n)                    \
    case n:                            \
        sum_terms(n, sum, count, out); \
        break;
        SUM_CASE(1)
        SUM_CASE(2)
        SUM_CASE(3)
        SUM_CASE(4)
        SUM_CASE(5)
        SUM_CASE(6)
        SUM_CASE(7)
        SUM_CASE(8)
        SUM_CASE(9)
        SUM_CASE(10)
        SUM_CASE(11)
        SUM_CASE(12)
#undef SUM_CASE
    default:
        break; /* no sum is longer */
    }
}

/* One lane by blocks of rows. Of the last block `n` numbers are there. */
static inline __attribute__((always_inline)) Block gathered(const double *from)
{
    Block block;
#pragma GCC unroll 8
    for (size_t j = 0; j < BLOCK; j++)
        block[j] = from[j];
    return block;
}

static inline __attribute__((always_inline)) void put_first(double *to, const Block *block,
                                                            size_t n)
{
    if (n >= BLOCK) {
        *block_of(to, 0) = *block;
        return;
    }
#pragma GCC unroll 8
    for (size_t j = 0; j + 1 < BLOCK; j++)
        if (j < n)
            to[j] = (*block)[j];
}

/* sum + squares[0] + squares[1] + ... */
static inline __attribute__((always_inline)) double add_first(double sum, const Block *squares,
                                                              size_t n)
{
#pragma GCC unroll 8
    for (size_t j = 0; j < BLOCK; j++)
        if (j < n)
            sum += (*squares)[j];
    return sum;
}

static void less_one(double *k, const double *rates, const double *start, size_t rows)
{
    for (size_t i = 0; i < rows; i += BLOCK)
        *block_of(k, i) = gathered(rates + i) - *block_at(start, i);
}

/* What is left behind whole blocks goes number by number: that is sooner there than what is put together and taken apart. */
static void newest_one(const NewestStage *n, const double *rates, size_t dim, size_t rows,
                       double *restrict argument)
{
    const double *const y = n->y, *const start = n->start, *const older = n->older;
    const double w = n->w, h = n->h[0];
    double *const stage = n->k; /* where the rates may be */
    size_t i = 0;

    *argument++ = n->t[0] + n->node * h;
    for (; i + BLOCK <= dim; i += BLOCK) {
        const Block k = gathered(rates + i) - *block_at(start, i);
        *block_of(stage, i) = k;
        *block_of(argument, i) = *block_at(y, i) + h * (*block_at(older, i) + w * k);
    }
    for (; i < dim; i++) {
        const double k = rates[i] - start[i];
        stage[i] = k;
        argument[i] = y[i] + h * (older[i] + w * k);
    }
    for (; i < rows; i++)
        stage[i] = rates[i] - start[i];
}

/* Lanes are apart, so that one lane does not save the registers that they use. */
static __attribute__((noinline)) void newest_any(const NewestStage *n, const double *rates,
                                                 size_t dim, size_t lanes, double *argument)
{
    double *const k = n->k;
    for (size_t l = 0; l < lanes; l++)
        *argument++ = n->t[l] + n->node * n->h[l];
    for (size_t r = 0, i = 0; r < dim; r++) {
        for (size_t l = 0; l < lanes; l++, i++) {
            k[i] = rates[i] - n->start[i];
            argument[i] = n->y[i] + n->h[l] * (n->older[i] + n->w * k[i]);
        }
    }
}

static __attribute__((noinline)) void newest_blocks(const NewestStage *n, const double *rates,
                                                    size_t dim, size_t lanes, double *argument)
{
    /* what is stored could be what n points to, as far as the compiler knows */
    const double *const y = n->y, *const start = n->start, *const older = n->older, w = n->w;
    double *const stage = n->k, *const state = argument + lanes;
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(n->h, block);
        *block_of(argument, block) = *block_at(n->t, block) + n->node * h;
        for (size_t i = block; i < dim * lanes; i += lanes) {
            const Block k = *block_at(rates, i) - *block_at(start, i);
            *block_of(stage, i) = k;
            *block_of(state, i) = *block_at(y, i) + h * (*block_at(older, i) + w * k);
        }
    }
}

static void combine_first(const FirstStage *n, size_t dim, size_t lanes, double *argument)
{
    const double *const y = n->y, *const k = n->k, w = n->w;
    double *const state = argument + lanes;
    if (lanes == 1) {
        const double h = n->h[0];
        *argument = n->t[0] + n->node * h;
        for (size_t i = 0; i < dim; i += BLOCK) {
            const Block next = *block_at(y, i) + h * (w * *block_at(k, i));
            put_first(state + i, &next, dim - i);
        }
        return;
    }
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(n->h, block);
        *block_of(argument, block) = *block_at(n->t, block) + n->node * h;
        for (size_t i = block; i < dim * lanes; i += lanes)
            *block_of(state, i) = *block_at(y, i) + h * (w * *block_at(k, i));
    }
}

static void combine_less(double *k, const double *rates, const double *start, size_t rows,
                         size_t lanes)
{
    const size_t count = rows * lanes;
    if (lanes == 1) {
        less_one(k, rates, start, rows);
        return;
    }
    for (size_t i = 0; i < count; i += BLOCK)
        *block_of(k, i) = *block_at(rates, i) - *block_at(start, i);
}

static void combine_newest(const NewestStage *newest, const double *rates, size_t dim, size_t rows,
                           size_t lanes, double *argument)
{
    const size_t motion = dim * lanes;
    if (lanes == 1) {
        newest_one(newest, rates, dim, rows, argument);
        return;
    }
    if (lanes % COMBINE_BLOCK == 0)
        newest_blocks(newest, rates, dim, lanes, argument);
    else
        newest_any(newest, rates, dim, lanes, argument);
    combine_less(newest->k + motion, rates + motion, newest->start + motion, rows - dim, lanes);
}

/* Knuth's two-sum: the rounding error of the addition, exactly. */
static inline __attribute__((always_inline)) void
advance_block(const StepEndSum *n, size_t i, const Block *h, Block *ret_sum, Block *ret_carry)
{
    const Block y = *block_at(n->y, i);
    const Block d = *h * *block_at(n->slope, i) + *block_at(n->carry, i);
    const Block sum = y + d, part = sum - y;
    *ret_sum = sum;
    *ret_carry = (y - (sum - part)) + (d - part);
}

static void combine_advance(const StepEndSum *n, size_t rows, size_t lanes)
{
    Block sum, carry;
    if (lanes == 1) {
        const Block h = n->h[0] - (Block){0};
        for (size_t i = 0; i < rows; i += BLOCK) {
            advance_block(n, i, &h, &sum, &carry);
            put_first(n->y_new + i, &sum, rows - i);
            put_first(n->carry_new + i, &carry, rows - i);
        }
        return;
    }
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(n->h, block);
        for (size_t i = block; i < rows * lanes; i += lanes) {
            advance_block(n, i, &h, &sum, &carry);
            *block_of(n->y_new, i) = sum;
            *block_of(n->carry_new, i) = carry;
        }
    }
}

/* The squares of both estimates. */
static inline __attribute__((always_inline)) void error_block(const ErrorTerms *e, size_t i,
                                                              const Block *step, Block *ret_square5,
                                                              Block *ret_square3)
{
    const Block h = *step, length = BLOCK_ABSOLUTE(h);
    const Block from = BLOCK_ABSOLUTE(*block_at(e->y, i));
    const Block to = BLOCK_ABSOLUTE(*block_at(e->y_new, i));
    const Block wanted = e->atol * *block_at(e->size, i) + e->rtol * BLOCK_LARGER(from, to);
    const Block rounding =
        DBL_MIN + length * (*block_at(e->noise, i) + length * *block_at(e->carried, i));
    const Block scale = 1 / BLOCK_LARGER(wanted, rounding);
    const Block a = h * *block_at(e->error5, i) * scale;
    const Block b = (h * *block_at(e->slope, i) + h * *block_at(e->error3, i)) * scale;
    *ret_square5 = a * a;
    *ret_square3 = b * b;
}

static void combine_errors(const ErrorTerms *e, size_t dim, size_t lanes, double *ret_square5,
                           double *ret_square3)
{
    Block a, b;
    if (lanes == 1) {
        const Block h = e->h[0] - (Block){0};
        double square5 = 0, square3 = 0;
        for (size_t i = 0; i < dim; i += BLOCK) {
            error_block(e, i, &h, &a, &b);
            square5 = add_first(square5, &a, dim - i);
            square3 = add_first(square3, &b, dim - i);
        }
        *ret_square5 = square5;
        *ret_square3 = square3;
        return;
    }
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(e->h, block);
        Block square5 = {0}, square3 = {0};
        for (size_t i = block; i < dim * lanes; i += lanes) {
            error_block(e, i, &h, &a, &b);
            square5 += a;
            square3 += b;
        }
        *block_of(ret_square5, block) = square5;
        *block_of(ret_square3, block) = square3;
    }
}

static void combine_take(double *to, const double *from, const int64_t *masks, size_t rows,
                         size_t lanes)
{
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const BlockMask mask = *block_mask_at(masks, block);
        for (size_t i = block; i < rows * lanes; i += lanes)
            block_put(to, i, &mask, block_at(from, i));
    }
}

static void combine_dense(const DenseRow *row, double theta, size_t lanes, double *ret)
{
    const double rest = 1 - theta;

    for (size_t i = 0; i < lanes; i += BLOCK) {
        const Block h = *block_at(row->h, i), y = *block_at(row->y, i);
        const Block rise = *block_at(row->y_new, i) - y;
        const Block start = h * *block_at(row->rates, i) - rise;
        const Block end = rise - h * *block_at(row->rates_new, i) - start;
        Block s = *block_at(row->d[2], i) + theta * *block_at(row->d[3], i);
        s = *block_at(row->d[0], i) + theta * (*block_at(row->d[1], i) + rest * s);
        *block_of(ret, i) = y + theta * (rise + rest * (start + theta * (end + rest * s)));
    }
}

/* With theta = (1 + s) / 2 the products that start, end and d stand at are (1 - s^2) / 4, (1 + s) (1 - s^2) / 8, and so on: of each the
 * constant, the sum of the sizes of the other coefficients, that of s, and the sum of the others' by their powers. */
static void combine_reach(const DenseRow *row, size_t lanes, const DenseReach *ret)
{
    static const double CONSTANT[] = {1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128};
    static const double OTHERS[] = {1. / 4, 3. / 8, 3. / 16, 7. / 32, 7. / 64, 15. / 128};
    static const double LINEAR[] = {0, 1. / 8, 0, 1. / 32, 0, 1. / 128};
    static const double POWERS[] = {2. / 4, 5. / 8, 8. / 16, 19. / 32, 24. / 64, 55. / 128};

    for (size_t i = 0; i < lanes; i += BLOCK) {
        const Block h = *block_at(row->h, i), y = *block_at(row->y, i);
        const Block rise = *block_at(row->y_new, i) - y;
        const Block start = h * *block_at(row->rates, i) - rise;
        const Block end = rise - h * *block_at(row->rates_new, i) - start;
        Block middle = y + rise / 2, radius = BLOCK_ABSOLUTE(rise) / 2;
        Block rate = rise / 2, rate_radius = {0};
#pragma GCC unroll 6
        for (size_t k = 0; k < sizeof CONSTANT / sizeof *CONSTANT; k++) {
            const Block of = k == 0 ? start : k == 1 ? end : *block_at(row->d[k - 2], i);
            middle += CONSTANT[k] * of;
            radius += OTHERS[k] * BLOCK_ABSOLUTE(of);
            rate += LINEAR[k] * of;
            rate_radius += POWERS[k] * BLOCK_ABSOLUTE(of);
        }
        *block_of(ret->middle, i) = middle;
        *block_of(ret->radius, i) = radius;
        *block_of(ret->rate, i) = 2 * rate;
        *block_of(ret->rate_radius, i) = 2 * rate_radius;
    }
}

const Combine COMBINE = {combine_sum,  combine_newest,  combine_first,
                         combine_less, combine_advance, combine_errors,
                         combine_take, combine_dense,   combine_reach};

#endif
