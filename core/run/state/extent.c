/* Ranges of coordinates, and the largest speeds. */
#include "core/run/state/extent.h"

#include <math.h>

#include "core/model/kinds.h"

void extent_widen(MotionState *at, const double *q, const double *v)
{
    const size_t n = at->model->n, *kinds = at->model->kinds.first;
    double *low = at->bounds, *high = low + n, *most = at->speed_squares, *now = most + n;

    for (size_t i = 0; i < n; i++) {
        low[i] = q[i] < low[i] ? q[i] : low[i];
        high[i] = q[i] > high[i] ? q[i] : high[i];
        now[i] = 0;
        now[kinds[i]] += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++)
        most[i] = now[i] > most[i] ? now[i] : most[i];
}

bool extent_loses(const MotionState *at, const Path *path)
{
    const Model *m = at->model;
    bool lost = false;

    for (size_t i = 0; i < m->n; i++) {
        const double largest =
            fmax(kinds_largest(m, at->bounds, i), kinds_largest(m, at->bounds + m->n, i));
        lost = lost || path_is_lost(path, 1 + i, largest) ||
               path_is_lost(path, 1 + m->n + i, extent_speed(at, i));
    }
    return lost;
}

double extent_speed(const MotionState *at, size_t i)
{
    const size_t n = at->model->n, *kinds = at->model->kinds.first;
    double count = 0;

    for (size_t j = 0; j < n; j++)
        count += kinds[j] == kinds[i];
    return sqrt(at->speed_squares[kinds[i]] / count);
}
