/* The pivots of M along a motion: Gaussian elimination in the order of the coordinates, which is
 * stable as long as M is positive definite (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, section 10.1). */
#include "core/model/mass_watch.h"

#include <math.h>

#include "core/base/arena.h"
#include "core/base/numbers.h"
#include "core/model/evaluate.h"
#include "core/model/watch_limits.h"

void mass_watch_init(MassWatch *w, ModelEval *eval, Arena *arena)
{
    const size_t n = eval->model->n_changing;

    *w = (MassWatch){.eval = eval, .taken_t = NAN};
    if (n == 0)
        return;
    const ArenaPiece pieces[] = {{&w->pivots, n}, {&w->largest, n}, {&w->work, n * n}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
}

void mass_watch_take(MassWatch *w, double t, const double *changing)
{
    const size_t n = w->eval->model->n_changing;

    w->taken_t = t;
    numbers_copy(w->work, changing, n * n);
}

/* M at this instant. What projects with pivots evaluates it near enough, too. */
static void evaluate_mass(const MassWatch *w, double t, const double *q, const double *v)
{
    const Function *linear = &w->eval->linear;
    const Model *m = w->eval->model;
    const size_t n = m->n_changing, *changing = m->changing;
    const double *M = w->begun && linear->in[0] == t
                          ? linear->out
                          : evaluate_at(w->eval, &w->eval->linear, t, q, v);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->work[i * n + j] = M[changing[i] * m->n + changing[j]];
}

/* Of what is left of M after k steps of the elimination; false where no more can follow. */
static inline bool eliminate(double *left, size_t n, size_t k)
{
    const double pivot = left[k * n + k];

    if (!(pivot > 0))
        return false;
    for (size_t i = k + 1; i < n; i++) {
        if (left[i * n + k] == 0)
            continue;
        const double factor = left[i * n + k] / pivot;
        for (size_t j = k + 1; j < n && factor != 0; j++)
            left[i * n + j] -= factor * left[k * n + j];
    }
    return true;
}

/* The watched part of M in w->work; the largest M_ii so far. */
static void look_at_mass(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->n_changing;
    const double *left = w->work;

    if (!w->begun || w->taken_t != t)
        evaluate_mass(w, t, q, v);
    w->begun = true;
    w->taken_t = NAN; /* the elimination goes on in its place */
    for (size_t k = 0; k < n; k++)
        w->largest[k] = left[k * n + k] > w->largest[k] ? left[k * n + k] : w->largest[k];
}

bool mass_watch_suspects(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->n_changing;
    double *left = w->work;
    bool suspects = false;

    if (!w->pivots)
        return false;
    look_at_mass(w, t, q, v);
    for (size_t k = 0; k < n && !suspects; k++) {
        const double pivot = left[k * n + k];
        const double next = pivot < w->pivots[k] ? 2 * pivot - w->pivots[k] : pivot;
        suspects = !(next > LEAST * w->largest[k]) || !eliminate(left, n, k);
        w->pivots[k] = pivot;
    }
    return suspects;
}

bool mass_watch_recovers(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->n_changing;
    bool recovers = true;

    look_at_mass(w, t, q, v);
    for (size_t k = 0; k < n && recovers; k++) {
        w->pivots[k] = w->work[k * n + k];
        recovers = w->pivots[k] > RECOVERED * w->largest[k] && eliminate(w->work, n, k);
    }
    return recovers;
}
