/* The evidence of runs in lanes, for each instruction set (kernels.h). Values are computed in the
 * order of evidence.c and system.c. */
#include "core/model/residuals.h"
#include "core/program/blocks.h"
#include "core/program/kernels.h"
#include "core/run/batch/evidence_lanes.h"

/* larger() of evidence.c: `value` where `other` is a NaN. */
#define LARGER(value, other) BLOCK_LARGER(other, value)

static double *sum_row(const EvidenceLanes *e, size_t offset)
{
    return e->sums + offset / sizeof(double) * e->lanes;
}
#define SUM_ROW(e, name) sum_row(e, offsetof(EvidenceSums, name))

/* One number of residual k, as in evidence.h. */
static double *residual_row(const EvidenceLanes *e, size_t k, size_t offset)
{
    return e->residuals + (k * RESIDUAL_NUMBERS + offset / sizeof(double)) * e->lanes;
}
#define RESIDUAL_ROW(e, k, name) residual_row(e, k, offsetof(Residual, name))

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
        const double *at = looked_at(e, k), *before = RESIDUAL_ROW(e, k, rounding);
        for (size_t b = 0; counts(e, k) && b < lanes; b += BLOCK) {
            const Block size = BLOCK_ABSOLUTE(*block_at(at, b));
            const Block here = *block_at(at, 2 * r * lanes + b), known = *block_at(before, b);
            const Block rounding = LARGER(known, here);
            const BlockMask rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;
            const Block of_rounding = BLOCK_SELECT(size > 0, size / rounding, (Block){0});
            const Block of_scale = size / *block_at(at, r * lanes + b);
            const Block relative = BLOCK_SELECT(rounded, of_rounding, of_scale);
            *block_of(e->relative, k * lanes + b) = relative;
            *block_mask_of(masks, b) &= relative <= bound;
        }
    }
}

/* row = larger(row, other) where the mask holds */
static inline void raise_row(double *row, size_t b, const BlockMask *mask, const Block *other)
{
    const Block before = *block_at(row, b), larger = LARGER(before, *other);
    block_put(row, b, mask, &larger);
}

/* row += term */
static inline void add_row_of(double *row, size_t b, const BlockMask *mask, const Block *term)
{
    const Block sum = *block_at(row, b) + *term;
    block_put(row, b, mask, &sum);
}

/* row += 1, of counts. */
static inline void count_row(double *row, size_t b, const BlockMask *mask)
{
    BlockMask *counts_of = (BlockMask *)(void *)(row + b);
    *counts_of -= *mask;
}

/* take_residual() of evidence.c. */
static void take_residuals_of(const EvidenceLanes *e, size_t b, const BlockMask *mask)
{
    const size_t r = e->model->r, lanes = e->lanes;

    for (size_t k = 0; k < 2 * r; k++) {
        if (!counts(e, k))
            continue;
        const double *at = looked_at(e, k);
        const Block relative = *block_at(e->relative, k * lanes + b);
        const Block square = relative * relative, size = BLOCK_ABSOLUTE(*block_at(at, b));
        raise_row(RESIDUAL_ROW(e, k, rounding), b, mask, block_at(at, 2 * r * lanes + b));
        raise_row(RESIDUAL_ROW(e, k, max), b, mask, &relative);
        raise_row(RESIDUAL_ROW(e, k, since), b, mask, &relative);
        raise_row(RESIDUAL_ROW(e, k, max_absolute), b, mask, &size);
        add_row_of(RESIDUAL_ROW(e, k, sum_squares), b, mask, &square);
    }
}

static void take_projection(const EvidenceLanes *e, size_t b, const BlockMask *mask)
{
    const Block dq = *block_at(e->ends->dq, b), dv = *block_at(e->ends->dv, b);
    const Block dq2 = dq * dq, dv2 = dv * dv;

    count_row(SUM_ROW(e, projection.count), b, mask);
    raise_row(SUM_ROW(e, projection.max_dq), b, mask, &dq);
    raise_row(SUM_ROW(e, projection.max_dv), b, mask, &dv);
    add_row_of(SUM_ROW(e, projection.sum_dq2), b, mask, &dq2);
    add_row_of(SUM_ROW(e, projection.sum_dv2), b, mask, &dv2);
    add_row_of(SUM_ROW(e, projection_work), b, mask, block_at(e->ends->energy, b));
}

/* take_turnover() of evidence.c. */
RULE void take_turnover(const EvidenceLanes *e, size_t b, const BlockMask *mask, Block t,
                        Block work)
{
    const Block terms = *block_at(e->ends->look, LOOK_TERMS * e->lanes + b);
    const Block length = t - *block_at(SUM_ROW(e, last_t), b), h = BLOCK_ABSOLUTE(length);
    const Block by = work - *block_at(SUM_ROW(e, work_last), b);
    const Block terms_last = *block_at(SUM_ROW(e, terms_last), b);
    const Block area = h / 2 * (terms_last + terms), power = h * BLOCK_ABSOLUTE(by);
    const Block root = BLOCK_SQRT(power);

    add_row_of(SUM_ROW(e, terms_integral), b, mask, &area);
    add_row_of(SUM_ROW(e, power_root), b, mask, &root);
    block_put(SUM_ROW(e, last_t), b, mask, &t);
    block_put(SUM_ROW(e, terms_last), b, mask, &terms);
    block_put(SUM_ROW(e, work_last), b, mask, &work);
}

