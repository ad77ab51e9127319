/* Equations of motion by way of M^-1 give way to the solution of the whole saddle-point matrix where
 * M degenerates off the constraints. */
#include "core/simulation/run/change_elimination.h"

#include "core/motion/choice.h"

void change_elimination_watch(Run *run)
{
    const Motion *motion = run->s->motion;

    if (motion->elimination == ELIMINATE_SCHUR && motion->n_rows)
        mass_watch_init(&run->mass, run->s->eval, &run->memory);
}

static Status replace_motion(Run *run, const Motion *motion, double t, const double *y, Error *err)
{
    Simulation *s = run->s;
    MotionEval *equations = NULL;

    Status status = motion_eval_new(run->model, motion, s->params, 1,
                                    ode_method_needs_jacobian(s->method), &equations, err);
    if (status != OK)
        return status;
    if (!motion_eval_take_over(equations, run->equations, t, y)) {
        motion_eval_free(equations);
        return OK;
    }
    motion_eval_free(run->equations);
    run->equations = equations;
    s->motion = motion;
    return run->sensitivities ? sensitivity_run_renew(run->sensitivities, err) : OK;
}

Status change_elimination(Run *run, double t, const double *y, Error *err)
{
    Simulation *s = run->s;
    const MotionOptions options = motion_options(s->motion);
    const Motion *motion = NULL;

    if (!run->mass.pivots)
        return OK;
    /* it is not watched any more: what does not divide by M stays sound */
    run->mass = (MassWatch){0};
    s->report.mass_positive = false;
    Status status =
        compiled_motion(s->compiled, &options, motion_class_of(&s->report), &motion, err);
    return status == OK ? replace_motion(run, motion, t, y, err) : status;
}
