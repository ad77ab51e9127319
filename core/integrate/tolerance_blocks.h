/* ode_tolerance() in blocks of lanes or of components, for the instruction set that the including
 * file is compiled for: the same operations in the same order, hence the same bits. */
#ifndef CORE_INTEGRATE_TOLERANCE_BLOCKS_H
#define CORE_INTEGRATE_TOLERANCE_BLOCKS_H

#include <float.h>

#include "core/integrate/method.h"
#include "core/program/blocks.h"

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
