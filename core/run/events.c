/* An event of the job, a switch, or the end of a choice of dependent velocities. */
#include "core/run/system.h"

#include <math.h>
#include <string.h>

#include "core/run/equations/change_base.h"
#include "core/run/state/projection.h"
#include "core/run/tell/column_digits.h"
#include "core/run/tell/reduce.h"
#include "core/run/tell/rows.h"
#include "core/run/watch/column_sizes.h"
#include "core/run/watch/observe.h"

/* Makes run->at.q, run->at.v admissible; at a corner of the constraints, on the side that v
 * leads to. */
static Status admit(Run *run, double t, StepEndChange *ret, Error *err)
{
    MotionState *at = &run->at;
    Evidence *evidence = &run->evidence.motion;
    const size_t n = at->model->n;
    const double distance = corners_distance(&run->watch.corners, t);
    const double ahead = sample_times_backwards(&at->s->times) ? -distance : distance;

    if (corners_check(&run->watch.corners, t, at->q, at->v, at->state.vdot, NULL) == OK)
        return state_project_model(at, evidence, t, at->q, at->v, ret, err);
    /* projected a little ahead, because the constraints are smooth there, and taken back as far */
    for (size_t i = 0; i < n; i++)
        at->q[i] += ahead * at->v[i];
    Status status = state_project_model(at, evidence, t + ahead, at->q, at->v, ret, err);
    for (size_t i = 0; i < n; i++)
        at->q[i] -= ahead * at->v[i];
    return status;
}

/* The event's assignments, all from the state before it; then the state is made admissible. */
static Status impact(Run *run, size_t event, double t, double *y, bool *ret_changed, Error *err)
{
    MotionState *at = &run->at;
    Evidence *evidence = &run->evidence.motion;
    const Simulation *s = at->s;
    const SetTarget *targets = NULL;
    const double *values = NULL;
    StepEndChange change = {0};
    double before = evidence_energy(evidence, t, at->state.q, at->state.v);

    /* the assignments go to a copy of the model's state */
    size_t count = observed_impact(s->observed, event, &at->state, &targets, &values);
    *ret_changed = count > 0;
    if (count == 0)
        return OK;
    state_take_out(at, t, y);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return error_set(err, ERR_NUMERIC,
                             "event %s sets a value that is not finite at t = %.17g",
                             s->columns.tables[event], t);
        (targets[i].velocity ? at->v : at->q)[targets[i].coordinate] = values[i];
    }
    /* states that satisfy the constraints by construction hold no others */
    Status status =
        s->integration.projection || !s->motion->plain ? admit(run, t, &change, err) : OK;
    if (status == OK && !s->motion->plain) {
        status = state_put_back(at, t, y, err);
        if (status == OK)
            status = change_base_after_impact(at, t, y, err);
    } else if (status == OK) {
        memcpy(y, at->q, at->model->n * sizeof *y);
        memcpy(y + at->model->n, at->v, at->model->n * sizeof *y);
    }
    if (status != OK) {
        error_prefix(err, "after event %s at t = %.17g", s->columns.tables[event], t);
        return status;
    }
    singular_step(&at->singular, t, y, true);
    legendre_watch_restart(&run->watch.legendre);
    evidence_impact(evidence, change.dq, change.dv,
                    evidence_energy(evidence, t, at->q, at->v) - before);
    motion_eval_start_switches(at->eq.eval, sample_times_backwards(&s->times), t, y);
    return OK;
}

/* A terminal event: if its instant is no sample, the row of the event, in run->rows.row, becomes
 * the last row of the trajectory (rows_end()), and its columns are examined like those of a
 * sample. */
static Status end_between(Run *run, double t, const double *y, Error *err)
{
    SampleTimes *times = &run->at.s->times;
    const size_t last = (size_t)times->n - 1;

    run->result.end.between =
        run->rows.n == 0 || sample_times_at(times, (size_t)run->rows.n - 1) != t;
    if (!run->result.end.between || singular_covers(&run->at.singular, t))
        return OK;
    column_digits_take(&run->evidence.digits, &run->at, run->rows.row, last);
    column_sizes_take(&run->evidence.sizes, &run->at, run->rows.row, last, y);
    /* these have looked at other states */
    return observe_state(&run->at, &run->evidence.motion, t, y, err);
}

Status events_take(void *self, size_t guard, int direction, double t, double *y,
                   OdeAction *ret_action, Error *err)
{
    Run *run = self;
    const Simulation *s = run->at.s;
    bool changed = false;

    *ret_action = ODE_CONTINUE;
    /* the dependent velocities: other equations go on */
    if (guard == s->n_events + s->motion->n_switches) {
        *ret_action = ODE_RENEW;
        singular_leave(&run->at.singular);
        return change_base(&run->at, t, y, err);
    }
    /* a switch: the other branch of the equations, if the motion may cross at all */
    if (guard >= s->n_events) {
        Status status =
            t == s->times.end ? OK : state_check_corner(&run->at, &run->watch.corners, t, y, err);
        run->progress.switches++;
        if (status == OK)
            motion_eval_cross(run->at.eq.eval, guard - s->n_events, direction, t, y);
        singular_leave(&run->at.singular);
        *ret_action = ODE_RESTART;
        return status;
    }
    /* an event of the job: a row in its table, then its changes of the state */
    if (s->integration.max_event_rows && run->progress.events >= s->integration.max_event_rows)
        return error_set(err, ERR_LIMIT, "more than %llu events by t = %.17g",
                         (unsigned long long)s->integration.max_event_rows, t);
    run->progress.events++;
    run->at.s->second.event_step = fabs(run->drive.step.h[0]);
    Status status = observe_state(&run->at, &run->evidence.motion, t, y, err);
    if (status == OK)
        reduce_event(&run->rows.reduce, &run->at, guard);
    if (status == OK)
        status = rows_add(&run->rows, &run->at, (int)guard, y, err);
    if (status == OK && s->events[guard].terminal)
        status = end_between(run, t, y, err);
    if (status == OK)
        status = impact(run, guard, t, y, &changed, err);
    if (status == OK && s->events[guard].terminal) {
        run->result.end.stopped_by = s->columns.tables[guard];
        *ret_action = ODE_STOP;
    } else if (changed) {
        *ret_action = ODE_RESTART;
    }
    return status;
}
