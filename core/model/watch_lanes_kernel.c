/* The watches in lanes, for each instruction set (kernels.h). Values are computed in the order of
 * mass_watch.c and rank_watch.c. */
#include "core/model/watch_lanes.h"
#include "core/model/watch_limits.h"
#include "core/program/blocks.h"
#include "core/program/kernels.h"

/* One step of the elimination; see eliminate() of mass_watch.c. */
static void eliminate(const MassLanes *m, size_t k, size_t b)
{
    const size_t n = m->n, lanes = m->lanes;
    double *left = m->work;

    for (size_t i = k + 1; i < n; i++) {
        const Block below = *block_at(left, (i * n + k) * lanes + b);
        const Block factor = below / *block_at(left, (k * n + k) * lanes + b);
        const BlockMask takes = (below != 0) & (factor != 0);
        if (!block_any(&takes))
            continue;
        for (size_t j = k + 1; j < n; j++) {
            const size_t at = (i * n + j) * lanes + b;
            const Block rest =
                *block_at(left, at) - factor * *block_at(left, (k * n + j) * lanes + b);
            block_put(left, at, &takes, &rest);
        }
    }
}

static void mass_look(MassLanes *m, const WatchedStep *step, int64_t *masks)
{
    const size_t n = m->n, lanes = m->lanes;
    double *left = m->work;

    for (size_t b = 0; b < lanes; b += BLOCK) {
        /* start from the lanes still in the masks, and copy M */
        BlockMask clear = *block_mask_at(masks, b);
        for (size_t i = b; i < n * n * lanes; i += lanes)
            *block_of(left, i) = *block_at(step->changing, i);
        /* update the largest M_ii so far */
        for (size_t k = 0; k < n; k++) {
            const Block diagonal = *block_at(left, (k * n + k) * lanes + b);
            const Block largest = *block_at(m->largest, k * lanes + b);
            *block_of(m->next_largest, k * lanes + b) = BLOCK_LARGER(diagonal, largest);
        }
        /* test and eliminate the pivots */
        for (size_t k = 0; k < n; k++) {
            const Block pivot = *block_at(left, (k * n + k) * lanes + b);
            const Block before = *block_at(m->pivots, k * lanes + b);
            const Block next = BLOCK_SELECT(pivot < before, 2 * pivot - before, pivot);
            clear &=
                (next > MIN_PIVOT_RATIO * *block_at(m->next_largest, k * lanes + b)) & (pivot > 0);
            *block_of(m->next_pivots, k * lanes + b) = pivot;
            eliminate(m, k, b);
        }
        *block_mask_of(masks, b) = clear;
    }
}

static void take_rows(double *to, const double *from, const int64_t *masks, size_t rows,
                      size_t lanes)
{
    for (size_t b = 0; b < lanes; b += BLOCK)
        for (size_t i = b; i < rows * lanes; i += lanes)
            block_put(to, i, block_mask_at(masks, b), block_at(from, i));
}

static void mass_take(MassLanes *m, const int64_t *masks)
{
    take_rows(m->pivots, m->next_pivots, masks, m->n, m->lanes);
    take_rows(m->largest, m->next_largest, masks, m->n, m->lanes);
}

static void rank_fill(const RankLanes *w, const double *row_scale, const double *column_scale,
                      size_t b)
{
    const size_t n = w->n, lanes = w->lanes;

    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = (k * n + i) * lanes + b;
            *block_of(w->matrix, at) = *block_at(row_scale, k * lanes + b) *
                                       *block_at(column_scale, i * lanes + b) *
                                       *block_at(w->seen, at);
        }
}

/* The sum of n products of rows that are `lanes` apart. */
static inline __attribute__((always_inline)) Block dot(const double *a, const double *b, size_t n,
                                                       size_t lanes)
{
    Block sum = {0};
    for (size_t i = 0; i < n; i++)
        sum += *block_at(a, i * lanes) * *block_at(b, i * lanes);
    return sum;
}

/* factor() of w->matrix; -1 in lanes that have lost rank, within rounding. */
static inline __attribute__((always_inline)) BlockMask factor(const RankLanes *w, const size_t r,
                                                              size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    const double *B = w->matrix + b;
    BlockMask lost = {0};

    for (size_t i = 0; i < r; i++) {
        double *row = w->gram + i * r * lanes + b;
        /* row i of the Cholesky factor */
        for (size_t j = 0; j <= i; j++) {
            const double *other = w->gram + j * r * lanes + b;
            const Block rest =
                dot(B + i * n * lanes, B + j * n * lanes, n, lanes) - dot(row, other, j, lanes);
            if (j < i) {
                *block_of(row, j * lanes) = rest / *block_at(other, j * lanes);
                continue;
            }
            lost |= ~(rest > 0);
            *block_of(row, i * lanes) = BLOCK_SQRT(rest);
        }
    }
    return lost;
}

