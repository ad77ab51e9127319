/* Stages of whole blocks of lanes, for each instruction set (kernels.h). Each sum of the tableau
 * is known to the compiler. */
#include "core/integrate/dop853_blocks.h"
#include "core/integrate/dop853_lanes.h"
#include "core/program/kernels.h"

KNOWN void take_known(const OdeStep *step, double *const *all, const size_t s)
{
    const Dop853Row *row = &DOP853_A[s + 1];
    const size_t lanes = step->lanes, dim = step->dim, rows = step->rows;
    const double *const y = step->y, *const start = step->rates, w = row->weight[row->n - 1];
    const StagesOfRow stages = stages_of_row(all, row, row->n - 1);
    double *const k = all[s], *const place = step->scratch.place, *const state = place + lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        /* the time of the next stage */
        const Block h = *block_at(step->h, block);
        *block_of(place, block) = *block_at(step->t, block) + row->weight[0] * h;
        for (size_t i = block; i < dim * lanes; i += lanes) {
            /* the difference of the rates, and the state of the next stage */
            const Block newest = *block_at(k, i) - *block_at(start, i);
            const Block older = block_of_row(&stages, row, row->n - 1, i);
            *block_of(k, i) = newest;
            *block_of(state, i) = *block_at(y, i) + h * (older + w * newest);
        }
    }
    /* quadratures have no argument */
    for (size_t i = dim * lanes; i < rows * lanes; i += BLOCK)
        *block_of(k, i) -= *block_at(start, i);
}

static void take_stage(const OdeStep *step, double *const *k, size_t s)
{
    switch (s) {
#define STAGE_CASE(s)           \
    case s:                     \
        take_known(step, k, s); \
        break;
        STAGE_CASE(1)
        STAGE_CASE(2)
        STAGE_CASE(3)
        STAGE_CASE(4)
        STAGE_CASE(5)
        STAGE_CASE(6)
        STAGE_CASE(7)
        STAGE_CASE(8)
        STAGE_CASE(9)
        STAGE_CASE(10)
        STAGE_CASE(12)
        STAGE_CASE(13)
        STAGE_CASE(14)
#undef STAGE_CASE
    default:
        break; /* nothing follows */
    }
}

static void end_step(const OdeStep *step, double *const *k, double *ret_square5,
                     double *ret_square3)
{
    const EndOfStep end = end_of_step(step, k);
    const size_t lanes = step->lanes, dim = step->dim * lanes, rows = step->rows * lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(step->h, block);
        Block a, b, square5 = {0}, square3 = {0};
        for (size_t i = block; i < rows; i += lanes) {
            const Block slope = end_block(&end, i, &h);
            if (i >= dim)
                continue; /* quadratures have no tolerance */
            end_errors(&end, i, &h, &slope, &a, &b);
            square5 += a;
            square3 += b;
        }
        *block_of(ret_square5, block) = square5;
        *block_of(ret_square3, block) = square3;
    }
}

const Dop853Lanes KERNEL_NAME(dop853_lanes) = {take_stage, end_step};
