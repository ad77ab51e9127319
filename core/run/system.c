/* A run as the drive of core/integrate sees it. */
#include "core/run/system.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/run/equations/smooth.h"
#include "core/run/state/projection.h"
#include "core/run/tell/reduce.h"
#include "core/run/watch/guards.h"
#include "core/run/watch/inside.h"
#include "core/run/watchers.h"

static void run_on_overlooked(void *self, double t, double h)
{
    Run *run = self;
    (void)h;
    if (run->watch.overlooked++ == 0)
        run->watch.overlooked_t = t;
}

static void run_on_unsure(void *self, size_t guard, double t, double h)
{
    Run *run = self;
    (void)h;
    if (run->watch.events.unsure[guard]++ == 0)
        run->watch.events.unsure_t[guard] = t;
}

static void run_on_lost(void *self, size_t guard, double t)
{
    Run *run = self;
    if (guard < run->at.s->n_events && isnan(run->watch.events.lost[guard]))
        run->watch.events.lost[guard] = t;
}

static void run_on_unheeded(void *self, size_t guard, double t)
{
    Run *run = self;
    if (guard < run->at.s->n_events && isnan(run->watch.events.unheeded[guard]))
        run->watch.events.unheeded[guard] = t;
}

static void run_on_arc(void *self, const OdeArc *arc)
{
    Run *run = self;
    reduce_step(&run->rows.reduce, &run->at, &run->watch.features, arc);
}

static bool suspect_singular(void *self, double t, const double *y, double ahead)
{
    Run *run = self;
    return singular_suspects(&run->at.singular, t, y, ahead);
}

static double singular_ahead(void *self, double *ret_margin)
{
    Run *run = self;
    return singular_horizon(&run->at.singular, ret_margin);
}

static double find_singular(void *self, const OdeArc *arc, double most)
{
    Run *run = self;
    return singular_find(&run->at.singular, arc, most);
}

/* A passage that has passed something unseen is not taken: the motion goes half the way, by steps
 * that see it, and a shorter one is tried. */
static bool pass_singular(void *self, const OdeArc *arc, double agreement)
{
    Run *run = self;
    if (!singular_pass(&run->at.singular, arc, agreement))
        return false;
    run->at.singular.unseen =
        inside_find_all_passed(&run->watch, &run->at, &run->evidence.motion, arc) != ODE_NOTHING;
    if (run->at.singular.unseen)
        singular_leave(&run->at.singular);
    return !run->at.singular.unseen;
}

/* Of holonomic constraints coordinates do not depend on multipliers, and one of these may be
 * nothing but rounding beside others. */
static void weigh_multipliers(void *self, const double *y, double *sizes)
{
    const Run *run = self;
    const size_t n = run->at.model->n;

    singular_weigh(&run->at.singular, y + 2 * n, sizes + 2 * n);
}

static void look_at_guards(void *self, double t, const double *y, double *ret_values)
{
    Run *run = self;
    guards_look(&run->at, &run->watch.events, t, y, ret_values);
}

static double follow_guards(void *self, const OdeArc *arc)
{
    Run *run = self;
    return guards_follow(&run->at, &run->watch.enclosure, arc);
}

static void enclose_guard(void *self, size_t guard, double from, double to, OdeRange *ret_range)
{
    Run *run = self;
    enclosure_take(&run->watch.enclosure, guard, from, to, ret_range);
}

static bool may_pass(void *self, const OdeArc *ends)
{
    Run *run = self;
    return inside_may_pass(&run->watch, &run->at, ends);
}

static OdePassed find_passed(void *self, const OdeArc *arc, double *ret_from, double *ret_length)
{
    Run *run = self;
    return inside_find_passed(&run->watch, &run->at, &run->evidence.motion, arc, ret_from,
                              ret_length);
}

static void run_rates(void *self, const double *t, const double *y, double *ret_rates, size_t lanes)
{
    const Run *run = self;
    (void)lanes; /* one */
    motion_eval_rates(run->at.eq.eval, t, y, ret_rates);
}

static double *run_place(void *self)
{
    const Run *run = self;
    return motion_eval_place(run->at.eq.eval);
}

static void run_rates_beside(void *self, const double *t, const double *y, double *ret_rates,
                             size_t lanes)
{
    const Run *run = self;
    linearised_rates(sensitivity_run_motion(run->at.eq.sensitivities), t, y, ret_rates, lanes);
}

