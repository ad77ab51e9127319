/* The watches in lanes, for each instruction set (kernels.h): the rules of watch_blocks.h. */
#include "core/program/blocks.h"

#include "core/model/watch_blocks.h"
#include "core/model/watch_lanes.h"
#include "core/program/kernels.h"

static void mass_look(MassRows *m, const WatchedStep *step, int64_t *masks)
{
    const size_t n = m->n, lanes = m->lanes;

    for (size_t b = 0; b < lanes; b += BLOCK) {
        for (size_t i = b; i < n * n * lanes; i += lanes)
            *block_of(m->work, i) = *block_at(step->changing, i);
        *block_mask_of(masks, b) &= mass_is_clear(m, n, b);
    }
}

static void take_rows(double *to, const double *from, const int64_t *masks, size_t rows,
                      size_t lanes)
{
    for (size_t b = 0; b < lanes; b += BLOCK)
        for (size_t i = b; i < rows * lanes; i += lanes)
            block_put(to, i, block_mask_at(masks, b), block_at(from, i));
}

static void mass_take(MassRows *m, const int64_t *masks)
{
    take_rows(m->pivots, m->next_pivots, masks, m->n, m->lanes);
    take_rows(m->largest, m->next_largest, masks, m->n, m->lanes);
}

/* Keeps A and the diagonal of M at the new state. */
static void rank_see(const RankRows *w, const WatchedStep *step, size_t b)
{
    const size_t n = w->n, lanes = w->lanes;
    const double *M = step->matrices, *A = M + n * n * lanes;

    for (size_t i = 0; i < n; i++)
        *block_of(w->next.mass, i * lanes + b) =
            BLOCK_ABSOLUTE(*block_at(M, (i * n + i) * lanes + b));
    for (size_t k = 0; k < w->n_rows; k++)
        for (size_t i = 0; i < n; i++)
            *block_of(w->next.A, (k * n + i) * lanes + b) =
                *block_at(A, (w->rows[k] * n + i) * lanes + b);
}

static void rank_look(RankRows *w, const WatchedStep *step, double ahead, double *ret_horizon,
                      double *ret_margin, int64_t *masks)
{
    const size_t lanes = w->lanes, velocities = w->n * lanes;
    const double *evaluated = step->state + lanes; /* behind t */

    for (size_t b = 0; b < lanes; b += BLOCK) {
        Block margin;
        rank_see(w, step, b);
        *block_mask_of(masks, b) &=
            rank_is_near(w, evaluated, step->y_new, step->y, b) &
            rank_is_near(w, evaluated + velocities, step->y_new + velocities, step->y + velocities,
                         b) &
            rank_stays(w, ahead, block_at(step->t, b), block_at(step->t_new, b), b, w->B, &margin);
        rank_scale_columns(w, b);
        rank_scale_rows(w, b);
        *block_of(ret_horizon, b) = rank_horizon(w, &w->next, *block_mask_at(step->looks, b), b);
        *block_of(ret_margin, b) = rank_lasting_part(&w->next, b);
    }
}

static void rank_take(RankRows *w, const WatchedStep *step, const int64_t *masks)
{
    const size_t lanes = w->lanes;

    take_rows(w->t_past, step->t, masks, 1, lanes);
    take_rows(w->past, w->now.A, masks, w->n_rows * w->n, lanes);
    take_rows(w->now.all, w->next.all, masks, rank_state_size(w->n, w->n_rows), lanes);
    take_rows(w->rate, w->next_rate, masks, 1, lanes);
    take_rows(w->farthest, w->next_farthest, masks, 1, lanes);
}

const WatchKernel KERNEL_NAME(watch_kernel) = {mass_look, mass_take, rank_look, rank_take};
