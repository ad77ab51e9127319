/* Steps as rows of lanes, for each instruction set (kernels.h). */
#include "core/integrate/combine.h"
#include "core/integrate/lane_blocks.h"
#include "core/program/kernels.h"

/* Of the last block of one lane `n` numbers are there. */
RULE void put_first(double *to, const Block *block, size_t n)
{
    if (n >= BLOCK)
        *block_of(to, 0) = *block;
    for (size_t j = 0; n < BLOCK && j < n; j++)
        to[j] = (*block)[j];
}

static void combine_first(const OdeStep *step, double node, double w, const double *k)
{
    const size_t lanes = step->lanes, n = step->dim * lanes, next = next_block(step);
    const double *const y = step->y;
    double *const place = step->scratch.place, *const state = place + lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = lengths_at(step, block), t = *block_at(step->t, block) + node * h;
        put_first(place + block, &t, lanes - block);
        for (size_t i = block; i < n; i += next) {
            const Block there = *block_at(y, i) + h * (w * *block_at(k, i));
            put_first(state + i, &there, n - i);
        }
    }
}

static void combine_advance(const OdeStep *step, const double *slope)
{
    const StepEndSum sum = step_end_sum(step);
    const size_t lanes = step->lanes, n = step->rows * lanes, next = next_block(step);

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = lengths_at(step, block);
        for (size_t i = block; i < n; i += next)
            step_end_block(&sum, i, block_at(slope, i), &h);
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

const Combine KERNEL_NAME(combine) = {combine_first, combine_advance, combine_take};
