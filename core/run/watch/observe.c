/* The equations at states of a run: at once, or all that wait in lanes. */
#include "core/run/watch/observe.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/run/equations/change_base.h"
#include "core/run/equations/change_elimination.h"
#include "core/run/state/row.h"
#include "core/run/watch/look.h"

/* Number of states from which lanes pay, and number of lanes. */
enum { WORTH_LANES = 64, POINT_LANES = 8 };

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

Status observe_state(MotionState *at, Evidence *evidence, StateSamples *samples, double t,
                     const double *y, Error *err)
{
    if (!singular_covers(&at->singular, t) && observe_regular(at, evidence, t, y))
        return OK;
    const Status status = observe_waiting(at, evidence, samples, err); /* earlier states first */
    return status == OK ? observe_closely(at, evidence, t, y, err) : status;
}

bool observe_may_wait(const MotionState *at)
{
    const Motion *motion = at->s->motion;

    return motion->plain && motion->n_switches == 0 && motion->n_implicit == 0 &&
           at->size == motion->dim && at->s->start.report.rank == at->model->r &&
           !at->eq.watches_dependent && !at->eq.stand_in.motion;
}

/* Retains a state for the analyses, with its accelerations and multipliers. */
static Status keep_state(const MotionState *at, StateSamples *samples, Error *err)
{
    const ObservedState *state = &at->state;
    const Status status = state_samples_add(samples, state->t, state->q, state->v, err);

    if (status == OK)
        state_samples_tell(samples, state->vdot, state->lambda, 1);
    return status;
}

/* Only the state; y is q and v. */
static Status remember_state(MotionState *at, Evidence *evidence, StateSamples *samples, double t,
                             const double *y, Error *err)
{
    const Status status =
        state_samples_are_full(samples) ? observe_waiting(at, evidence, samples, err) : OK;

    return status == OK ? state_samples_add(samples, t, y, y + at->model->n, err) : status;
}

Status observe_step(MotionState *at, Evidence *evidence, StateSamples *samples, uint64_t steps,
                    double t, const double *y, Error *err)
{
    const bool wanted = state_samples_want(samples, steps);
    const bool waits = samples->waits && !singular_covers(&at->singular, t);
    Status status = OK;

    if (wanted && !waits)
        status = observe_waiting(at, evidence, samples, err);
    if (status == OK && (steps % REGULARITY_STEPS == 0 || (wanted && !waits)))
        status = observe_state(at, evidence, samples, t, y, err);
    if (status != OK || !wanted)
        return status;
    return waits ? remember_state(at, evidence, samples, t, y, err) : keep_state(at, samples, err);
}

/* The next state that waits, by itself. */
static Status observe_next(MotionState *at, Evidence *evidence, StateSamples *samples, Error *err)
{
    const size_t n = at->model->n, k = samples->n_told;
    double *y = at->scratch;

    memcpy(y, samples->q + k * n, n * sizeof *y);
    memcpy(y + n, samples->v + k * n, n * sizeof *y);
    const Status status = observe_regular(at, evidence, samples->t[k], y)
                              ? OK
                              : observe_closely(at, evidence, samples->t[k], y, err);
    if (status == OK)
        state_samples_tell(samples, at->state.vdot, at->state.lambda, 1);
    return status;
}

/* As many of the next ones as there are lanes. */
static void evaluate_next(const StateSamples *samples, Function *points)
{
    const size_t n = samples->n, first = samples->n_told;
    double *t = points->in, *q = t + POINT_LANES, *v = q + n * POINT_LANES;

    for (size_t lane = 0; lane < POINT_LANES; lane++) {
        t[lane] = samples->t[first + lane];
        for (size_t i = 0; i < n; i++) {
            q[i * POINT_LANES + lane] = samples->q[(first + lane) * n + i];
            v[i * POINT_LANES + lane] = samples->v[(first + lane) * n + i];
        }
    }
    function_eval(points);
}

/* False: one of them is not regular, and it and those behind it are left. */
static bool take_next(const Motion *motion, Evidence *evidence, StateSamples *samples,
                      const Function *points)
{
    for (size_t lane = 0; lane < POINT_LANES; lane++) {
        const LanePoint point = motion_lane_point(motion, points, lane);
        if (!(point.regularity >= ACCURACY_ROUNDED))
            return false;
        evidence_rcond(evidence, point.regularity);
        state_samples_tell(samples, point.vdot, point.lambda, POINT_LANES);
    }
    return true;
}

/* Whole lanes of states, as long as all of them are regular. */
static Status observe_lanes(MotionState *at, Evidence *evidence, StateSamples *samples, Error *err)
{
    const Simulation *s = at->s;
    Function points = {0};
    const Status status = function_bind(&points, s->motion->point, s->params, POINT_LANES, err);
    bool regular = status == OK;

    while (regular && samples->n_told + POINT_LANES <= samples->n_states) {
        evaluate_next(samples, &points);
        regular = take_next(s->motion, evidence, samples, &points);
    }
    function_done(&points);
    return status;
}

Status observe_waiting(MotionState *at, Evidence *evidence, StateSamples *samples, Error *err)
{
    Status status = OK;

    if (samples->n_states - samples->n_told >= WORTH_LANES)
        status = observe_lanes(at, evidence, samples, err);
    while (status == OK && samples->n_told < samples->n_states)
        status = observe_next(at, evidence, samples, err);
    return status;
}

void observe_end(MotionState *at, Evidence *evidence, StateSamples *samples, OdeOutcome *outcome)
{
    Error said = {0};

    if (outcome->status != OK && outcome->status != ERR_NUMERIC)
        return;
    const Status status = observe_waiting(at, evidence, samples, &said);
    if (status == OK)
        return;
    outcome->status = status;
    outcome->error = said;
    outcome->chattering = outcome->stuck = outcome->singular = outcome->blown_up = false;
}
