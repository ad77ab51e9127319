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
    const size_t n = eval->model->fixed.n_changing;

    *w = (MassWatch){.eval = eval, .taken_t = NAN};
    if (n == 0)
        return;
    const ArenaPiece pieces[] = {{&w->pivots, n}, {&w->largest, n}, {&w->work, n * n}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
}

void mass_watch_take(MassWatch *w, double t, const double *changing)
{
    const size_t n = w->eval->model->fixed.n_changing;

    w->taken_t = t;
    numbers_copy(w->work, changing, n * n);
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
            w->work[i * n + j] = M[changing[i] * m->n + changing[j]];
}

/* Puts the watched part of M into w->work. */
static void look_at_mass(MassWatch *w, double t, const double *q, const double *v)
{
    if (!w->begun || w->taken_t != t)
        evaluate_mass(w, t, q, v);
    w->begun = true;
    w->taken_t = NAN; /* the elimination overwrites it */
}

/* The following functions have no branches except in loops. The compiler unrolls the loops if it
 * knows n, because their ends would be mispredicted in every step of a motion. */
#define INLINE static inline __attribute__((always_inline))

/* Updates the largest M_ii so far. */
INLINE void take_largest(MassWatch *w, const size_t n)
{
#pragma GCC unroll 4
    for (size_t k = 0; k < n; k++)
        w->largest[k] = w->work[k * n + k] > w->largest[k] ? w->work[k * n + k] : w->largest[k];
}

/* Step k of the elimination, on the rest of M. */
INLINE void eliminate(double *left, const size_t n, const size_t k)
{
#pragma GCC unroll 4
    for (size_t i = k + 1; i < n; i++) {
        const double below = left[i * n + k], factor = below / left[k * n + k];
        const bool takes = (below != 0) & (factor != 0);
#pragma GCC unroll 4
        for (size_t j = k + 1; j < n; j++) {
            const double rest = left[i * n + j] - factor * left[k * n + j];
            left[i * n + j] = takes ? rest : left[i * n + j];
        }
    }
}

INLINE bool suspects(MassWatch *w, const size_t n)
{
    double *left = w->work;
    bool clear = true;

    take_largest(w, n);
#pragma GCC unroll 4
    for (size_t k = 0; k < n; k++) {
        const double pivot = left[k * n + k], before = w->pivots[k], falling = 2 * pivot - before;
        const double next = pivot < before ? falling : pivot;
        clear &= (next > MIN_PIVOT_RATIO * w->largest[k]) & (pivot > 0);
        w->pivots[k] = pivot;
        eliminate(left, n, k);
    }
    return !clear;
}

bool mass_watch_suspects(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->fixed.n_changing;

    if (!w->pivots)
        return false;
    look_at_mass(w, t, q, v);
    return n == 2 ? suspects(w, 2) : suspects(w, n); /* often two angles of a body */
}

bool mass_watch_recovers(MassWatch *w, double t, const double *q, const double *v)
{
    const size_t n = w->eval->model->fixed.n_changing;
    bool recovers = true;

    look_at_mass(w, t, q, v);
    take_largest(w, n);
    for (size_t k = 0; k < n && recovers; k++) {
        w->pivots[k] = w->work[k * n + k];
        recovers = w->pivots[k] > RECOVERED_PIVOT_RATIO * w->largest[k] && w->pivots[k] > 0;
        eliminate(w->work, n, k);
    }
    return recovers;
}
