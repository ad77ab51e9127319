/* The sums of the evidence after a step, in blocks: of one motion (evidence.c) and of motions in
 * lanes (evidence_lanes_kernel.c). The file that includes it has included program/block_of_one.h or
 * program/blocks.h before. `b` is the first lane of a block; lanes outside the mask keep their
 * sums. */
#ifndef CORE_RUN_PARTS_EVIDENCE_BLOCKS_H
#define CORE_RUN_PARTS_EVIDENCE_BLOCKS_H

#include <math.h>

#include "core/run/parts/evidence_sums.h"

/* The members of EvidenceSums, or of a Residual, one behind the other, in rows of lanes. */
typedef struct SumRows {
    double *rows;
    size_t lanes;
} SumRows;

RULE double *sum_row(const SumRows *s, size_t offset)
{
    return s->rows + offset / sizeof(double) * (BLOCK == 1 ? 1 : s->lanes);
}
#define SUM_ROW(s, name) sum_row(s, offsetof(EvidenceSums, name))
#define RESIDUAL_ROW(s, name) sum_row(s, offsetof(Residual, name))

/* `value` where `other` is a NaN. */
#define LARGER(value, other) BLOCK_LARGER(other, value)

/* row = larger(row, other) */
RULE void raise_row(double *row, size_t b, const BlockMask *mask, Block other)
{
    const Block before = *block_at(row, b), larger = LARGER(before, other);
    block_put(row, b, mask, &larger);
}

/* row += term */
RULE void add_to_row(double *row, size_t b, const BlockMask *mask, Block term)
{
    const Block sum = *block_at(row, b) + term;
    block_put(row, b, mask, &sum);
}

/* row += 1, of counts; a mask is -1. */
RULE void count_row(double *row, size_t b, const BlockMask *mask)
{
    BlockMask *counts_of = (BlockMask *)(void *)(row + b);
    *counts_of -= *mask;
}

/* A residual of this value and rounding, and relatively. */
RULE void residual_take(const SumRows *s, size_t b, const BlockMask *mask, Block value,
                        Block rounding, Block relative)
{
    raise_row(RESIDUAL_ROW(s, rounding), b, mask, rounding);
    raise_row(RESIDUAL_ROW(s, max), b, mask, relative);
    raise_row(RESIDUAL_ROW(s, since), b, mask, relative);
    raise_row(RESIDUAL_ROW(s, max_absolute), b, mask, BLOCK_ABSOLUTE(value));
    add_to_row(RESIDUAL_ROW(s, sum_squares), b, mask, relative * relative);
}

RULE void projection_take(const SumRows *s, size_t b, const BlockMask *mask, Block dq, Block dv,
                          Block energy_jump)
{
    count_row(SUM_ROW(s, projection.count), b, mask);
    raise_row(SUM_ROW(s, projection.max_dq), b, mask, dq);
    raise_row(SUM_ROW(s, projection.max_dv), b, mask, dv);
    add_to_row(SUM_ROW(s, projection.sum_dq2), b, mask, dq * dq);
    add_to_row(SUM_ROW(s, projection.sum_dv2), b, mask, dv * dv);
    add_to_row(SUM_ROW(s, projection_work), b, mask, energy_jump);
}

/* The size of the terms of E at the ends of the motion up to now, and of its jumps at events. */
RULE Block terms_of_ends(const SumRows *s, size_t b)
{
    const Block start = *block_at(SUM_ROW(s, terms_start), b);
    return LARGER(start, *block_at(SUM_ROW(s, terms_last), b)) +
           *block_at(SUM_ROW(s, impact_swing), b);
}

/* The size of the energy in the motion up to now; the imbalance is relative to it. The terms of E
 * count by their values at the start, by those now and by their mean over time. The work
 * (integrated outside the error norm) counts by the mean of order 1/2 of its power. The jumps at
 * events count in full. Therefore a short peak, as in a near collision, does not hide an imbalance
 * that is large beside the rest of the motion. */
