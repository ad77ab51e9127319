/* One lane of a drive: the length of its step, the verdict on it, and the order in which the rest
 * is done: roots are found (lane_roots.c), the observer is told (lane_tell.c), and breaks at the
 * end act (lane_breaks.c). */
#include "core/integrate/lane.h"
#include "core/base/numbers.h"
#include "core/integrate/control.h"
#include "core/integrate/roots.h"
#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"
#include "core/program/block_of_one.h"

#include "core/integrate/step_blocks.h"

#include <math.h>
#include <stdio.h>

#include "core/base/stop_token.h"

/* Ratio: if the order of the method predicts an error of more than this many tolerances from the
 * rejected step, but the estimate of this step is within the tolerance, the estimate probably just
 * changes its sign. The step is tried once more with the second ratio of its length.
 * Conventions. */
static const double LUCKY_ERROR_RATIO = 100, LUCKY_RETRY_FRACTION = 0.8;
/* Factor: MAX_STRETCH of a method with a fixed step, only for the rounding of t over many steps.
 * Convention. */
static const double MAX_FIXED_STRETCH = 1 + 1e-6;

double lane_bounded(const Drive *drive, double h)
{
    const double most = drive->options->max_step;
    return most > 0 && fabs(h) > most ? copysign(most, h) : h;
}

/* A lane makes no progress if the mean step is less than the first, a fraction of the time so far
 * and of the time left, and each component moves by less than the second, in units of the
 * tolerance. Conventions. */
static const double STUCK_STEP_FRACTION = 1e-7, STUCK_MOVE_TOLERANCES = 100;

/* Have the last steps made no progress, in time and in every component? Either each step ends at
 * a jump of the rates, such as that of -v/|v| at v = 0, or a stiff component at rest limits the
 * step size. Breaks have a limit of their own. */
static bool is_stuck(const Drive *drive, double way)
{
    const OdeStep *step = &drive->step;
    const Lane *l = &drive->lane;
    const double mean = way / STUCK_STEPS;
    const double so_far = fabs(l->stuck.t - l->span->t0);
    const double least = STUCK_STEP_FRACTION * fmin(so_far, fabs(l->span->t_end - l->stuck.t));

    if (drive->method->fixed_step || fmax(mean, fabs(l->h)) >= least ||
        fabs(l->h) == drive->options->max_step || l->outcome->breaks > l->stuck.breaks)
        return false;
    for (size_t i = 0; i < step->dim; i++) {
        if (!(fabs(step->rates[i]) * mean <= STUCK_MOVE_TOLERANCES * ode_weight_at(step, i)))
            return false;
    }
    return true;
}

/* Checks every STUCK_STEPS steps that the lane makes progress. False: the lane has ended. */
static bool moves_on(Drive *drive)
{
    const OdeOutcome *outcome = drive->lane.outcome;
    Lane *l = &drive->lane;

    if (outcome->accepted + outcome->rejected < l->stuck.steps)
        return true;
    const double way = fabs(drive->step.t[0] - l->stuck.t);
    l->stuck.steps = outcome->accepted + outcome->rejected + STUCK_STEPS;
    /* steps may be short because the motion is stiff: another method may lead on */
    const bool asks = stiffness_watch(drive);
    const bool stuck = is_stuck(drive, way) && !asks;
    l->stuck.t = drive->step.t[0];
    l->stuck.breaks = outcome->breaks;
    if (stuck)
        lane_fail_stuck(drive, way);
    return !stuck;
}

