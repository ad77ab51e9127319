/* The equations at states of a run. */
#include "core/run/watch/observe.h"

#include "core/base/accuracy.h"
#include "core/run/equations/change_base.h"
#include "core/run/equations/change_elimination.h"
#include "core/run/state/row.h"
#include "core/run/watch/look.h"

/* The close look, if observe_regular() does not suffice. */
static Status observe_closely(MotionState *at, Evidence *evidence, double t, const double *y,
                              Error *err)
{
    MotionPoint point = look_at(at, t, y);

    if (singular_covers(&at->singular, t))
        return look_in_passage(at, y, err);
    /* a step may end where M has degenerated before it is seen to come */
    if (!(point.regularity >= ACCURACY_ROUNDED) && change_elimination_possible(at)) {
        Status status = change_elimination(at, t, y, err);
        if (status != OK)
            return status;
        point = look_at(at, t, y);
    }
    if (t != at->corner_t && !(point.regularity >= ACCURACY_ROUNDED) && at->s->motion->n_own &&
        singular_near(&at->singular))
        return change_base_singular(t, err);
    if (t != at->corner_t && !(point.regularity >= ACCURACY_ROUNDED))
        return error_set(
            err, ERR_NUMERIC,
            "the equations of motion became singular at t = %.17g (smallest relative "
            "pivot %.3g): the constraints lose rank or the mass matrix degenerates there",
            t, point.regularity);
    evidence_rcond(evidence, point.regularity);
    return row_multipliers(at, &point, err);
}

bool observe_regular(MotionState *at, Evidence *evidence, double t, const double *y)
{
    const MotionPoint point = look_at(at, t, y);

    if (!(point.regularity >= ACCURACY_ROUNDED))
        return false;
    evidence_rcond(evidence, point.regularity);
    return row_multipliers(at, &point, NULL) == OK;
}

Status observe_state(MotionState *at, Evidence *evidence, double t, const double *y, Error *err)
{
    if (!singular_covers(&at->singular, t) && observe_regular(at, evidence, t, y))
        return OK;
    return observe_closely(at, evidence, t, y, err);
}

Status observe_step(MotionState *at, Evidence *evidence, StateSamples *samples, uint64_t steps,
                    double t, const double *y, Error *err)
{
    const bool wanted = state_samples_want(samples, steps);
    Status status = OK;

    if (wanted || steps % REGULARITY_STEPS == 0)
        status = observe_state(at, evidence, t, y, err);
    if (status == OK && wanted)
        state_samples_add(samples, &at->state);
    return status;
}
