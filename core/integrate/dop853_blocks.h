/* Blocks of the sums of DOP853's tableau and of its error estimates, of one lane and of several,
 * for the instruction set that the including file is compiled for. */
#ifndef CORE_INTEGRATE_DOP853_BLOCKS_H
#define CORE_INTEGRATE_DOP853_BLOCKS_H

#include "core/integrate/combine_blocks.h"
#include "core/integrate/dop853_tableau.h"
#include "core/integrate/method.h"
#include "core/integrate/tolerance_blocks.h"

#define KNOWN static inline __attribute__((always_inline))

/* The places of the first n stages of a row, known to the compiler: a copy, since a store could
 * change the original. */
typedef struct StagesOfRow {
    const double *k[COMBINE_MAX_TERMS];
} StagesOfRow;

KNOWN StagesOfRow stages_of_row(double *const *k, const Dop853Row *row, const int n)
{
    StagesOfRow stages;
#pragma GCC unroll 12
    for (int j = 0; j < n; j++)
        stages.k[j] = k[row->stage[j]];
    return stages;
}

/* One block of the first n terms. */
KNOWN Block block_of_row(const StagesOfRow *stages, const Dop853Row *row, const int n, size_t i)
{
    Block sum = row->weight[0] * *block_at(stages->k[0], i);
#pragma GCC unroll 12
    for (int j = 1; j < n; j++)
        sum += row->weight[j] * *block_at(stages->k[j], i);
    return sum;
}

/* Two estimates of a step's error, h error5 and h slope + h error3, over the tolerances of the
 * components: ode_tolerance() in blocks. */

/* The increment over h, and the two error sums. */
typedef struct EstimateBlocks {
    Block slope, error5, error3;
} EstimateBlocks;

/* The squares of both estimates. */
KNOWN void error_block(const ToleranceTerms *e, size_t i, const Block *step,
                       const EstimateBlocks *of, Block *ret_square5, Block *ret_square3)
{
    const Block h = *step;
    const Block scale = 1 / tolerance_block(e, i, block_at(e->y_new, i), step);
    const Block a = h * of->error5 * scale;
    const Block b = (h * of->slope + h * of->error3) * scale;
    *ret_square5 = a * a;
    *ret_square3 = b * b;
}

/* The operands and results of the end of a step. */
typedef struct EndOfStep {
    StepEndSum sum;
    ToleranceTerms terms;
    StagesOfRow slope, error5, error3;
} EndOfStep;

KNOWN EndOfStep end_of_step(const OdeStep *step, double *const *k)
{
    return (EndOfStep){.sum = {.y = step->y,
                               .carry = step->carry,
                               .y_new = step->y_new,
                               .carry_new = step->carry_new},
                       .terms = tolerance_terms(step),
                       .slope = stages_of_row(k, &DOP853_B, DOP853_B.n),
                       .error5 = stages_of_row(k, &DOP853_E5, DOP853_E5.n),
                       .error3 = stages_of_row(k, &DOP853_E3, DOP853_E3.n)};
}

/* One block of y_new and carry_new, over h; the increment over h. */
KNOWN Block end_block(const EndOfStep *e, size_t i, const Block *h)
{
    const Block slope = block_of_row(&e->slope, &DOP853_B, DOP853_B.n, i);
    Block y, carry;

    advance_block(&e->sum, i, &slope, h, &y, &carry);
    *block_of(e->sum.y_new, i) = y;
    *block_of(e->sum.carry_new, i) = carry;
    return slope;
}

/* And then the squares of its errors. */
KNOWN void end_errors(const EndOfStep *e, size_t i, const Block *h, const Block *slope,
                      Block *ret_square5, Block *ret_square3)
{
    const EstimateBlocks of = {*slope, block_of_row(&e->error5, &DOP853_E5, DOP853_E5.n, i),
                               block_of_row(&e->error3, &DOP853_E3, DOP853_E3.n, i)};
    error_block(&e->terms, i, h, &of, ret_square5, ret_square3);
}

#endif
