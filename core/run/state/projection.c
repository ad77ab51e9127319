/* The model's state is taken out of the motion's, made admissible, and put back. */
#include "core/run/state/projection.h"

#include <string.h>

/* Whether t is inside a passage in smooth variables (smooth.h), and (q, v) there. */
static bool locate_in_passage(MotionState *at, double t, const double **ret_q, const double **ret_v)
{
    const OdeArc *arc = at->singular.arc;

    if (!at->eq.smooth.wanted || !singular_covers(&at->singular, t))
        return false;
    arc->state(arc, (t - arc->t) / arc->h, at->eq.smooth.z);
    *ret_q = at->eq.smooth.z;
    *ret_v = at->eq.smooth.z + at->model->n;
    return true;
}

void state_look_in_passage(MotionState *at)
{
    const size_t n = at->model->n;
    ObservedState *state = &at->state;
    const double *q, *v;

    if (!locate_in_passage(at, state->t, &q, &v))
        return;
    memcpy(at->eq.smooth.seen, q, 2 * n * sizeof *q);
    state->q = at->eq.smooth.seen;
    state->v = at->eq.smooth.seen + n;
}

void state_locate_of(MotionState *at, double t, const double *y, const double **ret_q,
                     const double **ret_v)
{
    if (locate_in_passage(at, t, ret_q, ret_v))
        return;
    MotionPoint point = motion_eval_point(at->eq.eval, t, y);
    *ret_q = point.q;
    *ret_v = point.v;
}

void state_of(void *self, double t, const double *y, const double **ret_q, const double **ret_v)
{
    state_locate(self, t, y, ret_q, ret_v);
}

void state_take_out(MotionState *at, double t, const double *y)
{
    const size_t n = at->model->n;
    MotionPoint point = motion_eval_point(at->eq.eval, t, y);
    const double *q = point.q, *v = point.v;

    (void)locate_in_passage(at, t, &q, &v);
    memcpy(at->q, q, n * sizeof *at->q);
    memcpy(at->v, v, n * sizeof *at->v);
    if (at->s->motion->n_rows)
        memcpy(at->kept, point.lambda, at->s->motion->n_rows * sizeof *at->kept);
}

Status state_put_back(MotionState *at, double t, double *y, Error *err)
{
    return motion_eval_restate(at->eq.eval, t, at->q, at->v, at->kept, y, err);
}

/* The watches over M and A go on from the evaluation by the projection, at ends of steps only. */
static void share_matrices(MotionState *at, const StepEndEval *end, double t)
{
    const double *state, *matrices = step_end_matrices(end, &state);
    const double *changing = step_end_changing(end);

    if (matrices)
        model_eval_take_matrices(at->s->eval, state, matrices);
    if (changing)
        mass_watch_take(&at->eq.mass, t, changing);
}

/* With pivots, if the program for ends of steps does not meet the constraints. */
static Status project_with_pivots(MotionState *at, Evidence *evidence, double t, double *q,
                                  double *v, StepEndChange *ret, Error *err)
{
    const Simulation *s = at->s;
    const double before = evidence_energy(evidence, t, q, v);

    *ret = (StepEndChange){0};
    Status status = model_project(s->eval, t, q, v, s->start.rows, s->start.report.rank, &ret->dq,
                                  &ret->dv, err);
    if (status == OK && (ret->dq > 0 || ret->dv > 0))
        ret->energy = evidence_energy(evidence, t, q, v) - before;
    return status;
}

Status state_project_model(MotionState *at, Evidence *evidence, double t, double *q, double *v,
                           StepEndChange *ret, Error *err)
{
    if (!step_end_correct(&evidence->end, t, q, v, ret))
        return project_with_pivots(at, evidence, t, q, v, ret, err);
    share_matrices(at, &evidence->end, t);
    return OK;
}

Status state_project(MotionState *at, Evidence *evidence, double t, double *y, bool on_step_end,
                     StepEndChange *ret, Error *err)
{
    const bool plain = at->s->motion->plain;
    double *q = plain ? y : at->q, *v = plain ? y + at->model->n : at->v;
    Status status = OK;

    if (!plain)
        state_take_out(at, t, y);
    if (on_step_end)
        status = state_project_model(at, evidence, t, q, v, ret, err);
    else if (!step_end_correct(&evidence->end, t, q, v, ret))
        status = project_with_pivots(at, evidence, t, q, v, ret, err);
    if (plain && status == OK && at->eq.sensitivities)
        status =
            linearised_project_columns(sensitivity_run_motion(at->eq.sensitivities), t, y, err);
    /* a state that satisfies the constraints keeps its bits */
    if (plain || status != OK || !(ret->dq > 0 || ret->dv > 0))
        return status;
    if (on_step_end)
        return state_put_back(at, t, y, err);
    return motion_eval_restate_seen(at->eq.eval, t, at->q, at->v, at->kept, y, err);
}

Status state_check_corner(MotionState *at, Corners *corners, double t, const double *y, Error *err)
{
    const MotionPoint point = motion_eval_point(at->eq.eval, t, y);
    return corners_check(corners, t, point.q, point.v, point.vdot, err);
}
