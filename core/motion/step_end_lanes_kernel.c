/* Corrections in lanes (kernels.h), with the operations of step_end_correct() in order. */
#include "core/base/accuracy.h"
#include "core/motion/step_end_lanes.h"
#include "core/program/blocks.h"
#include "core/program/kernels.h"

/* Whether the residuals of the first n_rows rows are at most `enough`, relative to their terms, as
 * residual_is_within(); rows are `lanes` apart. A residual without a scale is not met, so its lane
 * is corrected outside the lanes. */
RULE BlockMask all_met(const StepEndLanes *l, size_t block, const double *values,
                       const double *scales, size_t n_rows, double enough)
{
    const size_t lanes = l->correct.lanes, r = l->end->r;
    BlockMask met = ~(BlockMask){0};

    for (size_t k = 0; k < n_rows; k++) {
        const size_t i = l->end->ordered[k] * lanes + block;
        const Block size = BLOCK_ABSOLUTE(*block_at(values, i));
        const Block rounding = *block_at(scales, i + r * lanes);
        const BlockMask rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;
        const Block measure = BLOCK_SELECT(rounded, rounding, *block_at(scales, i));
        met &= (size <= enough * measure) & (size < (double)INFINITY);
    }
    return met;
}

static bool move(StepEndLanes *l, const int64_t *masks)
{
    const StepEnd *end = l->end;
    const size_t lanes = l->correct.lanes;
    const StepEndOutputs out = step_end_outputs(end, l->correct.out, lanes);
    const double *scales = out.look + (LOOK_RESIDUALS + RESIDUAL_F_SCALE * end->r) * lanes;
    bool any = false;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        /* only lanes in use that do not meet f yet and have clear pivots */
        const BlockMask moved =
            *block_mask_at(masks, block) &
            ~all_met(l, block, out.f, scales, end->n_positions, RESIDUAL_UNTOUCHED) &
            (*block_at(out.regularity, block) >= ACCURACY_CLEAR);
        for (size_t i = 0; i < end->n; i++)
            block_put(l->correct.in + (1 + i) * lanes, block, &moved,
                      block_at(out.q + i * lanes, block));
        any = any || block_any(&moved);
    }
    return any;
}

static void arrive(const StepEndLanes *l, int64_t *masks)
{
    const StepEnd *end = l->end;
    const size_t lanes = l->correct.lanes;
    const StepEndOutputs out = step_end_outputs(end, l->correct.out, lanes);
    const double *scales = out.look + (LOOK_RESIDUALS + RESIDUAL_F_SCALE * end->r) * lanes;

    for (size_t block = 0; block < lanes; block += BLOCK)
        *block_mask_of(masks, block) &=
            all_met(l, block, out.f, scales, end->n_positions, RESIDUAL_ROUND_OFF);
}

/* Stores the sizes of a correction from y to q and v, and the look there; `same`: v stays. */
RULE void tell_correction(const StepEndLanes *l, size_t block, const StepEndOutputs *out,
                          const double *y, BlockMask same)
{
    const size_t lanes = l->correct.lanes, n = l->end->n, r = l->end->r;
    const double *q = l->correct.in + lanes, *v = q + n * lanes;
    double *phi = l->look + (LOOK_RESIDUALS + RESIDUAL_PHI * r) * lanes;
    Block square_q = {0}, square_v = {0};

    for (size_t i = 0; i < n; i++) {
        const size_t at = i * lanes + block;
        const Block end_v = BLOCK_SELECT(same, *block_at(v, at), *block_at(out->v, at));
        const Block by_q = *block_at(q, at) - *block_at(y, at);
        const Block by_v = end_v - *block_at(y, at + n * lanes);
        square_q += by_q * by_q;
        square_v += by_v * by_v;
    }
    /* copy the values at the corrected state; lanes of `same` keep their v */
    for (size_t i = 0; i < look_size(r); i++)
        *block_of(l->look, i * lanes + block) = *block_at(out->look, i * lanes + block);
    for (size_t a = 0; a < r; a++)
        block_put(phi, a * lanes + block, &same, block_at(out->phi, a * lanes + block));
    block_put(l->look, LOOK_ENERGY * lanes + block, &same, block_at(out->energy, block));
    *block_of(l->dq, block) = BLOCK_SQRT(square_q);
    *block_of(l->dv, block) = BLOCK_SQRT(square_v);
    *block_of(l->energy, block) =
        *block_at(l->look, LOOK_ENERGY * lanes + block) - *block_at(l->before, block);
}

static void velocities(const StepEndLanes *l, double *y, int64_t *masks)
{
    const StepEnd *end = l->end;
    const size_t lanes = l->correct.lanes, n = end->n, r = end->r, n_rows = end->options.n_rows;
    const StepEndOutputs out = step_end_outputs(end, l->correct.out, lanes);
    const double *after = out.look + (LOOK_RESIDUALS + RESIDUAL_PHI * r) * lanes;
    const double *scales = after + r * lanes;
    const double *q = l->correct.in + lanes, *v = q + n * lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        /* a lane is done if phi was met before, or is met after one clear step */
        const BlockMask same = all_met(l, block, out.phi, scales, n_rows, RESIDUAL_UNTOUCHED);
        const BlockMask met =
            *block_mask_at(masks, block) &
            (same | all_met(l, block, after, scales, n_rows, RESIDUAL_ROUND_OFF)) &
            (*block_at(out.regularity, block) >= ACCURACY_CLEAR);
        tell_correction(l, block, &out, y, same);
        for (size_t i = 0; i < n; i++) {
            const size_t at = i * lanes + block;
            const Block end_v = BLOCK_SELECT(same, *block_at(v, at), *block_at(out.v, at));
            block_put(y, at, &met, block_at(q, at));
            block_put(y, at + n * lanes, &met, &end_v);
        }
        *block_mask_of(masks, block) = met;
    }
}

const StepEndKernel KERNEL_NAME(step_end_kernel) = {move, arrive, velocities};
