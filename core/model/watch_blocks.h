/* The rules of mass_watch and rank_watch in blocks: of one motion (block_of_one.h) and of motions
 * in lanes (blocks.h), one of which is included before. `b` is the first lane of a block. */
#ifndef CORE_MODEL_WATCH_BLOCKS_H
#define CORE_MODEL_WATCH_BLOCKS_H

#include "core/model/watch_limits.h"
#include "core/model/watch_rows.h"

/* The compiler knows the distance of two rows of one motion. */
RULE size_t lanes_of(size_t lanes)
{
    return BLOCK == 1 ? 1 : lanes;
}

/* M */

/* The following functions have no branches except in loops. The compiler unrolls the loops if it
 * knows n, because their ends would be mispredicted in every step of a motion. */

/* Updates the largest M_ii so far. */
RULE void mass_largest(const MassRows *m, const size_t n, size_t b)
{
    const size_t lanes = lanes_of(m->lanes);

#pragma GCC unroll 4
    for (size_t k = 0; k < n; k++) {
        const Block diagonal = *block_at(m->work, (k * n + k) * lanes + b);
        const Block largest = *block_at(m->largest, k * lanes + b);
        *block_of(m->next_largest, k * lanes + b) = BLOCK_LARGER(diagonal, largest);
    }
}

/* Step k of the elimination, on the rest of M. */
RULE void mass_eliminate(const MassRows *m, const size_t n, const size_t k, size_t b)
{
    const size_t lanes = lanes_of(m->lanes);
    double *left = m->work;

#pragma GCC unroll 4
    for (size_t i = k + 1; i < n; i++) {
        const Block below = *block_at(left, (i * n + k) * lanes + b);
        const Block factor = below / *block_at(left, (k * n + k) * lanes + b);
        const BlockMask takes = (below != 0) & (factor != 0);
#pragma GCC unroll 4
        for (size_t j = k + 1; j < n; j++) {
            const size_t at = (i * n + j) * lanes + b;
            const Block rest =
                *block_at(left, at) - factor * *block_at(left, (k * n + j) * lanes + b);
            block_put(left, at, &takes, &rest);
        }
    }
}

/* Tests and eliminates the pivots of m->work. False where a pivot is small relative to the largest
 * M_ii so far, or will be at the end of the next step if it keeps falling at this rate. */
RULE BlockMask mass_is_clear(const MassRows *m, const size_t n, size_t b)
{
    const size_t lanes = lanes_of(m->lanes);
    BlockMask suspect = {0};

    mass_largest(m, n, b);
#pragma GCC unroll 4
    for (size_t k = 0; k < n; k++) {
        const Block pivot = *block_at(m->work, (k * n + k) * lanes + b);
        const Block before = *block_at(m->pivots, k * lanes + b);
        const Block next = BLOCK_SELECT(pivot < before, 2 * pivot - before, pivot);
        const Block least = MIN_PIVOT_RATIO * *block_at(m->next_largest, k * lanes + b);
        suspect |= BLOCK_NOT((next > least) & (pivot > 0));
        *block_of(m->next_pivots, k * lanes + b) = pivot;
        mass_eliminate(m, n, k, b);
    }
    return BLOCK_NOT(suspect);
}

/* The rank */

/* B of these rows A in the scales of a state. */
RULE void rank_fill(const RankRows *w, const RankState *s, const double *A, double *B, size_t b)
{
    const size_t n = w->n, lanes = lanes_of(w->lanes);

    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = (k * n + i) * lanes + b;
            *block_of(B, at) = *block_at(s->row_scale, k * lanes + b) *
                               *block_at(s->column_scale, i * lanes + b) * *block_at(A, at);
        }
}

/* The sum of n products of rows that are `lanes` apart. */
RULE Block rows_dot(const double *a, const double *b, size_t n, size_t lanes)
{
    Block sum = {0};
    for (size_t i = 0; i < n; i++)
        sum += *block_at(a, i * lanes) * *block_at(b, i * lanes);
    return sum;
}

