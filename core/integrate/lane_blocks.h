/* Steps in blocks, of one lane and of many, for the instruction set that the including file is
 * compiled for. */
#ifndef CORE_INTEGRATE_LANE_BLOCKS_H
#define CORE_INTEGRATE_LANE_BLOCKS_H

#include "core/integrate/method.h"
#include "core/program/blocks.h"

/* The lengths of the steps of a block of lanes; one lane goes by blocks of rows. */
RULE Block lengths_at(const OdeStep *step, size_t block)
{
    const Block one = step->h[0] - (Block){0};
    return step->lanes == 1 ? one : *block_at(step->h, block);
}

/* From one block of a lane to the next. */
RULE size_t next_block(const OdeStep *step)
{
    return step->lanes == 1 ? BLOCK : step->lanes;
}

/* y_new + carry_new = y + carry + h slope, rows of lanes; carry_new holds the digits that rounding
 * takes from y_new. */
typedef struct StepEndSum {
    const double *y, *carry;
    double *y_new, *carry_new;
} StepEndSum;

RULE StepEndSum step_end_sum(const OdeStep *step)
{
    return (StepEndSum){step->y, step->carry, step->y_new, step->carry_new};
}

/* Knuth's two-sum: the rounding error of the addition, exactly. */
RULE void step_end_block(const StepEndSum *n, size_t i, const Block *slope, const Block *h)
{
    const Block y = *block_at(n->y, i);
    const Block d = *h * *slope + *block_at(n->carry, i);
    const Block sum = y + d, part = sum - y;
    *block_of(n->y_new, i) = sum;
    *block_of(n->carry_new, i) = (y - (sum - part)) + (d - part);
}

#endif
