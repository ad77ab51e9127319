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

/* The close look, if run_observe_regular() does not suffice. */
static Status observe_closely(Run *run, double t, const double *y, Error *err)
{
    MotionPoint point = look_at(&run->at, t, y);

    if (singular_covers(&run->at.singular, t))
        return look_in_passage(&run->at, y, err);
    /* a step may end where M has degenerated before it is seen to come */
    if (!(point.regularity >= ACCURACY_ROUNDED) && change_elimination_possible(&run->at)) {
        Status status = change_elimination(&run->at, t, y, err);
        if (status != OK)
            return status;
        point = look_at(&run->at, t, y);
    }
    if (t != run->at.corner_t && !(point.regularity >= ACCURACY_ROUNDED) &&
        run->at.s->motion->n_own && singular_near(&run->at.singular))
        return change_base_singular(t, err);
    if (t != run->at.corner_t && !(point.regularity >= ACCURACY_ROUNDED))
        return error_set(
            err, ERR_NUMERIC,
            "the equations of motion became singular at t = %.17g (smallest relative "
            "pivot %.3g): the constraints lose rank or the mass matrix degenerates there",
            t, point.regularity);
    evidence_rcond(&run->evidence.motion, point.regularity);
    return row_multipliers(&run->at, &point, err);
}

bool run_observe_regular(Run *run, double t, const double *y)
{
    const MotionPoint point = look_at(&run->at, t, y);

    if (!(point.regularity >= ACCURACY_ROUNDED))
        return false;
    evidence_rcond(&run->evidence.motion, point.regularity);
    return row_multipliers(&run->at, &point, NULL) == OK;
}

Status run_observe(Run *run, double t, const double *y, Error *err)
{
    if (!singular_covers(&run->at.singular, t) && run_observe_regular(run, t, y))
        return OK;
    const Status status = observe_waiting(run, err); /* earlier states first */
    return status == OK ? observe_closely(run, t, y, err) : status;
}

/* States may wait if a later look finds the same values: the equations have no branches and no
 * memory, all multipliers are theirs, and no sample asks for the findings so far. */
void observe_begin(Run *run)
{
    const Simulation *s = run->at.s;
    const Motion *motion = s->motion;

    run->rows.states_wait = motion->plain && motion->n_switches == 0 && motion->n_implicit == 0 &&
                            run->at.size == motion->dim &&
                            s->start.report.rank == run->at.model->r &&
                            !run->at.eq.watches_dependent && !run->at.eq.stand_in.motion &&
                            !run->watch.corners.function.program && !run->evidence.instants.held;
}

/* Retains a state for the analyses, with its accelerations and multipliers. */
static Status keep_state(Run *run, Error *err)
{
    const ObservedState *state = &run->at.state;
    const Status status = state_samples_add(&run->rows.states, state->t, state->q, state->v, err);

    if (status == OK)
        state_samples_tell(&run->rows.states, state->vdot, state->lambda, 1);
    return status;
}

/* Only the state; y is q and v. */
static Status remember_state(Run *run, double t, const double *y, Error *err)
{
    const Status status =
        state_samples_are_full(&run->rows.states) ? observe_waiting(run, err) : OK;

    return status == OK ? state_samples_add(&run->rows.states, t, y, y + run->at.model->n, err)
                        : status;
}

Status observe_step(Run *run, double t, const double *y, Error *err)
{
    const bool wanted = state_samples_want(&run->rows.states, run->progress.steps);
    const bool waits = run->rows.states_wait && !singular_covers(&run->at.singular, t);
    Status status = OK;

    if (wanted && !waits)
        status = observe_waiting(run, err);
    if (status == OK && (run->progress.steps % REGULARITY_STEPS == 0 || (wanted && !waits)))
        status = run_observe(run, t, y, err);
    if (status != OK || !wanted)
        return status;
    return waits ? remember_state(run, t, y, err) : keep_state(run, err);
}

/* The next state that waits, by itself. */
static Status observe_next(Run *run, Error *err)
{
    StateSamples *samples = &run->rows.states;
    const size_t n = run->at.model->n, k = samples->n_told;
    double *y = run->at.scratch;

    memcpy(y, samples->q + k * n, n * sizeof *y);
    memcpy(y + n, samples->v + k * n, n * sizeof *y);
    const Status status = run_observe_regular(run, samples->t[k], y)
                              ? OK
                              : observe_closely(run, samples->t[k], y, err);
    if (status == OK)
        state_samples_tell(samples, run->at.state.vdot, run->at.state.lambda, 1);
    return status;
}

/* As many of the next ones as there are lanes. */
static void evaluate_next(const Run *run, PointLanes *points)
{
    const StateSamples *samples = &run->rows.states;
    const size_t n = run->at.model->n, first = samples->n_told;
    double *t = points->points.in, *q = t + POINT_LANES, *v = q + n * POINT_LANES;

    for (size_t lane = 0; lane < POINT_LANES; lane++) {
        t[lane] = samples->t[first + lane];
        for (size_t i = 0; i < n; i++) {
            q[i * POINT_LANES + lane] = samples->q[(first + lane) * n + i];
            v[i * POINT_LANES + lane] = samples->v[(first + lane) * n + i];
        }
    }
    point_lanes_eval(points);
}

/* False: one of them is not regular, and it and those behind it are left. */
static bool take_next(Run *run, const PointLanes *points)
{
    for (size_t lane = 0; lane < POINT_LANES; lane++) {
        const LanePoint point = point_lanes_read(points, lane);
        if (!(point.regularity >= ACCURACY_ROUNDED))
            return false;
        evidence_rcond(&run->evidence.motion, point.regularity);
        state_samples_tell(&run->rows.states, point.vdot, point.lambda, POINT_LANES);
    }
    return true;
}

/* Whole lanes of states, as long as all of them are regular. */
static Status observe_lanes(Run *run, Error *err)
{
    const StateSamples *samples = &run->rows.states;
    const Simulation *s = run->at.s;
    PointLanes points;
    const Status status = point_lanes_init(&points, s->motion, s->params, POINT_LANES, err);
    bool regular = status == OK;

    while (regular && samples->n_told + POINT_LANES <= samples->n_states) {
        evaluate_next(run, &points);
        regular = take_next(run, &points);
    }
    point_lanes_done(&points);
    return status;
}

Status observe_waiting(Run *run, Error *err)
{
    const StateSamples *samples = &run->rows.states;
    Status status = OK;

    if (samples->n_states - samples->n_told >= WORTH_LANES)
        status = observe_lanes(run, err);
    while (status == OK && samples->n_told < samples->n_states)
        status = observe_next(run, err);
    return status;
}

void observe_end(Run *run)
{
    OdeOutcome *outcome = &run->outcome;
    Error said = {0};

    if (outcome->status != OK && outcome->status != ERR_NUMERIC)
        return;
    const Status status = observe_waiting(run, &said);
    if (status == OK)
        return;
    outcome->status = status;
    outcome->error = said;
    outcome->chattering = outcome->stuck = outcome->singular = outcome->blown_up = false;
}
