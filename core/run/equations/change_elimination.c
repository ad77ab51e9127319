/* Equations of motion by way of M^-1 give way to the solution of the whole saddle-point matrix
 * while M degenerates off the constraints. */
#include "core/run/equations/change_elimination.h"

#include "core/motion/choice.h"
#include "core/run/equations/replace.h"
#include "core/run/state/projection.h"

void change_elimination_watch(Run *run)
{
    const Motion *motion = run->s->motion;

    if (motion->elimination == ELIMINATE_SCHUR && motion->n_rows)
        mass_watch_init(&run->eq.mass, run->s->eval, &run->memory);
}

static Status replace_motion(Run *run, const Motion *motion, double t, const double *y, Error *err)
{
    bool done;
    const Status status = replace_alike(run, motion, t, y, &done, err);

    if (status != OK || !done)
        return status;
    run->s->motion = motion;
    return run->eq.sensitivities ? sensitivity_run_renew(run->eq.sensitivities, err) : OK;
}

bool change_elimination_possible(const Run *run)
{
    return run->eq.mass.rows.pivots && !run->eq.dividing;
}

Status change_elimination(Run *run, double t, const double *y, Error *err)
{
    Simulation *s = run->s;
    const MotionOptions options = motion_options(s->motion);
    const Motion *dividing = s->motion, *motion = NULL;

    if (!change_elimination_possible(run))
        return OK;
    s->start.report.mass_positive = s->start.report.mass_divides = false;
    Status status =
        compiled_motion(s->compiled, &options, motion_class_of(&s->start.report), &motion, err);
    if (status == OK)
        status = replace_motion(run, motion, t, y, err);
    run->eq.dividing = dividing;
    return status;
}

/* The equations of before. */
static Status change_back(Run *run, double t, const double *y, Error *err)
{
    const Motion *motion = run->eq.dividing;

    run->s->start.report.mass_positive = run->s->start.report.mass_divides = true;
    run->eq.dividing = NULL;
    return replace_motion(run, motion, t, y, err);
}

bool change_elimination_is_due(Run *run, double t, const double *y)
{
    const double *q, *v;

    if (!run->eq.mass.rows.pivots)
        return false;
    run_locate(run, t, y, &q, &v);
    return run->eq.dividing ? mass_watch_recovers(&run->eq.mass, t, q, v)
                            : mass_watch_suspects(&run->eq.mass, t, q, v);
}

Status change_elimination_in_time(Run *run, double t, const double *y, Error *err)
{
    return run->eq.dividing ? change_back(run, t, y, err) : change_elimination(run, t, y, err);
}
