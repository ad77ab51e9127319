/* The equations of a run are replaced. */
#include "core/run/equations/replace.h"

static Status make(const Run *run, const Motion *motion, MotionEval **ret, Error *err)
{
    const Simulation *s = run->s;
    return motion_eval_new(run->model, motion, s->params,
                           ode_method_needs_jacobian(s->integration.method), ret, err);
}

/* The state of the run becomes that of `equations`, on the branches that it lies in. */
static Status restate(const Run *run, MotionEval *equations, double t, double *y, Error *err)
{
    const Status status =
        motion_eval_restate(equations, t, run->at.q, run->at.v, run->at.kept, y, err);

    if (status == OK)
        motion_eval_start_switches(equations, sample_times_backwards(&run->s->times), t, y);
    return status;
}

static void put(Run *run, MotionEval *equations, MotionEval **ret_old)
{
    if (ret_old)
        *ret_old = run->eq.eval;
    else
        motion_eval_free(run->eq.eval);
    run->eq.eval = equations;
}

Status replace_restated(Run *run, const Motion *motion, double t, double *y, MotionEval **ret_old,
                        Error *err)
{
    MotionEval *equations = NULL;

    Status status = make(run, motion, &equations, err);
    if (status == OK)
        status = restate(run, equations, t, y, err);
    if (status == OK)
        put(run, equations, ret_old);
    else
        motion_eval_free(equations);
    return status;
}

Status replace_by(Run *run, MotionEval *equations, double t, double *y, Error *err)
{
    const Status status = restate(run, equations, t, y, err);

    if (status == OK)
        put(run, equations, NULL);
    return status;
}

Status replace_alike(Run *run, const Motion *motion, double t, const double *y, bool *ret_done,
                     Error *err)
{
    MotionEval *equations = NULL;
    const Status status = make(run, motion, &equations, err);

    *ret_done = status == OK && motion_eval_take_over(equations, run->eq.eval, t, y);
    if (*ret_done)
        put(run, equations, NULL);
    else
        motion_eval_free(equations);
    return status;
}
