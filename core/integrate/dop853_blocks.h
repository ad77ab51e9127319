/* Blocks of the sums of DOP853's tableau and of its error estimates, of one lane and of several, for the instruction set that the
 * including file is compiled for. */
#ifndef CORE_INTEGRATE_DOP853_BLOCKS_H
#define CORE_INTEGRATE_DOP853_BLOCKS_H

#include "core/integrate/combine_blocks.h"
#include "core/integrate/dop853_tableau.h"
#include "core/integrate/method.h"

#define KNOWN static inline __attribute__((always_inline))

/* Where the first n stages of a row are, which the compiler knows: copied, for what is stored could be a pointer to it. */
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

/* Two estimates of a step's error, h error5 and h slope + h error3, over the tolerances of the components:
 *     max(atol size + rtol max(|y|, |y_new|), DBL_MIN + |h| (noise + |h| carried)) */
typedef struct ErrorTerms {
    double atol, rtol;
    const double *y, *y_new, *size, *noise, *carried; /* [dim][lanes] */
} ErrorTerms;

KNOWN ErrorTerms error_terms(const OdeStep *step)
{
    return (ErrorTerms){.atol = step->atol,
                        .rtol = step->rtol,
                        .y = step->y,
                        .y_new = step->y_new,
                        .size = step->size,
                        .noise = step->noise,
                        .carried = step->carried};
}

/* The increment over h, and what errors are estimated by. */
typedef struct EstimateBlocks {
    Block slope, error5, error3;
} EstimateBlocks;

/* The squares of both estimates. */
KNOWN void error_block(const ErrorTerms *e, size_t i, const Block *step, const EstimateBlocks *of,
                       Block *ret_square5, Block *ret_square3)
{
    const Block h = *step, length = BLOCK_ABSOLUTE(h);
    const Block from = BLOCK_ABSOLUTE(*block_at(e->y, i));
    const Block to = BLOCK_ABSOLUTE(*block_at(e->y_new, i));
    const Block wanted = e->atol * *block_at(e->size, i) + e->rtol * BLOCK_LARGER(from, to);
    const Block rounding =
        DBL_MIN + length * (*block_at(e->noise, i) + length * *block_at(e->carried, i));
    const Block scale = 1 / BLOCK_LARGER(wanted, rounding);
    const Block a = h * of->error5 * scale;
    const Block b = (h * of->slope + h * of->error3) * scale;
    *ret_square5 = a * a;
    *ret_square3 = b * b;
}

#endif
