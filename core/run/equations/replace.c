/* New equations take the place of the old ones. */
#include "core/run/equations/replace.h"

/* The state of the run becomes that of `equations`, on the branches that it lies in. */
static Status restate(const MotionState *at, MotionEval *equations, double t, double *y, Error *err)
{
    const Status status = motion_eval_restate(equations, t, at->q, at->v, at->kept, y, err);

    if (status == OK)
        motion_eval_start_switches(equations, sample_times_backwards(&at->s->times), t, y);
    return status;
}

static void put(MotionState *at, MotionEval *equations, MotionEval **ret_old)
{
    if (ret_old)
        *ret_old = at->eq.eval;
    else
        motion_eval_free(at->eq.eval);
    at->eq.eval = equations;
}

Status replace_restated(MotionState *at, const Motion *motion, double t, double *y,
                        MotionEval **ret_old, Error *err)
{
    const bool with_jacobian = ode_method_needs_jacobian(at->s->integration.method);
    MotionEval *equations = NULL;

    Status status =
        motion_eval_new(at->model, motion, at->s->params, with_jacobian, &equations, err);
    if (status == OK)
        status = restate(at, equations, t, y, err);
    if (status == OK)
        put(at, equations, ret_old);
    else
        motion_eval_free(equations);
    return status;
}

Status replace_by(MotionState *at, MotionEval *equations, double t, double *y, Error *err)
{
    const Status status = restate(at, equations, t, y, err);

    if (status == OK)
        put(at, equations, NULL);
    return status;
}

Status replace_alike(MotionState *at, const Motion *motion, double t, const double *y,
                     bool *ret_done, Error *err)
{
    /* another method may have taken over that needs it, and goes on */
    const bool with_jacobian = motion_eval_has_jacobian(at->eq.eval);
    MotionEval *equations = NULL;
    const Status status =
        motion_eval_new(at->model, motion, at->s->params, with_jacobian, &equations, err);

    *ret_done = status == OK && motion_eval_take_over(equations, at->eq.eval, t, y);
    if (*ret_done)
        put(at, equations, NULL);
    else
        motion_eval_free(equations);
    return status;
}