static inline __attribute__((always_inline)) Block margin_of_rows(const RankLanes *w,
                                                                  const size_t r, size_t b)
{
    const size_t lanes = w->lanes;
    const BlockMask lost = factor(w, r, b);
    double *x = w->column + b;
    Block sum = {0};

    for (size_t k = 0; k < r; k++) {
        for (size_t i = k; i < r; i++) {
            const double *row = w->gram + i * r * lanes + b;
            const Block known = dot(row + k * lanes, x + k * lanes, i - k, lanes);
            const Block next = ((i == k ? 1.0 : 0.0) - known) / *block_at(row, i * lanes);
            *block_of(x, i * lanes) = next;
            sum += next * next;
        }
    }
    return BLOCK_SELECT(lost, (Block){0}, 1 / BLOCK_SQRT(sum));
}

/* margin() of w->matrix. Often there is one row; then the compiler knows the count. */
static inline __attribute__((always_inline)) Block margin_of(const RankLanes *w, size_t b)
{
    return w->n_rows == 1 ? margin_of_rows(w, 1, b) : margin_of_rows(w, w->n_rows, b);
}

/* evaluated_near() of rank_watch.c. */
static inline __attribute__((always_inline)) BlockMask is_near(const RankLanes *w,
                                                               const WatchedStep *step, size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    Block off[2], way[2];

    for (size_t part = 0; part < 2; part++) {
        off[part] = way[part] = (Block){0};
        for (size_t i = 0; i < n; i++) {
            const size_t at = (part * n + i) * lanes + b;
            const Block here = *block_at(step->y_new, at);
            const Block beside = *block_at(step->state, at + lanes) - here;
            const Block moved = *block_at(step->y, at) - here;
            off[part] += beside * beside;
            way[part] += moved * moved;
        }
    }
    return (off[0] <= NEAR_STATE_SQUARE * way[0]) & (off[1] <= NEAR_STATE_SQUARE * way[1]);
}

/* Keeps A and the diagonal of M at the new state. */
static void rank_see(const RankLanes *w, const WatchedStep *step, size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    const double *M = step->matrices, *A = M + n * n * lanes;

    for (size_t i = 0; i < n; i++)
        *block_of(w->next_mass, i * lanes + b) =
            BLOCK_ABSOLUTE(*block_at(M, (i * n + i) * lanes + b));
    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++)
            *block_of(w->seen, (k * n + i) * lanes + b) =
                *block_at(A, (w->rows[k] * n + i) * lanes + b);
}

/* distance() of B before and now, and bend(). */
static void ways(const RankLanes *w, const WatchedStep *step, size_t b, Block *ret_change,
                 Block *ret_bend)
{
    const size_t n = w->n, lanes = w->lanes;
    const Block t = *block_at(step->t, b), h = *block_at(step->t_new, b) - t;
    const Block ratio = h / (t - *block_at(w->t_past, b));
    Block change = {0}, bend = {0};

    /* sums of squares */
    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = (k * n + i) * lanes + b;
            const Block scale =
                *block_at(w->row_scale, k * lanes + b) * *block_at(w->column_scale, i * lanes + b);
            const Block here = *block_at(w->here, at), seen = *block_at(w->seen, at);
            const Block by = scale * here - *block_at(w->matrix, at);
            const Block K = scale * ratio / (1 + ratio) *
                            (seen - here - ratio * (here - *block_at(w->past, at)));
            change += by * by;
            bend += K * K;
        }
    *ret_change = BLOCK_SQRT(change);
    *ret_bend = BLOCK_SELECT(BLOCK_FINITE(bend), BLOCK_SQRT(bend), (Block){0});
}

/* scale_columns() of rank_watch.c. */
static void rank_scale(const RankLanes *w, size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    Block largest = {0};

    for (size_t i = 0; i < n; i++) {
        const Block mass = *block_at(w->next_mass, i * lanes + b);
        largest = BLOCK_LARGER(mass, largest);
    }
    largest = BLOCK_SELECT(largest > 0, largest, 1 + (Block){0});
    for (size_t i = 0; i < n; i++) {
        const Block mass = *block_at(w->next_mass, i * lanes + b);
        const Block counts = BLOCK_SELECT(mass > 0, mass, largest);
        *block_of(w->next_column_scale, i * lanes + b) = 1 / BLOCK_SQRT(counts);
    }
}

