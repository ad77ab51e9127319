/* The signature of M along a motion: numbers of negative eigenvalues, which do not depend on units
 * (J. J. Sylvester's law of inertia), of M in units in which it was near 1 at the start. */
#include "core/model/legendre_watch.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/evaluate.h"
#include "core/model/kinds.h"
#include "core/numeric/jacobi.h"

/* Points of the segment between two states at which the signature of M is computed. */
enum { PROBES = 8 };

void legendre_watch_init(LegendreWatch *w, ModelEval *eval, Arena *arena)
{
    const size_t n = eval->model->n;

    *w = (LegendreWatch){.eval = eval};
    w->last = arena_doubles(arena, 1 + 2 * n);
    w->state = arena_doubles(arena, 1 + 2 * n);
    w->unit = arena_doubles(arena, n);
    w->work = arena_doubles(arena, n * n);
    w->values = arena_doubles(arena, n);
}

/* The number of negative eigenvalues of M at w->state; n + 1 if one is zero or not finite, or if
 * they were not found. */
static size_t count_negative(LegendreWatch *w)
{
    const size_t n = w->eval->model->n;
    const double *x = w->state;
    const double *M = model_point(w->eval, x[0], x + 1, x + 1 + n).M;
    size_t negative = 0, regular = 0;

    if (!w->begun)
        kinds_velocity_units(w->eval->model, M, w->unit);
    /* in units in which M was near 1 at the start */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->work[i * n + j] = M[i * n + j] * w->unit[i] * w->unit[j];
    if (!jacobi_eigenvalues(w->work, n, w->values))
        return n + 1;
    for (size_t i = 0; i < n; i++) {
        negative += w->values[i] < 0;
        regular += w->values[i] != 0 && isfinite(w->values[i]);
    }
    return regular == n ? negative : n + 1;
}

bool legendre_watch_folds(LegendreWatch *w, double t, const double *q, const double *v)
{
    if (!w->eval)
        return false;
    const size_t n = w->eval->model->n, size = 1 + 2 * n;
    /* count at some points of the segment from the last state; at the start, at the state alone */
    double *x = w->state;
    bool folds = false;

    for (size_t k = w->begun ? 1 : PROBES; k <= PROBES && !folds; k++) {
        const double part = (double)k / PROBES;
        for (size_t i = 0; i < size; i++) {
            const double now = i == 0 ? t : i <= n ? q[i - 1] : v[i - 1 - n];
            x[i] = k == PROBES ? now : w->last[i] + part * (now - w->last[i]);
        }
        const size_t negative = count_negative(w);
        folds = w->begun && negative != w->negative;
        w->negative = w->begun ? w->negative : negative;
    }
    memcpy(w->last, x, size * sizeof *x);
    w->begun = true;
    return folds;
}

void legendre_watch_restart(LegendreWatch *w)
{
    w->begun = false;
}
