/* Rows of watches, into rows of lanes and back. */
#include "core/model/watch_lanes.h"

static void put(double *rows, size_t lanes, size_t lane, const double *column, size_t n)
{
    for (size_t k = 0; k < n; k++)
        rows[k * lanes + lane] = column[k];
}

static void get(const double *rows, size_t lanes, size_t lane, double *column, size_t n)
{
    for (size_t k = 0; k < n; k++)
        column[k] = rows[k * lanes + lane];
}

void mass_lanes_enter(MassRows *m, size_t lane, const MassWatch *watch)
{
    put(m->pivots, m->lanes, lane, watch->rows.pivots, m->n);
    put(m->largest, m->lanes, lane, watch->rows.largest, m->n);
}

void mass_lanes_leave(const MassRows *m, size_t lane, MassWatch *watch)
{
    get(m->pivots, m->lanes, lane, watch->rows.pivots, m->n);
    get(m->largest, m->lanes, lane, watch->rows.largest, m->n);
}

void rank_lanes_enter(RankRows *w, size_t lane, const RankWatch *watch)
{
    const size_t lanes = w->lanes;
    const RankRows *of = &watch->rows;

    put(w->now.all, lanes, lane, of->now.all, rank_state_size(w->n, w->n_rows));
    put(w->past, lanes, lane, of->past, w->n_rows * w->n);
    w->t_past[lane] = *of->t_past;
    w->rate[lane] = *of->rate;
    w->farthest[lane] = *of->farthest;
}

void rank_lanes_leave(const RankRows *w, size_t lane, RankWatch *watch, double t,
                      const double *state)
{
    const size_t lanes = w->lanes;
    const RankRows *of = &watch->rows;

    get(w->now.all, lanes, lane, of->now.all, rank_state_size(w->n, w->n_rows));
    get(w->past, lanes, lane, of->past, w->n_rows * w->n);
    *of->t_past = w->t_past[lane];
    *of->rate = w->rate[lane];
    *of->farthest = w->farthest[lane];
    rank_watch_resume(watch, t, state);
}