RULE Block turnover_of(const SumRows *s, size_t b)
{
    const Block all = *block_at(SUM_ROW(s, last_t), b) - *block_at(SUM_ROW(s, start_t), b);
    const Block elapsed = BLOCK_ABSOLUTE(all), of_ends = terms_of_ends(s, b);
    const Block mean = *block_at(SUM_ROW(s, terms_integral), b) / elapsed;
    const Block roots = *block_at(SUM_ROW(s, power_root), b);
    const Block of_way = LARGER(of_ends, mean) + roots * roots / elapsed;
    return BLOCK_SELECT(elapsed == 0, of_ends, of_way);
}

RULE void turnover_take(const SumRows *s, size_t b, const BlockMask *mask, Block t, Block terms,
                        Block work)
{
    const Block length = t - *block_at(SUM_ROW(s, last_t), b), h = BLOCK_ABSOLUTE(length);
    const Block by = work - *block_at(SUM_ROW(s, work_last), b);
    const Block area = h / 2 * (*block_at(SUM_ROW(s, terms_last), b) + terms);

    add_to_row(SUM_ROW(s, terms_integral), b, mask, area);
    add_to_row(SUM_ROW(s, power_root), b, mask, BLOCK_SQRT(h * BLOCK_ABSOLUTE(by)));
    block_put(SUM_ROW(s, last_t), b, mask, &t);
    block_put(SUM_ROW(s, terms_last), b, mask, &terms);
    block_put(SUM_ROW(s, work_last), b, mask, &work);
}

/* |E - E0 - work - ..|; drift: E - E0. */
RULE Block balance_of(const SumRows *s, size_t b, Block drift, Block work)
{
    const Block rest = drift - work - *block_at(SUM_ROW(s, projection_work), b) -
                       *block_at(SUM_ROW(s, impact_work), b);
    return BLOCK_ABSOLUTE(rest);
}

/* Notes whether the imbalance is believed beside this scale. */
RULE void balance_judge(const SumRows *s, size_t b, const BlockMask *mask, Block t, Block balance,
                        Block scale)
{
    const BlockMask fine = balance <= *block_at(SUM_ROW(s, believable), b) * scale;
    const Block none = (double)NAN + (Block){0}, relative = balance / scale;
    const Block lost = *block_at(SUM_ROW(s, lost_t), b);
    const Block most = *block_at(SUM_ROW(s, lost_most), b);
    const Block since = BLOCK_SELECT(lost != lost, t, lost), larger = LARGER(most, relative);
    const Block lost_t = BLOCK_SELECT(fine, none, since);
    const Block lost_most = BLOCK_SELECT(fine, (Block){0}, larger);

    block_put(SUM_ROW(s, lost_t), b, mask, &lost_t);
    block_put(SUM_ROW(s, lost_most), b, mask, &lost_most);
}

/* The energy, the size of its terms and the work so far at the end of a step. */
RULE void energy_take(const SumRows *s, size_t b, const BlockMask *mask, Block t, Block energy,
                      Block terms, Block work)
{
    const Block drift = energy - *block_at(SUM_ROW(s, energy_start), b);
    const Block balance = balance_of(s, b, drift, work);

    /* is the balance believed beside the size of the energy? */
    turnover_take(s, b, mask, t, terms, work);
    balance_judge(s, b, mask, t, balance, turnover_of(s, b));
    /* the last and the largest values */
    block_put(SUM_ROW(s, energy_last), b, mask, &energy);
    raise_row(SUM_ROW(s, terms_max), b, mask, terms);
    raise_row(SUM_ROW(s, work_max), b, mask, BLOCK_ABSOLUTE(work));
    raise_row(SUM_ROW(s, max_drift), b, mask, BLOCK_ABSOLUTE(drift));
    raise_row(SUM_ROW(s, balance_max), b, mask, balance);
}

#endif