void lane_choose_step(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const double t = step->t[0], rest = l->stop - t;
    const double stretch = l->cut ? 1 : drive->method->fixed_step ? MAX_FIXED_STRETCH : MAX_STRETCH;

    l->h = lane_bounded(drive, l->h);
    const double reach = fabs(lane_bounded(drive, stretch * l->h));

    if (l->outcome->accepted + l->outcome->rejected >= drive->options->max_steps) {
        char cause[128];
        snprintf(cause, sizeof cause, "the limit of %llu steps (max_steps) was met%s",
                 (unsigned long long)drive->options->max_steps,
                 l->outcome->stiff ? " by a stiff motion (the method bdf takes longer steps)" : "");
        lane_fail(drive, ERR_LIMIT, cause);
        return;
    }
    if (!moves_on(drive))
        return;
    /* to a root, to the end, through a passage, or as far as the error allows */
    if (l->aim.active)
        l->t_new = l->aim.t;
    else if (l->singular.passing)
        l->t_new = l->direction * (l->stop - passage_end(&drive->passage)) < 0
                       ? l->stop
                       : passage_end(&drive->passage);
    else if (fabs(rest) <= reach)
        l->t_new = l->stop;
    else if (fabs(rest) < 2 * fabs(l->h) && !l->cut && !drive->method->fixed_step)
        l->t_new = t + rest / 2; /* two even steps, not a long and a tiny one */
    else
        l->t_new = t + l->h;
    step->h[0] = l->t_new - t;
    if (l->aim.active || l->t_new == l->stop ? step->h[0] == 0
                                             : !(fabs(l->h) > lane_rounding(drive, MIN_STEP_ULPS)))
        lane_underflow(drive);
}

/* Rounding of the rates makes errors that do not shrink with the step: then it is measured. */
static void note_rejection(Drive *drive)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    /* an error of truncation would shrink with the cube of the step, at least */
    const double ratio = step->h[0] / l->rejected.h;
    l->rejected.noisy = !(l->start.guessed && sizes_have_noise(step)) &&
                        l->rejected.n >= NOISY_REJECTIONS && isfinite(step->error[0]) &&
                        step->error[0] > l->rejected.error * ratio * ratio * ratio;
    l->rejected.h = step->h[0];
    l->rejected.error = step->error[0];
    l->rejected.n++;
}

void lane_reject(Drive *drive)
{
    Lane *l = &drive->lane;
    note_rejection(drive);
    l->state = LANE_REJECTED;
    l->aim.active = false;
    l->outcome->rejected++;
    l->h = drive->method->reject(&drive->step);
    if (l->start.guessed)
        l->h = drive->step.h[0] / FIRST_STEP_RATIO;
    if (drive->method->fixed_step)
        lane_fail(
            drive, ERR_NUMERIC,
            "the state is not finite after this step: a singularity or blow-up, or a step that "
            "is too long,");
}

/* How far a projection moves the end, in tolerances; 0: at most half of MAX_PROJECTION_MOVE. */
static double carried(const OdeStep *step, const double *projected)
{
    double most = 0;
    for (size_t i = 0; i < step->dim; i++) {
        const double change = fabs(projected[i] - step->y_new[i]);
        /* the tolerance is at least its absolute part; most changes are smaller than that */
        if (change <= MAX_PROJECTION_MOVE / 2 * (step->atol * step->sizes.size[i]))
            continue;
        const double tolerance = ode_tolerance(step, i);
        if (!(change <= MAX_PROJECTION_MOVE / 2 * tolerance))
            most = ode_larger(most, change / tolerance);
    }
    return most;
}

static bool project_end(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const bool may_carry =
        step->system->projects_near && !drive->method->fixed_step && !l->singular.passing;
    double *y = may_carry ? drive->state : step->y_new;

    if (may_carry)
        numbers_copy(y, step->y_new, step->rows);
    const Status status =
        step->system->project(step->system->self, l->t_new, y, true, &l->outcome->error);
    /* a step may end just where constraints lose rank, and nothing leads onto them */
    const bool nowhere = may_carry && status == ERR_NUMERIC && lane_suspects(drive);
    if (!nowhere && !lane_check(drive, status))
        return false;
    const double far = nowhere ? INFINITY : may_carry ? carried(step, y) : 0;
    if (far > MAX_PROJECTION_MOVE) {
        step->error[0] = far / MAX_PROJECTION_MOVE;
        lane_reject(drive);
        return false;
    }
    if (may_carry)
        numbers_copy(step->y_new, y, step->rows);
    return true;
}