static void run_jacobian(void *self, double t, const double *y, double *ret_dfdy, double *ret_dfdt)
{
    const Run *run = self;
    motion_eval_jacobian(run->at.eq.eval, t, y, ret_dfdy, ret_dfdt);
}

static Status run_make_jacobian(void *self, Error *err)
{
    const Run *run = self;
    return motion_eval_make_jacobian(run->at.eq.eval, run->at.model, run->at.s->params, err);
}

static void run_on_exchange(void *self, double t, const OdeMethod *method, double ratio)
{
    Run *run = self;
    run->evidence.motion.damped = true;
    method_log_take(&run->progress.methods, run->at.s, t, method, ratio);
}

static Status poll_sink(void *self, Error *err)
{
    const Run *run = self;
    return run->rows.sink->poll ? run->rows.sink->poll(run->rows.sink->self, err) : OK;
}

static void run_shaken(void *self, double t, const double *y, double *ret_rates)
{
    Run *run = self;
    const size_t dim = run->at.s->motion->dim;

    if (run->at.eq.sensitivities) {
        linearised_rates_shaken(sensitivity_run_motion(run->at.eq.sensitivities), t, y, ret_rates);
    } else {
        motion_eval_rates_shaken(run->at.eq.eval, t, y, run->at.shaken);
        memcpy(ret_rates, run->at.shaken, dim * sizeof *ret_rates);
    }
    ret_rates[run->at.size] = NAN; /* work */
}

/* If the motion does not go on smoothly past a corner, the end of a step at the corner stays
 * unprojected: a projection would bend the step. */
static Status project_to_corner(Run *run, double t, double *y, StepEndChange *ret, Error *err)
{
    MotionState *at = &run->at;

    memcpy(at->scratch, y, (at->size + 1) * sizeof *y);
    at->corner_t = NAN;
    Status status = state_project(at, &run->evidence.motion, t, y, true, ret, err);
    /* after a larger change a corner is looked for */
    if ((status == OK && fmax(ret->dq, ret->dv) <= ACCURACY_CLEAR) ||
        state_check_corner(at, &run->watch.corners, t, at->scratch, NULL) == OK)
        return status;
    at->corner_t = t;
    memcpy(y, at->scratch, (at->size + 1) * sizeof *y);
    *ret = (StepEndChange){0};
    return OK;
}

static Status project_state(void *self, double t, double *y, bool on_step_end, Error *err)
{
    Run *run = self;
    StepEndChange ignored = {0}, *change = on_step_end ? &run->progress.pending : &ignored;
    return on_step_end && run->watch.corners.function.program
               ? project_to_corner(run, t, y, change, err)
               : state_project(&run->at, &run->evidence.motion, t, y, on_step_end, change, err);
}

OdeSystem run_system(Run *run)
{
    const Simulation *s = run->at.s;
    const bool alone = !run->at.eq.sensitivities;
    const OdeWatch watch = {.self = run, .may_pass = may_pass, .passed = find_passed};

    return (OdeSystem){.self = run,
                       .dim = run->at.size,
                       .extra = 1,
                       .rates = alone ? run_rates : run_rates_beside,
                       .place = alone ? run_place : NULL,
                       .shaken = run_shaken,
                       .jacobian = alone ? run_jacobian : NULL,
                       .make_jacobian = alone ? run_make_jacobian : NULL,
                       .project =
                           s->integration.projection && s->start.report.rank ? project_state : NULL,
                       .projects_near = true,
                       /* events, and the inside of a step */
                       .guards = look_at_guards,
                       .follow = follow_guards,
                       .enclose = enclose_guard,
                       .watch = inside_watched(&run->watch, s) ? watch : (OdeWatch){0},
                       .suspect = suspect_singular,
                       .horizon = singular_ahead,
                       .singular = singular_watches(&run->at.singular) ? find_singular : NULL,
                       .smooth = smooth_variables(&run->at),
                       .pass = pass_singular,
                       .weigh = singular_multipliers_apart(s) ? weigh_multipliers : NULL};
}

OdeObserver run_observer(Run *run)
{
    return (OdeObserver){.self = run,
                         .step = watchers_step,
                         .arc = reduce_wants_steps(run->at.s) ? run_on_arc : NULL,
                         .sample = watchers_sample,
                         .event = events_take,
                         .overlooked = run_on_overlooked,
                         .unsure = run_on_unsure,
                         .lost = run_on_lost,
                         .unheeded = run_on_unheeded,
                         .exchanged = run_on_exchange,
                         .poll = poll_sink};
}
