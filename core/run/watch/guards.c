/* Values of guards, and events that cannot be seen. */
#include "core/run/watch/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/run/equations/change_base.h"
#include "core/run/state/extent.h"
#include "core/run/state/projection.h"
#include "core/run/state/row.h"
#include "core/run/watch/observe.h"

/* Units in the last place by which the start is moved to see if an impact acts there. Convention:
 * the rounding of a few operations. */
enum { START_ULPS = 8 };

static ObservedState guarded_state(MotionState *at, double t, const double *y)
{
    ObservedState state = {.t = t};

    state_locate(at, t, y, &state.q, &state.v);
    if (at->s->n_events && observed_guards_need_motion(at->s->observed)) {
        Error ignored;
        MotionPoint point = look_at(at, t, y);
        if (row_multipliers(at, &point, &ignored) == OK)
            state = at->state;
    }
    return state;
}

void guards_look(MotionState *at, EventWatch *events, double t, const double *y, double *ret_values)
{
    const Simulation *s = at->s;
    const ObservedState state = guarded_state(at, t, y);

    observed_guards(s->observed, &state, ret_values);
    for (size_t k = 0; k < s->n_events; k++)
        events->some_lost = events->some_lost || !isfinite(ret_values[k]);
    if (s->motion->n_switches)
        motion_eval_guards(at->eq.eval, t, y, ret_values + s->n_events);
    if (at->eq.watches_dependent)
        ret_values[s->n_events + s->motion->n_switches] = change_base_guard(at, t, y);
}

static const double *look_inside(void *self, const OdeArc *arc, double theta)
{
    MotionState *at = self;
    const double t = arc->t + theta * arc->h;

    arc->state(arc, theta, at->inside);
    const ObservedState state = guarded_state(at, t, at->inside);
    return observed_inputs(at->s->observed, &state);
}

double guards_follow(MotionState *at, Enclosure *enclosure, const OdeArc *arc)
{
    path_follow(&enclosure->path, look_inside, at, arc);
    return extent_loses(at, &enclosure->path) ? 0.5 : 1;
}

void guards_note_lost(MotionState *at, EventWatch *events, double t, const double *y)
{
    guards_look(at, events, t, y, events->guards);
    for (size_t k = 0; k < at->s->n_events; k++)
        if (!isfinite(events->guards[k]) && isnan(events->lost[k]))
            events->lost[k] = t;
    events->some_lost = false;
}

void guards_note_start(MotionState *at, EventWatch *events, double t, const double *y)
{
    const Simulation *s = at->s;
    double *moved = at->scratch;

    guards_look(at, events, t, y, events->guards);
    for (size_t k = 0; k < s->n_events; k++)
        events->at_start[k] = s->events[k].kind == EVENT_WHEN && s->events[k].n_set > 0 &&
                              s->events[k].direction == 0;
    /* a guard is zero to rounding if it is no larger than its change at a moved state */
    for (size_t i = 0; i <= at->size; i++)
        moved[i] = y[i] * (1 + START_ULPS * DBL_EPSILON);
    memcpy(events->guards_at_start, events->guards, s->n_events * sizeof *events->guards);
    guards_look(at, events, t, moved, events->guards);
    for (size_t k = 0; k < s->n_events; k++) {
        const double value = events->guards_at_start[k];
        events->at_start[k] = events->at_start[k] && fabs(value) <= fabs(events->guards[k] - value);
    }
}
