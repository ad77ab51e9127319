/* Dependent coordinates are chosen anew where the constraints determine the present ones badly. */
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
static bool is_given(const Run *run)
{
    return !run->eq.stand_in.motion && (run->model->given.n_base || run->s->motion->n_own);
}

/* Of those that are given negative behind a zero, which may be passed within a step. Others are
 * chosen anew long before. */
static double determined_at(const Run *run, double t, const double *y)
{
    const MotionPoint point = motion_eval_point(run->eq.eval, t, y);
    const bool beyond = is_given(run) && point.orientation * run->eq.base.orientation < 0;
    const double serves = stand_in_determined(run, &point);
    return beyond ? -serves : serves;
}

void change_base_watch(Run *run, double t, const double *y)
{
    run->eq.base.kept = false;
    run->eq.base.side = 1;
    change_base_orient(run, t, y);
    if (run->eq.stand_in.inertia == 0)
        run->eq.stand_in.inertia = motion_eval_point(run->eq.eval, t, y).inertia;
    run->eq.base.floor = QUALITY_LOSS_RATIO * determined_at(run, t, y);
}

void change_base_rise(Run *run, double t, const double *y)
{
    const double kept = run->eq.base.kept ? LAST_QUALITY_LOSS_RATIO : 1;

    if (run->eq.stand_in.motion || !(run->eq.base.floor < kept * QUALITY_LOSS_RATIO * GOOD_QUALITY))
        return;
    const MotionPoint point = motion_eval_point(run->eq.eval, t, y);
    const double serves = stand_in_determined(run, &point);
    run->eq.base.floor =
        fmax(run->eq.base.floor, kept * QUALITY_LOSS_RATIO * fmin(serves, GOOD_QUALITY));
}

void change_base_orient(Run *run, double t, const double *y)
{
    run->eq.base.orientation = motion_eval_point(run->eq.eval, t, y).orientation;
}

/* Below 0 where it is time for others. */
static double watched_value(Run *run, double t, const double *y)
{
    const double serves = determined_at(run, t, y) - run->eq.base.floor;
    return fmin(serves,
                run->eq.stand_in.motion ? stand_in_wanted(run, t, y) : stand_in_clear(run, t, y));
}

double change_base_guard(Run *run, double t, const double *y)
{
    /* in a passage nothing is asked of the dependent velocities */
    if (singular_covers(&run->watch.singular, t) || singular_ends(&run->watch.singular, t))
        return run->eq.base.side;
    return run->eq.base.side * watched_value(run, t, y);
}

/* The best equations at the state (run->at.q, run->at.v): those in use where no others will do,
 * as when `found` is false. */