/* turnover() of evidence.c. */
RULE Block turnover(const EvidenceLanes *e, size_t b, Block t, Block of_ends)
{
    const Block all = t - *block_at(SUM_ROW(e, start_t), b), elapsed = BLOCK_ABSOLUTE(all);
    const Block mean = *block_at(SUM_ROW(e, terms_integral), b) / elapsed;
    const Block roots = *block_at(SUM_ROW(e, power_root), b);
    const Block of_way = LARGER(of_ends, mean) + roots * roots / elapsed;
    return BLOCK_SELECT(elapsed == 0, of_ends, of_way);
}

/* Notes an imbalance that is not believed, in lanes of the mask. */
RULE void take_imbalance(const EvidenceLanes *e, size_t b, const BlockMask *mask, Block t,
                         Block balance, Block of_ends)
{
    const Block scale = turnover(e, b, t, of_ends), relative = balance / scale;
    const BlockMask fine = balance <= *block_at(SUM_ROW(e, believable), b) * scale;
    const Block none = (double)NAN + (Block){0};
    const Block lost = *block_at(SUM_ROW(e, lost_t), b);
    const Block most = *block_at(SUM_ROW(e, lost_most), b);
    const Block since = BLOCK_SELECT(lost != lost, t, lost), larger = LARGER(most, relative);
    const Block lost_t = BLOCK_SELECT(fine, none, since);
    const Block lost_most = BLOCK_SELECT(fine, (Block){0}, larger);

    block_put(SUM_ROW(e, lost_t), b, mask, &lost_t);
    block_put(SUM_ROW(e, lost_most), b, mask, &lost_most);
}

/* The same where it is little, is_little() of evidence.c, without divisions. */
RULE void judge_balance(const EvidenceLanes *e, size_t b, const BlockMask *mask, Block t,
                        Block balance)
{
    const Block start = *block_at(SUM_ROW(e, terms_start), b);
    const Block last = *block_at(SUM_ROW(e, terms_last), b);
    const Block of_ends = LARGER(start, last) + *block_at(SUM_ROW(e, impact_swing), b);
    const Block none = (double)NAN + (Block){0}, nothing = {0};
    const BlockMask little = (balance <= *block_at(SUM_ROW(e, believable), b) * of_ends) &
                             BLOCK_FINITE(*block_at(SUM_ROW(e, power_root), b));
    const BlockMask is_little = *mask & little, rest = *mask & ~little;

    block_put(SUM_ROW(e, lost_t), b, &is_little, &none);
    block_put(SUM_ROW(e, lost_most), b, &is_little, &nothing);
    if (block_any(&rest))
        take_imbalance(e, b, &rest, t, balance, of_ends);
}

/* take_energy() of evidence.c. */
RULE void take_energy(const EvidenceLanes *e, size_t b, const BlockMask *mask, Block t, Block work)
{
    const Block energy = *block_at(e->ends->look, LOOK_ENERGY * e->lanes + b);
    const Block drift = energy - *block_at(SUM_ROW(e, energy_start), b);
    const Block rest = drift - work - *block_at(SUM_ROW(e, projection_work), b) -
                       *block_at(SUM_ROW(e, impact_work), b);
    const Block balance = BLOCK_ABSOLUTE(rest), far = BLOCK_ABSOLUTE(drift);
    const Block done = BLOCK_ABSOLUTE(work);

    take_turnover(e, b, mask, t, work);
    judge_balance(e, b, mask, t, balance);
    block_put(SUM_ROW(e, energy_last), b, mask, &energy);
    raise_row(SUM_ROW(e, terms_max), b, mask, block_at(SUM_ROW(e, terms_last), b));
    raise_row(SUM_ROW(e, work_max), b, mask, &done);
    raise_row(SUM_ROW(e, max_drift), b, mask, &far);
    raise_row(SUM_ROW(e, balance_max), b, mask, &balance);
    count_row(SUM_ROW(e, states), b, mask);
}

/* run_widen() of system.c. */
static void widen(const EvidenceLanes *e, const double *y, size_t b, const BlockMask *mask)
{
    const size_t n = e->model->n, lanes = e->lanes, *kinds = e->model->kinds.first;
    const double *v = y + n * lanes;

    for (size_t i = 0; i < n; i++) {
        const Block q = *block_at(y, i * lanes + b), low = *block_at(e->bounds, i * lanes + b);
        const Block lower = BLOCK_SMALLER(q, low);
        Block square = {0};
        block_put(e->bounds, i * lanes + b, mask, &lower);
        raise_row(e->bounds + (n + i) * lanes, b, mask, &q);
        /* the sum of squares of a kind lies at its first coordinate */
        if (kinds[i] != i)
            continue;
        for (size_t j = i; j < n; j++)
            if (kinds[j] == i) {
                const Block part = *block_at(v, j * lanes + b);
                square += part * part;
            }
        raise_row(e->speed_squares + i * lanes, b, mask, &square);
    }
}

static void take(EvidenceLanes *e, const double *t, const double *y, const int64_t *masks)
{
    const double *work = y + 2 * e->model->n * e->lanes;

    for (size_t b = 0; b < e->lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(masks, b);
        take_projection(e, b, &mask);
        widen(e, y, b, &mask);
        take_residuals_of(e, b, &mask);
        take_energy(e, b, &mask, *block_at(t, b), *block_at(work, b));
    }
}

const EvidenceKernel KERNEL_NAME(evidence_kernel) = {look, take};