/* An error estimate changes its sign as the step grows, and vanishes there by accident. Steps that
 * follow from earlier ones rarely meet this; far too long steps, at a start or after a corner, do.
 * If the error there has fallen by far more than its order since the last attempt, the step is
 * tried once more, a little shorter. A guessed step is tried each time. */
static bool is_lucky(const Drive *drive)
{
    const OdeStep *step = &drive->step;
    const Lane *l = &drive->lane;

    const bool fresh = drive->guards.n > 0 && drive->guards.fresh && !l->rejected.lucky;

    if (l->rejected.n == 0 || l->aim.active || l->singular.passing || drive->method->fixed_step ||
        !(l->start.guessed || (fresh && !drive->method->multistep)))
        return false;
    const double expected =
        l->rejected.error * pow(step->h[0] / l->rejected.h, drive->method->error_order);
    return isfinite(l->rejected.error) && expected > LUCKY_ERROR_RATIO;
}

void lane_judge(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    if (!(step->error[0] <= 1)) {
        if (l->singular.passing)
            lane_give_up_passage(drive);
        else
            lane_reject(drive);
        return;
    }
    if (is_lucky(drive)) {
        l->rejected.lucky = true;
        step->error[0] = pow(CONTROL_SAFETY / LUCKY_RETRY_FRACTION, drive->method->error_order);
        lane_reject(drive);
        return;
    }
    l->state = LANE_CANDIDATE;
    /* inside a passage no projection is well conditioned, nor is there need of one */
    if (step->system->project == NULL ||
        (l->singular.passing && l->t_new != passage_end(&drive->passage)))
        return;
    /* beyond a switch the constraints may be others; the step will be shortened to end before it */
    l->unprojected = drive->guards.n > 0 && !l->aim.active && guards_passed(&drive->guards, step);
    if (!l->unprojected)
        project_end(drive);
}

static bool may_pass(Drive *drive)
{
    const OdeWatch *watch = &drive->step.system->watch;

    if (watch->passed == NULL || drive->lane.singular.passing)
        return false;
    const OdeArc ends = ode_ends(&drive->step, drive->method);
    return watch->may_pass == NULL || watch->may_pass(watch->self, &ends);
}

bool lane_look(Drive *drive)
{
    Lane *l = &drive->lane;
    l->n_roots = 0;
    if (drive->guards.n > 0) {
        guards_see_end(&drive->guards, &drive->step);
        if (l->aim.active && lane_aim_better(drive))
            return false;
        l->n_roots = guards_suspect(&drive->guards, &drive->step) ? 1 : 0;
    }
    l->singular.suspect = lane_suspects(drive);
    l->may_pass = may_pass(drive);
    return l->n_roots > 0 || l->singular.suspect || l->may_pass || drive->observer->arc != NULL ||
           l->direction * (l->sample_t - l->t_new) < 0;
}

static void shorten(Drive *drive, double cut)
{
    Lane *l = &drive->lane;
    l->h = cut * drive->step.h[0];
    l->cut = true;
    l->outcome->rejected++;
    l->aim.active = false;
    l->state = LANE_READY;
}

static double least_part(const Lane *l, double h)
{
    return MIN_SEARCHED_PART * fmax(1, l->crowd.h / fabs(h));
}

static void shorten_for_roots(Drive *drive, double cut)
{
    Lane *l = &drive->lane;

    if (l->crowd.h == 0) {
        l->crowd.h = fabs(drive->step.h[0]);
        l->crowd.t = l->t_new;
    }
    shorten(drive, cut);
}

