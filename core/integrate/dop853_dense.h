/* The dense output of DOP853 in blocks: of one place (dop853.c) and of many lanes
 * (dop853_kernel.c). The file that includes it has included program/block_of_one.h or
 * program/blocks.h before. */
#ifndef CORE_INTEGRATE_DOP853_DENSE_H
#define CORE_INTEGRATE_DOP853_DENSE_H

#include "core/integrate/dop853_tableau.h"
#include "core/integrate/method.h"

/* With r = 1 - theta, rise = y_new - y, start = h rates - rise and
 * end = rise - h rates_new - start,
 *  y + theta (rise + r (start + theta (end + r (d[0] + theta (d[1] + r (d[2] + theta d[3])))))). */
typedef struct DenseBlocks {
    Block y, rise, start, end, d[DOP853_DENSE_ROWS];
} DenseBlocks;

/* At element i of rows of lanes, whose steps are h long. */
RULE DenseBlocks dense_blocks(const OdeStep *step, double *const *dense, size_t i, const Block *h)
{
    DenseBlocks of = {.y = *block_at(step->y, i)};

    of.rise = *block_at(step->y_new, i) - of.y;
    of.start = *h * *block_at(step->rates, i) - of.rise;
    of.end = of.rise - *h * *block_at(step->rates_new, i) - of.start;
    for (size_t k = 0; k < DOP853_DENSE_ROWS; k++)
        of.d[k] = *block_at(dense[k], i);
    return of;
}

RULE Block dense_value(const DenseBlocks *of, double theta)
{
    const double rest = 1 - theta;
    const Block *d = of->d;
    const Block higher = d[0] + theta * (d[1] + rest * (d[2] + theta * d[3]));

    return of->y + theta * (of->rise + rest * (of->start + theta * (of->end + rest * higher)));
}

#endif
