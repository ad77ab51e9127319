/* The state inside a passage, which that of the integration may say little about. */
#include "core/run/crossing.h"

#include <string.h>

bool crossing_locate(Run *run, double t, const double **ret_q, const double **ret_v)
{
    const OdeArc *arc = run->singular.arc;

    if (!run->smooth.wanted || !singular_covers(&run->singular, t))
        return false;
    arc->state(arc, (t - arc->t) / arc->h, run->smooth.z);
    *ret_q = run->smooth.z;
    *ret_v = run->smooth.z + run->model->n;
    return true;
}

void crossing_look(Run *run)
{
    const size_t n = run->model->n;
    ObservedState *state = &run->state;
    const double *q, *v;

    if (!crossing_locate(run, state->t, &q, &v))
        return;
    memcpy(run->smooth.seen, q, 2 * n * sizeof *q);
    state->q = run->smooth.seen;
    state->v = run->smooth.seen + n;
}
