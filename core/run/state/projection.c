/* States back onto the constraints, at ends of steps and after impacts: the model's state is taken
 * out of the motion's, made admissible, and put back. */
#include "core/run/state/projection.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/run/state/crossing.h"

void run_locate_of(Run *run, double t, const double *y, const double **ret_q, const double **ret_v)
{
    if (crossing_locate(run, t, ret_q, ret_v))
        return;
    MotionPoint point = motion_eval_point(run->eq.eval, t, y);
    *ret_q = point.q;
    *ret_v = point.v;
}

void run_state_of(void *self, double t, const double *y, const double **ret_q, const double **ret_v)
{
    run_locate(self, t, y, ret_q, ret_v);
}

double run_energy(Run *run, double t, const double *q, const double *v)
{
    return evidence_energy(&run->evidence.motion, t, q, v);
}

void run_take_out(Run *run, double t, const double *y)
{
    const size_t n = run->model->n;
    MotionPoint point = motion_eval_point(run->eq.eval, t, y);
    const double *q = point.q, *v = point.v;

    (void)crossing_locate(run, t, &q, &v);
    memcpy(run->at.q, q, n * sizeof *run->at.q);
    memcpy(run->at.v, v, n * sizeof *run->at.v);
    if (run->s->motion->n_rows)
        memcpy(run->at.kept, point.lambda, run->s->motion->n_rows * sizeof *run->at.kept);
}

Status run_put_back(Run *run, double t, double *y, Error *err)
{
    return motion_eval_restate(run->eq.eval, t, run->at.q, run->at.v, run->at.kept, y, err);
}

/* The watches over M and A go on from the evaluation by the projection, at ends of steps only. */
static void share_matrices(Run *run, double t)
{
    const double *state, *matrices = step_end_matrices(&run->evidence.motion.end, &state);
    const double *changing = step_end_changing(&run->evidence.motion.end);

    if (matrices)
        model_eval_take_matrices(run->s->eval, state, matrices);
    if (changing)
        mass_watch_take(&run->eq.mass, t, changing);
}

static inline Status project_model(Run *run, double t, double *q, double *v, bool shares,
                                   Change *ret, Error *err)
{
    const Simulation *s = run->s;

    if (step_end_correct(&run->evidence.motion.end, t, q, v, ret)) {
        if (shares)
            share_matrices(run, t);
        return OK;
    }
    const double before = run_energy(run, t, q, v);
    *ret = (Change){0};
    Status status = model_project(s->eval, t, q, v, s->start.rows, s->start.report.rank, &ret->dq,
                                  &ret->dv, err);
    if (status == OK && (ret->dq > 0 || ret->dv > 0))
        ret->energy = run_energy(run, t, q, v) - before;
    return status;
}

Status run_project_model(Run *run, double t, double *q, double *v, Change *ret, Error *err)
{
    return project_model(run, t, q, v, true, ret, err);
}

static inline Status run_project(Run *run, double t, double *y, bool on_step_end, Change *ret,
                                 Error *err)
{
    if (run->s->motion->plain) {
        Status status = project_model(run, t, y, y + run->model->n, on_step_end, ret, err);
        if (status == OK && run->eq.sensitivities)
            status = linearised_project_columns(sensitivity_run_motion(run->eq.sensitivities), t, y,
                                                err);
        return status;
    }
    run_take_out(run, t, y);
    Status status = project_model(run, t, run->at.q, run->at.v, on_step_end, ret, err);
    /* a state that satisfies the constraints keeps its bits */
    if (status != OK || !(ret->dq > 0 || ret->dv > 0))
        return status;
    if (on_step_end)
        return run_put_back(run, t, y, err);
    return motion_eval_restate_seen(run->eq.eval, t, run->at.q, run->at.v, run->at.kept, y, err);
}

Status run_check_corner(Run *run, double t, const double *y, Error *err)
{
    MotionPoint point = motion_eval_point(run->eq.eval, t, y);
    return corners_check(&run->watch.corners, t, point.q, point.v, point.vdot, err);
}

/* If the motion does not go on smoothly past a corner, the end of a step at the corner stays
 * unprojected: a projection would bend the step. */
static Status project_to_corner(Run *run, double t, double *y, Change *ret, Error *err)
{
    memcpy(run->at.scratch, y, (run->at.size + 1) * sizeof *y);
    run->watch.corner_t = NAN;
    Status status = run_project(run, t, y, true, ret, err);
    /* after a larger change a corner is looked for */
    if ((status == OK && fmax(ret->dq, ret->dv) <= ACCURACY_CLEAR) ||
        run_check_corner(run, t, run->at.scratch, NULL) == OK)
        return status;
    run->watch.corner_t = t;
    memcpy(y, run->at.scratch, (run->at.size + 1) * sizeof *y);
    *ret = (Change){0};
    return OK;
}

Status run_project_state(void *self, double t, double *y, bool on_step_end, Error *err)
{
    Run *run = self;
    Change ignored = {0}, *change = on_step_end ? &run->progress.pending : &ignored;
    return on_step_end && run->watch.corners.function.program
               ? project_to_corner(run, t, y, change, err)
               : run_project(run, t, y, on_step_end, change, err);
}