static bool has_passed(Drive *drive)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    Lane *l = &drive->lane;
    double from, length;

    if (!l->may_pass)
        return false;
    const OdeArcOf of = {step, drive->method};
    const OdeArc arc = ode_arc(&of);
    const OdeWatch *watch = &step->system->watch;
    const OdePassed passed = watch->passed(watch->self, &arc, &from, &length);
    if (passed == ODE_NOTHING)
        return false;
    if (passed == ODE_FEATURE && drive->method->fixed_step) {
        if (observer->overlooked != NULL)
            observer->overlooked(observer->self, arc.t, arc.h);
        return false;
    }
    /* end the step at the feature or in the visit; steps behind it resolve the feature */
    if (passed == ODE_FEATURE)
        l->most = length * fabs(arc.h);
    shorten(drive, passed == ODE_FEATURE ? fmax(from, length) : from);
    return true;
}

void lane_settle(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const Root *root;
    double h, cut = 1;

    /* a feature, a singular instant or a break inside shortens the step, and nothing is told yet */
    if ((l->singular.suspect && lane_approach(drive)) || has_passed(drive))
        return;
    if (l->n_roots > 0)
        l->n_roots = guards_roots(&drive->guards, step, drive->method, l->aim.active,
                                  least_part(l, step->h[0]), &cut);
    /* roots are left unfound when the thread is to stop: nobody is told of such a step */
    if (step->pulse.status == OK)
        step->pulse.status = stop_token_status(&step->pulse.error);
    if (step->pulse.status != OK)
        return;
    if (cut < 1) {
        shorten_for_roots(drive, cut);
        return;
    }
    root = lane_first_break(drive);
    if (root != NULL) {
        lane_aim_at(drive, root);
        return;
    }
    /* the step stays: its end goes onto the constraints, then events and samples are told */
    if (l->unprojected && !project_end(drive))
        return;
    if (drive->guards.n > 0 && (l->aim.active || l->t_new == l->stop))
        lane_mark_end(drive);
    if (fabs(l->stop - l->t_new) <= lane_rounding(drive, SAME_ULPS))
        lane_mark_clocks(drive);
    lane_tell_arc(drive);
    if (!lane_tell_inside(drive))
        return;
    lane_tell_doubts(drive);
    stiffness_see_step(drive);
    h = drive->method->accept(step);
    if (drive->method->multistep || step_tells(step->h[0], h, l->h))
        l->h = h;
    if (l->most > 0 && fabs(l->h) > l->most)
        l->h = copysign(l->most, l->h);
    l->most = 0;
    l->cut = false;
    guards_accept(&drive->guards, step);
    l->short_step = l->rejected.n > 0;
    l->rejected.n = 0;
    l->rejected.lucky = l->start.guessed = false;
    l->outcome->accepted++;
    l->last_h = step->h[0];
    if (l->crowd.h > 0 && l->direction * (l->t_new - l->crowd.t) >= 0)
        l->crowd.h = 0;
    l->state = LANE_ACCEPTED;
}

void lane_finish(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const bool blocked = l->state == LANE_BLOCKED;
    bool restart = false;

    l->breaks.jumped = false;
    if (l->state == LANE_ACCEPTED) {
        double h = step->h[0];
        step->t[0] = l->t_new;
        l->outcome->longest = ode_larger(l->outcome->longest, fabs(h));
        sizes_take(step, l->outcome->accepted, l->h);
        if (!lane_tell_step(drive, h))
            return;
    }
    /* then breaks at its end */
    if (l->breaks.at_end || l->breaks.ticked || step->t[0] == l->span->t_end)
        rounding_gather(step, step->rounding.noise);
    l->state = LANE_READY;
    l->breaks.at_end |= blocked;
    if (l->breaks.at_end || l->breaks.ticked) {
        l->start.changed = false;
        if (!lane_fire(drive, blocked, &restart))
            return;
        lane_after_break(drive, restart);
    }
    if (drive->step.system->singular != NULL && l->state == LANE_READY) {
        lane_look_ahead(drive, l->breaks.jumped);
        lane_change_method(drive, l->breaks.jumped);
    }
    l->aim.active = l->breaks.at_end = l->breaks.ticked = false;
    stiffness_exchange_method(drive);
    if (l->state == LANE_READY && step->t[0] == l->span->t_end)
        l->state = LANE_DONE;
}
