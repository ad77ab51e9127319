/* Sums of stages, for each instruction set (kernels.h). */
#include <stdint.h>

#include "core/integrate/combine_blocks.h"
#include "core/program/kernels.h"

/* Two blocks at a time share what each term takes to find. */
RULE void sum_terms(const size_t n, const StageSum *sum, size_t count, double *out)
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
    if (i < count)
        *block_of(out, i) = sum_block(n, sum, i);
}

static void sum_stages(const StageSum *sum, size_t count, double *out)
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

static void combine_first(const FirstStage *n, size_t dim, size_t lanes, double *argument)
{
    const double *const y = n->y, *const k = n->k, w = n->w;
    double *const state = argument + lanes;
    if (lanes == 1) {
        /* one lane: blocks of rows */
        const double h = n->h[0];
        *argument = n->t[0] + n->node * h;
        for (size_t i = 0; i < dim; i += BLOCK) {
            const Block next = *block_at(y, i) + h * (w * *block_at(k, i));
            put_first(state + i, &next, dim - i);
        }
        return;
    }
    /* whole blocks of lanes */
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(n->h, block);
        *block_of(argument, block) = *block_at(n->t, block) + n->node * h;
        for (size_t i = block; i < dim * lanes; i += lanes)
            *block_of(state, i) = *block_at(y, i) + h * (w * *block_at(k, i));
    }
}

static void combine_less(double *k, const double *start, size_t rows, size_t lanes)
{
    for (size_t i = 0; i < rows * lanes; i += BLOCK)
        *block_of(k, i) -= *block_at(start, i);
}

static void combine_advance(const StepEndSum *n, size_t rows, size_t lanes)
{
    Block sum, carry;
    if (lanes == 1) {
        /* one lane: blocks of rows */
        const Block h = n->h[0] - (Block){0};
        for (size_t i = 0; i < rows; i += BLOCK) {
            advance_block(n, i, block_at(n->slope, i), &h, &sum, &carry);
            *block_of(n->y_new, i) = sum;
            *block_of(n->carry_new, i) = carry;
        }
        return;
    }
    /* whole blocks of lanes */
    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(n->h, block);
        for (size_t i = block; i < rows * lanes; i += lanes) {
            advance_block(n, i, block_at(n->slope, i), &h, &sum, &carry);
            *block_of(n->y_new, i) = sum;
            *block_of(n->carry_new, i) = carry;
        }
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

/* With theta = (1 + s) / 2 the products that start, end and d stand at are (1 - s^2) / 4, (1 +
 * s) (1 - s^2) / 8, and so on: of each the constant, the sum of the sizes of the other
 * coefficients, that of s, and the sum of the others' by their powers. */
static void combine_reach(const DenseRow *row, size_t lanes, const DenseReach *ret)
{
    static const double CONSTANT[] = {1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128};
    static const double OTHERS[] = {1. / 4, 3. / 8, 3. / 16, 7. / 32, 7. / 64, 15. / 128};
    static const double LINEAR[] = {0, 1. / 8, 0, 1. / 32, 0, 1. / 128};
    static const double POWERS[] = {2. / 4, 5. / 8, 8. / 16, 19. / 32, 24. / 64, 55. / 128};

    for (size_t i = 0; i < lanes; i += BLOCK) {
        /* the coefficients of the dense output, as in DenseRow */
        const Block h = *block_at(row->h, i), y = *block_at(row->y, i);
        const Block rise = *block_at(row->y_new, i) - y;
        const Block start = h * *block_at(row->rates, i) - rise;
        const Block end = rise - h * *block_at(row->rates_new, i) - start;
        /* the terms y + theta rise, then each product with its constants */
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

const Combine KERNEL_NAME(combine) = {sum_stages,   combine_first, combine_less, combine_advance,
                                      combine_take, combine_dense, combine_reach};
