/* The state inside a passage, which that of the integration may say little about. */
#include "core/run/state/crossing.h"

#include <string.h>

bool crossing_locate(MotionState *at, double t, const double **ret_q, const double **ret_v)
{
    const OdeArc *arc = at->singular.arc;

    if (!at->eq.smooth.wanted || !singular_covers(&at->singular, t))
        return false;
    arc->state(arc, (t - arc->t) / arc->h, at->eq.smooth.z);
    *ret_q = at->eq.smooth.z;
    *ret_v = at->eq.smooth.z + at->model->n;
    return true;
}

void crossing_look(MotionState *at)
{
    const size_t n = at->model->n;
    ObservedState *state = &at->state;
    const double *q, *v;

    if (!crossing_locate(at, state->t, &q, &v))
        return;
    memcpy(at->eq.smooth.seen, q, 2 * n * sizeof *q);
    state->q = at->eq.smooth.seen;
    state->v = at->eq.smooth.seen + n;
}
