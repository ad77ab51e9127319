/* The evidence of runs in lanes, for each instruction set (kernels.h). The sums are those of
 * evidence_blocks.h; bounds are taken in the order of system.c. */
#include "core/model/residuals.h"
#include "core/program/blocks.h"
#include "core/program/kernels.h"
#include "core/run/batch/evidence_lanes.h"

#include "core/run/parts/evidence_blocks.h"

/* The numbers of residual k. */
static SumRows residual_of(const EvidenceLanes *e, size_t k)
{
    return (SumRows){e->residuals + k * RESIDUAL_NUMBERS * e->lanes, e->lanes};
}

/* Value, scale and rounding of residual k, r rows apart. */
static const double *looked_at(const EvidenceLanes *e, size_t k)
{
    const size_t r = e->model->r;
    const size_t part = k < r ? RESIDUAL_PHI * r + k : RESIDUAL_F * r + (k - r);
    return e->ends->look + (LOOK_RESIDUALS + part) * e->lanes;
}

static bool counts(const EvidenceLanes *e, size_t k)
{
    const size_t r = e->model->r;
    return k < r || e->model->constraints[k - r].kind == CONSTRAINT_HOLONOMIC;
}

static void look(EvidenceLanes *e, double bound, int64_t *masks)
{
    const size_t r = e->model->r, lanes = e->lanes;

    for (size_t k = 0; k < 2 * r; k++) {
        const SumRows residual = residual_of(e, k);
        const double *at = looked_at(e, k), *before = RESIDUAL_ROW(&residual, rounding);
        for (size_t b = 0; counts(e, k) && b < lanes; b += BLOCK) {
            const Block size = BLOCK_ABSOLUTE(*block_at(at, b));
            const Block here = *block_at(at, 2 * r * lanes + b), known = *block_at(before, b);
            const Block rounding = LARGER(known, here);
            /* a residual within its rounding is measured by that, any other by its scale */
            const BlockMask rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;
            const Block of_rounding = BLOCK_SELECT(size > 0, size / rounding, (Block){0});
            const Block of_scale = size / *block_at(at, r * lanes + b);
            const Block relative = BLOCK_SELECT(rounded, of_rounding, of_scale);
            *block_of(e->relative, k * lanes + b) = relative;
            *block_mask_of(masks, b) &= relative <= bound;
        }
    }
}

static void take_residuals(const EvidenceLanes *e, size_t b, const BlockMask *mask)
{
    const size_t r = e->model->r, lanes = e->lanes;

    for (size_t k = 0; k < 2 * r; k++) {
        if (!counts(e, k))
            continue;
        const SumRows residual = residual_of(e, k);
        const double *at = looked_at(e, k);
        residual_take(&residual, b, mask, *block_at(at, b), *block_at(at, 2 * r * lanes + b),
                      *block_at(e->relative, k * lanes + b));
    }
}

/* extent_widen() in lanes. */
static void widen(const EvidenceLanes *e, const double *y, size_t b, const BlockMask *mask)
{
    const size_t n = e->model->n, lanes = e->lanes, *kinds = e->model->kinds.first;
    const double *v = y + n * lanes;

    for (size_t i = 0; i < n; i++) {
        const Block q = *block_at(y, i * lanes + b), low = *block_at(e->bounds, i * lanes + b);
        const Block lower = BLOCK_SMALLER(q, low);
        Block square = {0};
        block_put(e->bounds, i * lanes + b, mask, &lower);
        raise_row(e->bounds + (n + i) * lanes, b, mask, q);
        /* the sum of squares of a kind lies at its first coordinate */
        if (kinds[i] != i)
            continue;
        for (size_t j = i; j < n; j++)
            if (kinds[j] == i) {
                const Block part = *block_at(v, j * lanes + b);
                square += part * part;
            }
        raise_row(e->speed_squares + i * lanes, b, mask, square);
    }
}

static void take(EvidenceLanes *e, const double *t, const double *y, const int64_t *masks)
{
    const double *work = y + 2 * e->model->n * e->lanes;
    const double *energy = e->ends->look + LOOK_ENERGY * e->lanes;
    const double *terms = e->ends->look + LOOK_TERMS * e->lanes;
    const SumRows sums = {e->sums, e->lanes};

    for (size_t b = 0; b < e->lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(masks, b);
        projection_take(&sums, b, &mask, *block_at(e->ends->dq, b), *block_at(e->ends->dv, b),
                        *block_at(e->ends->energy, b));
        widen(e, y, b, &mask);
        take_residuals(e, b, &mask);
        energy_take(&sums, b, &mask, *block_at(t, b), *block_at(energy, b), *block_at(terms, b),
                    *block_at(work, b));
        count_row(SUM_ROW(&sums, states), b, &mask);
    }
}

const EvidenceKernel KERNEL_NAME(evidence_kernel) = {look, take};