static Status choose_equations(const Run *run, double t, const Motion **ret_motion, bool *ret_found,
                               Error *err)
{
    const Simulation *s = run->s;
    const Motion *old = s->motion, *motion = old;
    MotionOptions options = {.rows = s->start.rows, .n_rows = old->n_rows};
    Diagnostics ignored;
    const MotionQuestion question = simulation_question(s, t, run->at.q, run->at.v, &options);

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

static Status take_equations(Run *run, const Motion *motion, double t, double *y, Error *err)
{
    const Status status = replace_restated(run, motion, t, y, NULL, err);

    if (status == OK) {
        run->s->motion = motion;
        run->s->start.dependent = motion->dependent;
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

static Status base_lost(const Run *run, double t, Error *err)
{
    if (singular_near(&run->watch.singular))
        return change_base_singular(t, err);
    if (run->model->given.n_base)
        return error_set(err, ERR_NUMERIC,
                         "the constraints cease to determine the dependent velocities near "
                         "t = %.17g: leave \"base\" out, or choose other base coordinates",
                         t);
    return error_set(err, ERR_NUMERIC,
                     "the frame's fields cease to complete the velocities that the "
                     "constraints allow near t = %.17g: give the model %s \"frame\", or use the "
                     "formulation lagrange-dalembert or voronec",
                     t, run->model->given.n_frame ? "another" : "a");
}

/* The lowest quality at which a given base or frame may still serve. */
static double last_floor(const Run *run)
{
    return (run->eq.base.kept ? 1 : LAST_QUALITY_LOSS_RATIO) * run->eq.base.floor;
}

/* Other equations stand in, or others than those that do. */
static Status take_stand_in(Run *run, double t, double *y, Error *err)
{
    bool found = false;
    Status status = stand_in_begin(run, last_floor(run), t, y, &found, err);

    if (status == OK && !found)
        return base_lost(run, t, err);
    if (status == OK)
        change_base_watch(run, t, y);
    return status;
}

/* The given ones determine the velocities again: they are not given up before they are as far as
 * they were then. */
static Status end_stand_in(Run *run, double t, double *y, Error *err)
{
    Status status = stand_in_end(run, t, y, err);

    if (status == OK) {
        change_base_watch(run, t, y);
        run->eq.base.kept = true;
        run->eq.base.floor = run->eq.stand_in.floor;
    }
    return status;
}

/* The equations that stand in give way to the given ones, or to others. */
static Status follow_stand_in(Run *run, double t, double *y, Error *err)
{
    const bool serve_again =
        stand_in_wanted(run, t, y) <= determined_at(run, t, y) - run->eq.base.floor;
    return serve_again ? end_stand_in(run, t, y, err) : take_stand_in(run, t, y, err);
}

/* Others that the formulation allows, or those in use for as long as they will do. */
static Status choose_anew(Run *run, double t, double *y, Error *err)
{
    const double serves = determined_at(run, t, y) - run->eq.base.floor;
    const Motion *motion;
    bool found;

    /* a loss of rank is near: other equations stand in */
    if (stand_in_clear(run, t, y) < serves)
        return take_stand_in(run, t, y, err);
    Status status = choose_equations(run, t, &motion, &found, err);
    if (status != OK)
        return status;
    /* other coordinates; a given base may serve a little longer */
    if (motion != run->s->motion) {
        status = take_equations(run, motion, t, y, err);
    } else if (is_given(run)) {
        if (run->eq.base.kept)
            return take_stand_in(run, t, y, err);
        run->eq.base.kept = true;
        run->eq.base.floor *= LAST_QUALITY_LOSS_RATIO;
        return OK;
    }
    if (status == OK)
        change_base_watch(run, t, y);
    return status;
}

Status change_base(Run *run, double t, double *y, Error *err)
{
    const size_t n = run->model->n, n_rows = run->s->motion->n_rows;
    const double side = run->eq.base.side;
    MotionPoint point = motion_eval_point(run->eq.eval, t, y);

    memcpy(run->at.q, point.q, n * sizeof *run->at.q);
    memcpy(run->at.v, point.v, n * sizeof *run->at.v);
    memcpy(run->at.kept, point.lambda, n_rows * sizeof *run->at.kept);
    Status status =
        run->eq.stand_in.motion ? follow_stand_in(run, t, y, err) : choose_anew(run, t, y, err);
    run->eq.base.side = -side;
    return status;
}

Status change_base_after_impact(Run *run, double t, double *y, Error *err)
{
    const Motion *motion;
    bool found;

    if (!run->eq.watches_dependent)
        return OK;
    change_base_orient(run, t, y);
    /* the choice still serves behind the impact */
    if (watched_value(run, t, y) > 0)
        return OK;
    if (run->eq.stand_in.motion)
        return follow_stand_in(run, t, y, err);
    Status status = choose_equations(run, t, &motion, &found, err);
    if (status == OK && !found)
        return take_stand_in(run, t, y, err);
    if (status == OK && motion != run->s->motion)
        status = take_equations(run, motion, t, y, err);
    if (status == OK)
        change_base_watch(run, t, y);
    return status;
}
