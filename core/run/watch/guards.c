/* The guards of a run: its events, the switches of its equations, and the dependent velocities. */
#include "core/run/watch/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/run/equations/change_base.h"
#include "core/run/state/extent.h"
#include "core/run/state/projection.h"
#include "core/run/state/row.h"
#include "core/run/watch/look.h"

/* Units in the last place by which the start is moved to see if an impact acts there. Convention:
 * the rounding of a few operations. */
enum { START_ULPS = 8 };

/* The inputs of the guards of events at a state. */
static ObservedState guarded_state(Run *run, double t, const double *y)
{
    ObservedState state = {.t = t};

    state_locate(&run->at, t, y, &state.q, &state.v);
    if (run->at.s->n_events && observed_guards_need_motion(run->at.s->observed)) {
        Error ignored;
        MotionPoint point = look_at(&run->at, t, y);
        if (row_multipliers(&run->at, &point, &ignored) == OK)
            state = run->at.state;
    }
    return state;
}

void guards_look(void *self, double t, const double *y, double *ret_values)
{
    Run *run = self;
    const Simulation *s = run->at.s;
    const ObservedState state = guarded_state(run, t, y);

    observed_guards(s->observed, &state, ret_values);
    for (size_t k = 0; k < s->n_events; k++)
        run->watch.events.some_lost = run->watch.events.some_lost || !isfinite(ret_values[k]);
    if (s->motion->n_switches)
        motion_eval_guards(run->at.eq.eval, t, y, ret_values + s->n_events);
    if (run->at.eq.watches_dependent)
        ret_values[s->n_events + s->motion->n_switches] = change_base_guard(&run->at, t, y);
}

static const double *look_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    const double t = arc->t + theta * arc->h;

    arc->state(arc, theta, run->at.inside);
    const ObservedState state = guarded_state(run, t, run->at.inside);
    return observed_inputs(run->at.s->observed, &state);
}

/* Half of the step, if a chart turns too often within it. */
double guards_follow(void *self, const OdeArc *arc)
{
    Run *run = self;
    path_follow(&run->watch.enclosure.path, look_inside, run, arc);
    return extent_loses(&run->at, &run->watch.enclosure.path) ? 0.5 : 1;
}

void guards_enclose(void *self, size_t guard, double from, double to, OdeRange *ret_range)
{
    Run *run = self;
    enclosure_take(&run->watch.enclosure, guard, from, to, ret_range);
}

/* Events that are not finite at the end of a step: from there on they see no root. */
void guards_note_lost(Run *run, double t, const double *y)
{
    guards_look(run, t, y, run->watch.events.guards);
    for (size_t k = 0; k < run->at.s->n_events; k++)
        if (!isfinite(run->watch.events.guards[k]) && isnan(run->watch.events.lost[k]))
            run->watch.events.lost[k] = t;
    run->watch.events.some_lost = false;
}

/* Finds impacts without a direction whose guards are zero at the start, to rounding. The
 * rounding error of a guard is its change if the state moves by some units in the last place. */
void guards_note_start(Run *run, double t, const double *y)
{
    const Simulation *s = run->at.s;
    double *moved = run->at.scratch;

    guards_look(run, t, y, run->watch.events.guards);
    for (size_t k = 0; k < s->n_events; k++)
        run->watch.events.at_start[k] = s->events[k].kind == EVENT_WHEN && s->events[k].n_set > 0 &&
                                        s->events[k].direction == 0;
    /* zero to rounding: a guard no larger than its change by moved coordinates */
    for (size_t i = 0; i <= run->at.size; i++)
        moved[i] = y[i] * (1 + START_ULPS * DBL_EPSILON);
    memcpy(run->watch.events.guards_at_start, run->watch.events.guards,
           s->n_events * sizeof *run->watch.events.guards);
    guards_look(run, t, moved, run->watch.events.guards);
    for (size_t k = 0; k < s->n_events; k++) {
        const double value = run->watch.events.guards_at_start[k];
        run->watch.events.at_start[k] = run->watch.events.at_start[k] &&
                                        fabs(value) <= fabs(run->watch.events.guards[k] - value);
    }
}
