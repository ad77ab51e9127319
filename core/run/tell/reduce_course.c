/* An expression over a step: its values, and the parts that are still to be looked at. */
#include "core/run/tell/reduce_course.h"

#include <math.h>

#include "core/run/state/projection.h"
#include "core/run/watch/observe.h"

ObservedState reduce_state_at(MotionState *at, const Observed *observed, double t, const double *y)
{
    ObservedState state = {.t = t};
    Error ignored;

    if (observed_guards_need_motion(observed) && look_whole(at, t, y, &ignored) == OK)
        return at->state;
    state_locate(at, t, y, &state.q, &state.v);
    return state;
}

/* The size, and whether there is a value. */
static double note(Along *a, double value, double t)
{
    if (!isfinite(value)) {
        if (isnan(a->lost_t))
            a->lost_t = t;
        return NAN;
    }
    a->size = fmax(a->size, fabs(value));
    return value;
}

double course_value(Course *c, double theta)
{
    Reduce *r = c->reduce;
    Observed *along = c->at->s->reductions->along;
    const double t = c->arc->t + theta * c->arc->h;

    c->arc->state(c->arc, theta, r->y);
    const ObservedState state = reduce_state_at(c->at, along, t, r->y);
    observed_guards(along, &state, r->along_values);
    return note(c->a, r->along_values[c->a->k], t);
}

void course_begin(Course *c)
{
    step_parts_begin(&c->parts, c->items, sizeof c->items / sizeof *c->items);
}

void course_note_unsure(Course *c, double size)
{
    c->a->unsure_of = fmax(c->a->unsure_of, size);
    if (c->a->unsure++ == 0)
        c->a->unsure_t = c->arc->t;
}

bool course_next(Course *c, StepPart *ret)
{
    if (c->parts.n == 0 || isfinite(c->a->lost_t) || c->left == 0)
        return false;
    c->left--;
    return step_parts_next(&c->parts, ret);
}

double course_doubt(Course *c)
{
    const Range at = enclosure_range(&c->reduce->enclosure, c->a->k, 0, 0, true);
    const double width = at.value.high - at.value.low;

    return at.whole && isfinite(width) ? width : 0;
}
