/* Steps and their tolerances in blocks, of one lane and of many, for the instruction set that the
 * including file is compiled for. */
#ifndef CORE_INTEGRATE_LANE_BLOCKS_H
#define CORE_INTEGRATE_LANE_BLOCKS_H

#include <float.h>

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

/* y_new + carry_new = y + carry + h slope, rows of lanes. */
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

/* ode_tolerance() in blocks of lanes or components: the same operations in order, the same bits. */
typedef struct ToleranceTerms {
    double atol, rtol;
    const double *y, *y_new, *rates, *size, *unsized, *noise, *carried; /* [dim][lanes] */
} ToleranceTerms;

RULE ToleranceTerms tolerance_terms(const OdeStep *step)
{
    return (ToleranceTerms){.atol = step->atol,
                            .rtol = step->rtol,
                            .y = step->y,
                            .y_new = step->y_new,
                            .rates = step->rates,
                            .size = step->sizes.size,
                            .unsized = step->sizes.unsized,
                            .noise = step->rounding.noise,
                            .carried = step->rounding.carried};
}

/* The block at i of a step of these lengths that ends at `end`. */
RULE Block tolerance_block(const ToleranceTerms *e, size_t i, const Block *end, const Block *h)
{
    const Block length = BLOCK_ABSOLUTE(*h);
    const Block from = BLOCK_ABSOLUTE(*block_at(e->y, i)), to = BLOCK_ABSOLUTE(*end);
    const Block rise = *h * *block_at(e->rates, i);
    const Block ends = BLOCK_LARGER(from, to);
    const Block moved = *block_at(e->unsized, i) * BLOCK_ABSOLUTE(rise);
    const Block relative = e->rtol * BLOCK_LARGER(ends, moved);
    const Block absolute = e->atol * *block_at(e->size, i);
    const Block wanted = BLOCK_LARGER(relative, absolute);
    const Block rounding =
        DBL_MIN + length * (*block_at(e->noise, i) + length * *block_at(e->carried, i));
    return BLOCK_LARGER(wanted, rounding);
}

#endif