/* B B^T = L L^T, L into w->gram; r: n_rows. True where B has lost rank, within rounding. */
RULE BlockMask rank_factor(const RankRows *w, const double *B, const size_t r, size_t b)
{
    const size_t n = w->n, lanes = lanes_of(w->lanes);
    BlockMask lost = {0};

    for (size_t i = 0; i < r; i++) {
        double *row = w->gram + i * r * lanes + b;
        for (size_t j = 0; j <= i; j++) {
            const double *other = w->gram + j * r * lanes + b;
            const Block rest = rows_dot(B + i * n * lanes + b, B + j * n * lanes + b, n, lanes) -
                               rows_dot(row, other, j, lanes);
            if (j < i) {
                *block_of(row, j * lanes) = rest / *block_at(other, j * lanes);
                continue;
            }
            /* NaN counts as lost */
            lost |= BLOCK_NOT(rest > 0);
            *block_of(row, i * lanes) = BLOCK_SQRT(rest);
        }
    }
    return lost;
}

/* 1 / |B^+| in the Frobenius norm: at most the smallest singular value, and at least that over the
 * square root of n_rows. */
RULE Block rank_margin_of_rows(const RankRows *w, const double *B, const size_t r, size_t b)
{
    const size_t lanes = lanes_of(w->lanes);
    const BlockMask lost = rank_factor(w, B, r, b);
    double *x = w->column + b;
    Block sum = {0};

    for (size_t k = 0; k < r; k++)
        for (size_t i = k; i < r; i++) {
            const double *row = w->gram + i * r * lanes + b;
            const Block known = rows_dot(row + k * lanes, x + k * lanes, i - k, lanes);
            const Block next = ((i == k ? 1.0 : 0.0) - known) / *block_at(row, i * lanes);
            *block_of(x, i * lanes) = next;
            sum += next * next;
        }
    return BLOCK_SELECT(lost, (Block){0}, 1 / BLOCK_SQRT(sum));
}

/* Often there is one row; then the compiler knows the count. */
RULE Block rank_margin(const RankRows *w, const double *B, size_t b)
{
    return w->n_rows == 1 ? rank_margin_of_rows(w, B, 1, b)
                          : rank_margin_of_rows(w, B, w->n_rows, b);
}

/* Whether M and A were evaluated (`beside`, n rows: coordinates or velocities) at the state `here`,
 * up to a small fraction of the way from the state `before`. A projection ends with a correction
 * after which they need no new evaluation. */
RULE BlockMask rank_is_near(const RankRows *w, const double *beside, const double *here,
                            const double *before, size_t b)
{
    const size_t lanes = lanes_of(w->lanes);
    Block off = {0}, way = {0};

    for (size_t i = 0; i < w->n; i++) {
        const size_t at = i * lanes + b;
        const Block by = *block_at(beside, at) - *block_at(here, at);
        const Block moved = *block_at(before, at) - *block_at(here, at);
        off += by * by;
        way += moved * moved;
    }
    return off <= NEAR_STATE_SQUARE * way;
}

/* |B' - B| between the states; and the deviation |K| of B from a straight path,
 * from the parabola through the last three states: B = B0 + theta (B1 - B0) +
 * theta (theta - 1) K. */
RULE void rank_ways(const RankRows *w, const double *B, const Block *t, const Block *t_new,
                    size_t b, Block *ret_change, Block *ret_bend)
{
    const size_t n = w->n, lanes = lanes_of(w->lanes);
    const Block ratio = (*t_new - *t) / (*t - *block_at(w->t_past, b));
    Block change = {0}, bend = {0};

    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = (k * n + i) * lanes + b;
            const Block scale = *block_at(w->now.row_scale, k * lanes + b) *
                                *block_at(w->now.column_scale, i * lanes + b);
            const Block here = *block_at(w->now.A, at), seen = *block_at(w->next.A, at);
            const Block by = scale * here - *block_at(B, at);
            const Block K = scale * ratio / (1 + ratio) *
                            (seen - here - ratio * (here - *block_at(w->past, at)));
            change += by * by;
            bend += K * K;
        }
    *ret_change = BLOCK_SQRT(change);
    /* t_past is NaN without a third state: then no bend is known */
    *ret_bend = BLOCK_SELECT(BLOCK_FINITE(bend), BLOCK_SQRT(bend), (Block){0});
}

/* Whether the rank stays full from `now` to `next`, whose A is known, and for `ahead` times that
 * distance beyond if the motion continues alike. B' in the scales of `now`, and its margin. */
