/* The whole saddle-point matrix is solved while M degenerates off the constraints. */
#include "core/run/equations/change_elimination.h"

#include "core/motion/choice.h"
#include "core/run/equations/replace.h"
#include "core/run/state/projection.h"

void change_elimination_watch(MotionState *at, Arena *memory)
{
    const Motion *motion = at->s->motion;

    if (motion->elimination == ELIMINATE_SCHUR && motion->n_rows)
        mass_watch_init(&at->eq.mass, at->s->eval, memory);
}

static Status replace_motion(MotionState *at, const Motion *motion, double t, const double *y,
                             Error *err)
{
    bool done;
    const Status status = replace_alike(at, motion, t, y, &done, err);

    if (status != OK || !done)
        return status;
    at->s->motion = motion;
    return at->eq.sensitivities ? sensitivity_run_renew(at->eq.sensitivities, err) : OK;
}

bool change_elimination_possible(const MotionState *at)
{
    return at->eq.mass.rows.pivots && !at->eq.dividing;
}

Status change_elimination(MotionState *at, double t, const double *y, Error *err)
{
    Simulation *s = at->s;
    const MotionOptions options = motion_options(s->motion);
    const Motion *dividing = s->motion, *motion = NULL;

    s->start.report.mass_positive = s->start.report.mass_divides = false;
    Status status =
        compiled_motion(s->compiled, &options, motion_class_of(&s->start.report), &motion, err);
    if (status == OK)
        status = replace_motion(at, motion, t, y, err);
    at->eq.dividing = dividing;
    return status;
}

static Status change_back(MotionState *at, double t, const double *y, Error *err)
{
    const Motion *motion = at->eq.dividing;

    at->s->start.report.mass_positive = at->s->start.report.mass_divides = true;
    at->eq.dividing = NULL;
    return replace_motion(at, motion, t, y, err);
}

Status change_elimination_step(MotionState *at, double t, const double *y, Error *err)
{
    const double *q, *v;

    state_locate(at, t, y, &q, &v);
    if (at->eq.dividing)
        return mass_watch_recovers(&at->eq.mass, t, q, v) ? change_back(at, t, y, err) : OK;
    return mass_watch_suspects(&at->eq.mass, t, q, v) ? change_elimination(at, t, y, err) : OK;
}
