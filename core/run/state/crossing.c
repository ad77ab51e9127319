/* The state inside a passage, which that of the integration may say little about. */
#include "core/run/state/crossing.h"

#include <string.h>

bool crossing_locate(Run *run, double t, const double **ret_q, const double **ret_v)
{
    const OdeArc *arc = run->watch.singular.arc;

    if (!run->eq.smooth.wanted || !singular_covers(&run->watch.singular, t))
        return false;
    arc->state(arc, (t - arc->t) / arc->h, run->eq.smooth.z);
    *ret_q = run->eq.smooth.z;
    *ret_v = run->eq.smooth.z + run->model->n;
    return true;
}

void crossing_look(Run *run)
{
    const size_t n = run->model->n;
    ObservedState *state = &run->at.state;
    const double *q, *v;

    if (!crossing_locate(run, state->t, &q, &v))
        return;
    memcpy(run->eq.smooth.seen, q, 2 * n * sizeof *q);
    state->q = run->eq.smooth.seen;
    state->v = run->eq.smooth.seen + n;
}