RULE BlockMask rank_stays(const RankRows *w, double ahead, const Block *t, const Block *t_new,
                          size_t b, double *ret_B, Block *ret_margin)
{
    Block change, bend;

    rank_fill(w, &w->now, w->next.A, ret_B, b);
    const Block before = *block_at(w->now.margin, b), after = rank_margin(w, ret_B, b);
    rank_ways(w, ret_B, t, t_new, b, &change, &bend);
    *block_of(w->next_rate, b) = change / BLOCK_ABSOLUTE(*t_new - *t);
    *ret_margin = after;
    return (before + after > 2 * change + bend) & (after > (ahead + 0.5) * change);
}

/* Scales of the columns: 1 over the square root of the mass; a coordinate without mass takes the
 * largest mass. */
RULE void rank_scale_columns(const RankRows *w, size_t b)
{
    const size_t n = w->n, lanes = lanes_of(w->lanes);
    Block largest = {0};

    for (size_t i = 0; i < n; i++) {
        const Block mass = *block_at(w->next.mass, i * lanes + b);
        largest = BLOCK_LARGER(mass, largest);
    }
    largest = BLOCK_SELECT(largest > 0, largest, 1 + (Block){0});
    for (size_t i = 0; i < n; i++) {
        const Block mass = *block_at(w->next.mass, i * lanes + b);
        const Block counts = BLOCK_SELECT(mass > 0, mass, largest);
        *block_of(w->next.column_scale, i * lanes + b) = 1 / BLOCK_SQRT(counts);
    }
}

/* The other scales and the margins of `next`, whose columns are scaled: each row gets the length
 * one. The lasting margin is reduced by the largest relative shortening of a row. Leaves B of
 * `next` in its own scales in w->B. */
RULE void rank_scale_rows(const RankRows *w, size_t b)
{
    const size_t n = w->n, lanes = lanes_of(w->lanes);
    const RankState *now = &w->now, *next = &w->next;
    Block shortest = 1 + (Block){0};

    /* scale each row, and compare its length with the longest so far */
    for (size_t k = 0; k < w->n_rows; k++) {
        Block square = {0};
        for (size_t i = 0; i < n; i++) {
            const Block entry = *block_at(next->A, (k * n + i) * lanes + b) *
                                *block_at(next->column_scale, i * lanes + b);
            square += entry * entry;
        }
        const Block length = BLOCK_SQRT(square), before = *block_at(now->longest, k * lanes + b);
        const Block longest = BLOCK_LARGER(length, before), share = length / longest;
        *block_of(next->row_scale, k * lanes + b) =
            BLOCK_SELECT(length > 0, 1 / length, 1 + (Block){0});
        *block_of(next->longest, k * lanes + b) = longest;
        shortest = BLOCK_SMALLER(share, shortest);
    }
    /* the margins */
    rank_fill(w, next, next->A, w->B, b);
    const Block margin = rank_margin(w, w->B, b), lasting = shortest * margin;
    const Block widest = *block_at(now->widest, b);
    *block_of(next->margin, b) = margin;
    *block_of(next->lasting, b) = lasting;
    *block_of(next->widest, b) = BLOCK_LARGER(lasting, widest);
}

/* The time for which the rank stays full from this state if B keeps its rate of change; 0 where the
 * rank is so nearly lost that rounding decides about the accelerations. Where `looks` holds, the
 * farthest so far is kept. */
RULE Block rank_horizon(const RankRows *w, const RankState *s, BlockMask looks, size_t b)
{
    const Block horizon = *block_at(s->margin, b) / *block_at(w->next_rate, b);
    const Block lasting = *block_at(s->lasting, b), widest = *block_at(s->widest, b);
    const Block before = *block_at(w->farthest, b), farther = BLOCK_LARGER(horizon, before);
    const Block farthest = BLOCK_SELECT(looks & BLOCK_FINITE(horizon), farther, before);
    const BlockMask lost =
        (lasting < NOISE_MARGIN_RATIO * widest) & (horizon < NEAR_HORIZON_RATIO * farthest);

    *block_of(w->next_farthest, b) = farthest;
    return BLOCK_SELECT(lost, (Block){0}, horizon);
}

/* The margin to a loss of rank relative to the widest so far, in (0, 1]. */
RULE Block rank_lasting_part(const RankState *s, size_t b)
{
    return *block_at(s->lasting, b) / *block_at(s->widest, b);
}

#endif