/* Scales and margins at the start of the next step. The margin is reduced by the largest relative
 * shortening of a row. */
static void rank_start(const RankLanes *w, size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    Block shortest = 1 + (Block){0};

    rank_scale(w, b);
    /* scale each row to length one, and compare the length with the longest so far */
    for (size_t k = 0; k < w->n_rows; k++) {
        Block square = {0};
        for (size_t i = 0; i < n; i++) {
            const Block entry = *block_at(w->seen, (k * n + i) * lanes + b) *
                                *block_at(w->next_column_scale, i * lanes + b);
            square += entry * entry;
        }
        const Block length = BLOCK_SQRT(square), before = *block_at(w->longest, k * lanes + b);
        const Block longest = BLOCK_LARGER(length, before), share = length / longest;
        *block_of(w->next_row_scale, k * lanes + b) =
            BLOCK_SELECT(length > 0, 1 / length, 1 + (Block){0});
        *block_of(w->next_longest, k * lanes + b) = longest;
        shortest = BLOCK_SMALLER(share, shortest);
    }
    /* margin at the new state */
    rank_fill(w, w->next_row_scale, w->next_column_scale, b);
    const Block before = margin_of(w, b), margin = shortest * before;
    const Block widest = *block_at(w->widest, b);
    *block_of(w->next_margin_before, b) = before;
    *block_of(w->next_margin, b) = margin;
    *block_of(w->next_widest, b) = BLOCK_LARGER(margin, widest);
}

/* rank_watch_horizon() and rank_watch_margin(). */
static void rank_ahead(const RankLanes *w, BlockMask looks, size_t b, double *ret_horizon,
                       double *ret_margin)
{
    const Block horizon = *block_at(w->next_margin_before, b) / *block_at(w->next_rate, b);
    const Block margin = *block_at(w->next_margin, b), widest = *block_at(w->next_widest, b);
    const Block before = *block_at(w->farthest, b);
    const Block farther = BLOCK_LARGER(horizon, before);
    const Block farthest = BLOCK_SELECT(looks & (horizon < (double)INFINITY), farther, before);

    *block_of(w->next_farthest, b) = farthest;
    *block_of(ret_horizon, b) = BLOCK_SELECT((margin < NOISE_MARGIN_RATIO * widest) &
                                                 (horizon < NEAR_HORIZON_RATIO * farthest),
                                             (Block){0}, horizon);
    *block_of(ret_margin, b) = margin / widest;
}

static void rank_look(RankLanes *w, const WatchedStep *step, double ahead, double *ret_horizon,
                      double *ret_margin, int64_t *masks)
{
    for (size_t b = 0; b < w->lanes; b += BLOCK) {
        Block change, bend;
        rank_see(w, step, b);
        rank_fill(w, w->row_scale, w->column_scale, b);
        const Block before = *block_at(w->margin_before, b), after = margin_of(w, b);
        const Block h = *block_at(step->t_new, b) - *block_at(step->t, b);
        ways(w, step, b, &change, &bend);
        *block_of(w->next_rate, b) = change / BLOCK_ABSOLUTE(h);
        *block_mask_of(masks, b) &= is_near(w, step, b) & (before + after > 2 * change + bend) &
                                    (after > (ahead + 0.5) * change);
        rank_start(w, b);
        rank_ahead(w, *block_mask_at(step->looks, b), b, ret_horizon, ret_margin);
    }
}

static void rank_take(RankLanes *w, const WatchedStep *step, const int64_t *masks)
{
    const size_t lanes = w->lanes, all = w->n_rows * w->n;

    take_rows(w->t_past, step->t, masks, 1, lanes);
    take_rows(w->past, w->here, masks, all, lanes);
    take_rows(w->here, w->seen, masks, all, lanes);
    take_rows(w->row_scale, w->next_row_scale, masks, w->n_rows, lanes);
    take_rows(w->longest, w->next_longest, masks, w->n_rows, lanes);
    take_rows(w->column_scale, w->next_column_scale, masks, w->n, lanes);
    take_rows(w->mass, w->next_mass, masks, w->n, lanes);
    take_rows(w->margin_before, w->next_margin_before, masks, 1, lanes);
    take_rows(w->margin, w->next_margin, masks, 1, lanes);
    take_rows(w->widest, w->next_widest, masks, 1, lanes);
    take_rows(w->farthest, w->next_farthest, masks, 1, lanes);
    take_rows(w->rate, w->next_rate, masks, 1, lanes);
}

const WatchKernel KERNEL_NAME(watch_kernel) = {mass_look, mass_take, rank_look, rank_take};
