/* Rules that decide when other coordinates are due, and which. */
#include "core/run/equations/change_base.h"

#include <math.h>
#include <string.h>

#include "core/motion/choice.h"
#include "core/run/equations/replace.h"
#include "core/run/equations/stand_in.h"

/* Ratio of the quality of dependent coordinates to that at their choice, below which others are
 * chosen. Quality: stand_in_determined(). Convention. */
static const double QUALITY_LOSS_RATIO = 0.5;
/* Ratio of a further loss, below which other equations stand in for a given base without a better
 * choice. Convention: a step could pass over a smaller remainder, and long steps would lose digits
 * there without a sign of it. */
static const double LAST_QUALITY_LOSS_RATIO = 0.2;
/* Quality from which a choice counts as good as any other. No unit; convention. */
static const double GOOD_QUALITY = 0.1;

/* No others may take their place but for a while. */
static bool is_given(const MotionState *at)
{
    return !at->eq.stand_in.motion && (at->model->given.n_base || at->s->motion->n_own);
}

/* Of those that are given negative behind a zero, which may be passed within a step. Others are
 * chosen anew long before. */
static double determined_at(const MotionState *at, double t, const double *y)
{
    const MotionPoint point = motion_eval_point(at->eq.eval, t, y);
    const bool beyond = is_given(at) && point.orientation * at->eq.base.orientation < 0;
    const double serves = stand_in_determined(at, &point);
    return beyond ? -serves : serves;
}

void change_base_watch(MotionState *at, double t, const double *y)
{
    at->eq.base.kept = false;
    at->eq.base.side = 1;
    change_base_orient(at, t, y);
    if (at->eq.stand_in.inertia == 0)
        at->eq.stand_in.inertia = motion_eval_point(at->eq.eval, t, y).inertia;
    at->eq.base.floor = QUALITY_LOSS_RATIO * determined_at(at, t, y);
}

void change_base_rise(MotionState *at, double t, const double *y)
{
    const double kept = at->eq.base.kept ? LAST_QUALITY_LOSS_RATIO : 1;

    if (at->eq.stand_in.motion || !(at->eq.base.floor < kept * QUALITY_LOSS_RATIO * GOOD_QUALITY))
        return;
    const MotionPoint point = motion_eval_point(at->eq.eval, t, y);
    const double serves = stand_in_determined(at, &point);
    at->eq.base.floor =
        fmax(at->eq.base.floor, kept * QUALITY_LOSS_RATIO * fmin(serves, GOOD_QUALITY));
}

void change_base_orient(MotionState *at, double t, const double *y)
{
    at->eq.base.orientation = motion_eval_point(at->eq.eval, t, y).orientation;
}

/* Below 0 where it is time for others. */
static double watched_value(MotionState *at, double t, const double *y)
{
    const double serves = determined_at(at, t, y) - at->eq.base.floor;
    return fmin(serves,
                at->eq.stand_in.motion ? stand_in_wanted(at, t, y) : stand_in_clear(at, t, y));
}

double change_base_guard(MotionState *at, double t, const double *y)
{
    /* in a passage nothing is asked of the dependent velocities */
    if (singular_covers(&at->singular, t) || singular_ends(&at->singular, t))
        return at->eq.base.side;
    return at->eq.base.side * watched_value(at, t, y);
}

/* The best equations at the state (at->q, at->v): those in use where no others will do,
 * as when `found` is false. */
static Status choose_equations(const MotionState *at, double t, const Motion **ret_motion,
                               bool *ret_found, Error *err)
{
    const Simulation *s = at->s;
    const Motion *old = s->motion, *motion = old;
    MotionOptions options = {.rows = s->start.rows, .n_rows = old->n_rows};
    Diagnostics ignored;
    const MotionQuestion question = simulation_question(s, t, at->q, at->v, &options);

    diagnostics_init(&ignored, s->arena);
    Status status = motion_choose_options(s->compiled->formulation, &question, false, s->arena,
                                          &options, &ignored, err);
    if (status == OK)
        status =
            compiled_motion(s->compiled, &options, motion_class_of(&s->start.report), &motion, err);
    if (status != OK && status != ERR_INVALID)
        return status;
    *ret_found = status == OK;
    /* columns of the formulation's own keep their meaning */
    bool fits = motion->dim == old->dim && motion->n_switches == old->n_switches &&
                motion->n_own == 0 && old->n_own == 0;
    *ret_motion = fits ? motion : old;
    return OK;
}

static Status take_equations(MotionState *at, const Motion *motion, double t, double *y, Error *err)
{
    const Status status = replace_restated(at, motion, t, y, NULL, err);

    if (status == OK) {
        at->s->motion = motion;
        at->s->start.dependent = motion->dependent;
    }
    return status;
}

