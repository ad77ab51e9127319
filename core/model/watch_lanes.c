/* Copies the data of watches into rows of lanes and back. */
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

void mass_lanes_init(MassLanes *m, const Model *model, size_t lanes, Arena *arena)
{
    const size_t n = model->fixed.n_changing;

    *m = (MassLanes){.n = n, .lanes = lanes};
    const ArenaPiece pieces[] = {{&m->pivots, n * lanes},
                                 {&m->largest, n * lanes},
                                 {&m->next_pivots, n * lanes},
                                 {&m->next_largest, n * lanes},
                                 {&m->work, n * n * lanes}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
}

void mass_lanes_enter(MassLanes *m, size_t lane, const MassWatch *watch)
{
    put(m->pivots, m->lanes, lane, watch->pivots, m->n);
    put(m->largest, m->lanes, lane, watch->largest, m->n);
}

void mass_lanes_leave(const MassLanes *m, size_t lane, MassWatch *watch)
{
    get(m->pivots, m->lanes, lane, watch->pivots, m->n);
    get(m->largest, m->lanes, lane, watch->largest, m->n);
}

void rank_lanes_init(RankLanes *w, size_t n, const size_t *rows, size_t n_rows, size_t lanes,
                     Arena *arena)
{
    *w = (RankLanes){.n = n, .n_rows = n_rows, .lanes = lanes, .rows = rows};
    const size_t of_rows = n_rows * lanes, of_columns = n * lanes, all = n_rows * n * lanes;
    /* one block of memory for the state before, the state after, and scratch */
    const ArenaPiece pieces[] = {{&w->row_scale, of_rows},
                                 {&w->longest, of_rows},
                                 {&w->column_scale, of_columns},
                                 {&w->mass, of_columns},
                                 {&w->here, all},
                                 {&w->past, all},
                                 {&w->margin_before, lanes},
                                 {&w->margin, lanes},
                                 {&w->widest, lanes},
                                 {&w->farthest, lanes},
                                 {&w->rate, lanes},
                                 {&w->t_past, lanes},
                                 {&w->next_row_scale, of_rows},
                                 {&w->next_longest, of_rows},
                                 {&w->next_column_scale, of_columns},
                                 {&w->next_mass, of_columns},
                                 {&w->seen, all},
                                 {&w->next_margin_before, lanes},
                                 {&w->next_margin, lanes},
                                 {&w->next_widest, lanes},
                                 {&w->next_farthest, lanes},
                                 {&w->next_rate, lanes},
                                 {&w->matrix, all},
                                 {&w->gram, n_rows * of_rows},
                                 {&w->column, of_rows}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
}

void rank_lanes_enter(RankLanes *w, size_t lane, const RankWatch *watch)
{
    const size_t lanes = w->lanes, n = w->n, all = w->n_rows * n;

    put(w->row_scale, lanes, lane, watch->row_scale, w->n_rows);
    put(w->longest, lanes, lane, watch->longest, w->n_rows);
    put(w->column_scale, lanes, lane, watch->column_scale, n);
    put(w->mass, lanes, lane, watch->mass, n);
    put(w->here, lanes, lane, watch->here, all);
    put(w->past, lanes, lane, watch->past, all);
    w->margin_before[lane] = watch->margin_before;
    w->margin[lane] = watch->margin;
    w->widest[lane] = watch->widest;
    w->farthest[lane] = watch->farthest;
    w->rate[lane] = watch->rate;
    w->t_past[lane] = watch->t_past;
}

void rank_lanes_leave(const RankLanes *w, size_t lane, RankWatch *watch, double t,
                      const double *state)
{
    const size_t lanes = w->lanes, n = w->n, all = w->n_rows * n;

    get(w->row_scale, lanes, lane, watch->row_scale, w->n_rows);
    get(w->longest, lanes, lane, watch->longest, w->n_rows);
    get(w->column_scale, lanes, lane, watch->column_scale, n);
    get(w->mass, lanes, lane, watch->mass, n);
    get(w->here, lanes, lane, watch->here, all);
    get(w->past, lanes, lane, watch->past, all);
    watch->margin_before = w->margin_before[lane];
    watch->margin = w->margin[lane];
    watch->widest = w->widest[lane];
    watch->farthest = w->farthest[lane];
    watch->rate = w->rate[lane];
    watch->t_past = w->t_past[lane];
    rank_watch_resume(watch, t, state);
}
