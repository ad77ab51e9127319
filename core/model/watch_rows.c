/* The memory of the watches: one block for all arrays of a state. */
#include "core/model/watch_rows.h"

void mass_rows_init(MassRows *m, size_t n, size_t lanes, Arena *arena)
{
    const bool alone = lanes == 1;

    *m = (MassRows){.n = n, .lanes = lanes};
    const ArenaPiece pieces[] = {{&m->pivots, n * lanes},
                                 {&m->largest, n * lanes},
                                 {&m->work, n * n * lanes},
                                 {&m->next_pivots, alone ? 0 : n * lanes},
                                 {&m->next_largest, alone ? 0 : n * lanes}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    if (alone) {
        m->next_pivots = m->pivots;
        m->next_largest = m->largest;
    }
}

size_t rank_state_size(size_t n, size_t n_rows)
{
    return 2 * n_rows + 2 * n + n_rows * n + 3;
}

void rank_state_lay_out(RankState *s, double *all, size_t n, size_t n_rows, size_t lanes)
{
    const struct {
        double **array;
        size_t rows;
    } arrays[] = {{&s->row_scale, n_rows}, {&s->longest, n_rows}, {&s->column_scale, n},
                  {&s->mass, n},           {&s->A, n_rows * n},   {&s->margin, 1},
                  {&s->lasting, 1},        {&s->widest, 1}};
    double *next = s->all = all;

    for (size_t k = 0; next && k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k].array = next;
        next += arrays[k].rows * lanes;
    }
}

void rank_rows_init(RankRows *w, size_t n, const size_t *rows, size_t n_rows, size_t lanes,
                    Arena *arena)
{
    *w = (RankRows){.n = n, .n_rows = n_rows, .lanes = lanes, .rows = rows};
    const size_t state = rank_state_size(n, n_rows) * lanes, all = n_rows * n * lanes;
    const ArenaPiece pieces[] = {{&w->now.all, state},
                                 {&w->past, all},
                                 {&w->t_past, lanes},
                                 {&w->rate, lanes},
                                 {&w->farthest, lanes},
                                 {&w->next.all, state},
                                 {&w->next_rate, lanes},
                                 {&w->next_farthest, lanes},
                                 {&w->B, all},
                                 {&w->gram, n_rows * n_rows * lanes},
                                 {&w->column, n_rows * lanes}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    rank_state_lay_out(&w->now, w->now.all, n, n_rows, lanes);
    rank_state_lay_out(&w->next, w->next.all, n, n_rows, lanes);
    /* one lane alone needs no copy: its new values replace the old ones */
    if (lanes == 1) {
        w->next_rate = w->rate;
        w->next_farthest = w->farthest;
    }
}
