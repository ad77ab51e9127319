/* The pivots of M along a motion: Gaussian elimination in the order of the coordinates, which is
 * stable as long as M is positive definite (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, section 10.1). */
#include "core/model/mass_watch.h"

#include <math.h>

#include "core/base/arena.h"
#include "core/base/numbers.h"
#include "core/model/evaluate.h"
#include "core/program/block_of_one.h"

#include "core/model/watch_blocks.h"

void mass_watch_init(MassWatch *w, ModelEval *eval, Arena *arena)
{
    const size_t n = eval->model->fixed.n_changing;

    *w = (MassWatch){.eval = eval, .taken_t = NAN};
    if (n > 0)
        mass_rows_init(&w->rows, n, 1, arena);
}

void mass_watch_take(MassWatch *w, double t, const double *changing)
{
    const size_t n = w->eval->model->fixed.n_changing;

    w->taken_t = t;
    numbers_copy(w->rows.work, changing, n * n);
}

/* M at time t. If a projection has evaluated M at t, its state was near enough. */
static void evaluate_mass(const MassWatch *w, double t, const double *q, const double *v)
{
    const Function *linear = &w->eval->linear;
    const Model *m = w->eval->model;
    const size_t n = m->fixed.n_changing, *changing = m->fixed.changing;
    const double *M = w->begun && linear->in[0] == t
                          ? linear->out
                          : evaluate_at(w->eval, &w->eval->linear, t, q, v);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->rows.work[i * n + j] = M[changing[i] * m->n + changing[j]];
}

static void look_at_mass(MassWatch *w, double t, const double *q, const double *v)
{
    if (!w->begun || w->taken_t != t)
        evaluate_mass(w, t, q, v);
    w->begun = true;
    w->taken_t = NAN; /* the elimination overwrites it */
}

bool mass_watch_suspects(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->fixed.n_changing;

    if (!w->rows.pivots)
        return false;
    look_at_mass(w, t, q, v);
    /* often two angles of a body */
    return !(n == 2 ? mass_is_clear(&w->rows, 2, 0) : mass_is_clear(&w->rows, n, 0));
}

bool mass_watch_recovers(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->fixed.n_changing;
    const MassRows *rows = &w->rows;
    bool recovers = true;

    look_at_mass(w, t, q, v);
    mass_largest(rows, n, 0);
    for (size_t k = 0; k < n && recovers; k++) {
        const double pivot = rows->work[k * n + k];
        rows->pivots[k] = pivot;
        recovers = pivot > RECOVERED_PIVOT_RATIO * rows->largest[k] && pivot > 0;
        mass_eliminate(rows, n, k, 0);
    }
    return recovers;
}