Status change_base_singular(double t, Error *err)
{
    return error_set(err, ERR_NUMERIC,
                     "the constraints lose rank soon after t = %.17g, and with it the velocities "
                     "of the base or of the frame determine the others no more: the formulation "
                     "lagrange-dalembert does without them, and goes on where the motion does",
                     t);
}

static Status base_lost(const MotionState *at, double t, Error *err)
{
    if (singular_near(&at->singular))
        return change_base_singular(t, err);
    if (at->model->given.n_base)
        return error_set(err, ERR_NUMERIC,
                         "the constraints cease to determine the dependent velocities near "
                         "t = %.17g: leave \"base\" out, or choose other base coordinates",
                         t);
    return error_set(err, ERR_NUMERIC,
                     "the frame's fields cease to complete the velocities that the "
                     "constraints allow near t = %.17g: give the model %s \"frame\", or use the "
                     "formulation lagrange-dalembert or voronec",
                     t, at->model->given.n_frame ? "another" : "a");
}

/* The lowest quality at which a given base or frame may still serve. */
static double last_floor(const MotionState *at)
{
    return (at->eq.base.kept ? 1 : LAST_QUALITY_LOSS_RATIO) * at->eq.base.floor;
}

/* Other equations stand in, or others than those that do. */
static Status take_stand_in(MotionState *at, double t, double *y, Error *err)
{
    bool found = false;
    Status status = stand_in_begin(at, last_floor(at), t, y, &found, err);

    if (status == OK && !found)
        return base_lost(at, t, err);
    if (status == OK)
        change_base_watch(at, t, y);
    return status;
}

/* The given ones determine the velocities again: they are not given up before they are as far as
 * they were then. */
static Status end_stand_in(MotionState *at, double t, double *y, Error *err)
{
    Status status = stand_in_end(at, t, y, err);

    if (status == OK) {
        change_base_watch(at, t, y);
        at->eq.base.kept = true;
        at->eq.base.floor = at->eq.stand_in.floor;
    }
    return status;
}

/* The equations that stand in give way to the given ones, or to others. */
static Status follow_stand_in(MotionState *at, double t, double *y, Error *err)
{
    const bool serve_again =
        stand_in_wanted(at, t, y) <= determined_at(at, t, y) - at->eq.base.floor;
    return serve_again ? end_stand_in(at, t, y, err) : take_stand_in(at, t, y, err);
}

static Status choose_anew(MotionState *at, double t, double *y, Error *err)
{
    const double serves = determined_at(at, t, y) - at->eq.base.floor;
    const Motion *motion;
    bool found;

    /* a loss of rank is near: other equations stand in */
    if (stand_in_clear(at, t, y) < serves)
        return take_stand_in(at, t, y, err);
    Status status = choose_equations(at, t, &motion, &found, err);
    if (status != OK)
        return status;
    /* other coordinates; a given base may serve a little longer */
    if (motion != at->s->motion) {
        status = take_equations(at, motion, t, y, err);
    } else if (is_given(at)) {
        if (at->eq.base.kept)
            return take_stand_in(at, t, y, err);
        at->eq.base.kept = true;
        at->eq.base.floor *= LAST_QUALITY_LOSS_RATIO;
        return OK;
    }
    if (status == OK)
        change_base_watch(at, t, y);
    return status;
}

Status change_base(MotionState *at, double t, double *y, Error *err)
{
    const size_t n = at->model->n, n_rows = at->s->motion->n_rows;
    const double side = at->eq.base.side;
    MotionPoint point = motion_eval_point(at->eq.eval, t, y);

    memcpy(at->q, point.q, n * sizeof *at->q);
    memcpy(at->v, point.v, n * sizeof *at->v);
    memcpy(at->kept, point.lambda, n_rows * sizeof *at->kept);
    Status status =
        at->eq.stand_in.motion ? follow_stand_in(at, t, y, err) : choose_anew(at, t, y, err);
    at->eq.base.side = -side;
    return status;
}

Status change_base_after_impact(MotionState *at, double t, double *y, Error *err)
{
    const Motion *motion;
    bool found;

    if (!at->eq.watches_dependent)
        return OK;
    change_base_orient(at, t, y);
    /* the choice still serves behind the impact */
    if (watched_value(at, t, y) > 0)
        return OK;
    if (at->eq.stand_in.motion)
        return follow_stand_in(at, t, y, err);
    Status status = choose_equations(at, t, &motion, &found, err);
    if (status == OK && !found)
        return take_stand_in(at, t, y, err);
    if (status == OK && motion != at->s->motion)
        status = take_equations(at, motion, t, y, err);
    if (status == OK)
        change_base_watch(at, t, y);
    return status;
}
