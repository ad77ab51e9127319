/* One lane of a drive: the length of its step, the verdict on it, and the order in which the
 * rest is done: roots are found (lane_roots.c), the observer is told (lane_tell.c), and what
 * breaks the motion at the end acts (lane_breaks.c). */
#include "core/integrate/lane.h"
#include "core/integrate/control.h"
#include "core/integrate/limits.h"
#include "core/integrate/roots.h"
#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"
#include "core/integrate/stiffness.h"

#include <math.h>
#include <stdio.h>

#include "core/base/patience.h"

/* If the error estimate is this many times smaller than the order of the method predicts, it
 * probably just changes its sign. The step is tried once more with a fraction of its length
 * (heuristics). */
static const double LUCKY_ERROR_RATIO = 100, LUCKY_RETRY_FRACTION = 0.8;
/* MAX_STRETCH of a method with a fixed step: rounding of t over many steps, no more (heuristic). */
static const double MAX_FIXED_STRETCH = 1 + 1e-6;

double lane_bounded(const Drive *drive, double h)
{
    const double most = drive->options->max_step;
    return most > 0 && fabs(h) > most ? copysign(most, h) : h;
}

/* A lane makes no progress if the mean step is less than the first, a fraction of the time so far
 * and of the time left, and each component moves by less than the second, in units of its
 * tolerance (heuristics). */
static const double STUCK_STEP_FRACTION = 1e-7, STUCK_MOVE_TOLERANCES = 100;

/* Have the last steps made no progress, in time and in every component? Either each step ends at
 * a jump of the rates, such as that of -v/|v| at v = 0, or a stiff component at rest limits the
 * step size. Breaks have a limit of their own. */
static bool is_stuck(const Drive *drive, size_t lane, double way)
{
    const OdeStep *step = &drive->step;
    const Lane *l = &drive->lanes[lane];
    const double mean = way / STUCK_STEPS;
    const double so_far = fabs(l->stuck.t - l->span->t0);
    const double least = STUCK_STEP_FRACTION * fmin(so_far, fabs(l->span->t_end - l->stuck.t));

    if (drive->method->fixed_step || fmax(mean, fabs(l->h)) >= least ||
        fabs(l->h) == drive->options->max_step || l->outcome->breaks > l->stuck.breaks)
        return false;
    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes) {
        if (!(fabs(step->rates[i]) * mean <= STUCK_MOVE_TOLERANCES * ode_weight_at(step, i)))
            return false;
    }
    return true;
}

/* Checks every STUCK_STEPS steps that the lane makes progress. False: the lane has ended. */
static bool moves_on(Drive *drive, size_t lane)
{
    const OdeOutcome *outcome = drive->lanes[lane].outcome;
    Lane *l = &drive->lanes[lane];

    if (outcome->accepted + outcome->rejected < l->stuck.steps)
        return true;
    const double way = fabs(drive->step.t[lane] - l->stuck.t);
    l->stuck.steps = outcome->accepted + outcome->rejected + STUCK_STEPS;
    /* steps may be short because the motion is stiff: another method may lead on */
    const bool asks = stiffness_watch(drive, lane);
    const bool stuck = is_stuck(drive, lane, way) && !asks;
    l->stuck.t = drive->step.t[lane];
    l->stuck.breaks = outcome->breaks;
    if (stuck)
        lane_fail_stuck(drive, lane, way);
    return !stuck;
}

void lane_choose_step(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const double t = step->t[lane], rest = l->stop - t;
    const double stretch = l->cut ? 1 : drive->method->fixed_step ? MAX_FIXED_STRETCH : MAX_STRETCH;

    l->h = lane_bounded(drive, l->h);
    const double reach = fabs(lane_bounded(drive, stretch * l->h));

    if (l->outcome->accepted + l->outcome->rejected >= drive->options->max_steps) {
        char cause[128];
        snprintf(cause, sizeof cause, "the limit of %llu steps (max_steps) was met%s",
                 (unsigned long long)drive->options->max_steps,
                 l->outcome->stiff ? " by a stiff motion (the method bdf takes longer steps)" : "");
        lane_fail(drive, lane, ERR_LIMIT, cause);
        return;
    }
    if (!moves_on(drive, lane))
        return;
    /* to a root, to the end, through a passage, or as far as the error allows */
    if (l->aim.active)
        l->t_new = l->aim.t;
    else if (l->singular.passing)
        l->t_new = l->direction * (l->stop - passage_end(drive->passage)) < 0
                       ? l->stop
                       : passage_end(drive->passage);
    else if (fabs(rest) <= reach)
        l->t_new = l->stop;
    else if (fabs(rest) < 2 * fabs(l->h) && !l->cut && !drive->method->fixed_step)
        l->t_new = t + rest / 2; /* two even steps, not a long and a tiny one */
    else
        l->t_new = t + l->h;
    step->h[lane] = l->t_new - t;
    if (l->aim.active || l->t_new == l->stop
            ? step->h[lane] == 0
            : !(fabs(l->h) > lane_rounding(drive, lane, MIN_STEP_ULPS)))
        lane_underflow(drive, lane);
}

/* Errors that do not shrink with the step are made by rounding in the rates; then that is measured,
 * and the tolerance kept above it. */
static void note_rejection(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    /* an error of truncation would shrink with the cube of the step, at least */
    const double ratio = step->h[lane] / l->rejected.h;
    l->rejected.noisy = !(l->start.guessed && sizes_have_noise(step)) &&
                        l->rejected.n >= NOISY_REJECTIONS && isfinite(step->error[lane]) &&
                        step->error[lane] > l->rejected.error * ratio * ratio * ratio;
    l->rejected.h = step->h[lane];
    l->rejected.error = step->error[lane];
    l->rejected.n++;
}

void lane_reject(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    note_rejection(drive, lane);
    l->state = LANE_REJECTED;
    l->aim.active = false;
    l->outcome->rejected++;
    l->h = drive->method->reject(&drive->step, lane);
    if (l->start.guessed)
        l->h = drive->step.h[lane] / FIRST_STEP_RATIO;
    if (drive->method->fixed_step)
        lane_fail(
            drive, lane, ERR_NUMERIC,
            "the state is not finite after this step: a singularity or blow-up, or a step that "
            "is too long,");
}

/* How far a projection moves the end of a step of one lane, in units of the tolerance; 0 if that
 * is at most half of MAX_PROJECTION_MOVE. */
static double carried(const OdeStep *step, size_t lane, const double *projected)
{
    double most = 0;
    for (size_t r = 0; r < step->dim; r++) {
        const size_t i = r * step->lanes + lane;
        const double change = fabs(projected[r] - step->y_new[i]);
        const double tolerance = ode_tolerance(step, i, lane);
        if (!(change <= MAX_PROJECTION_MOVE / 2 * tolerance))
            most = ode_larger(most, change / tolerance);
    }
    return most;
}

static bool project_end(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    /* where constraints can lose rank a projection may lead to another branch of theirs */
    const bool may_carry =
        drive->passage != NULL && !drive->method->fixed_step && !l->singular.passing;
    const bool in_place = step->lanes == 1 && !may_carry;
    double *y = in_place ? step->y_new : drive->state;

    if (!in_place)
        ode_gather(step, step->y_new, lane, y);
    const Status status =
        step->system->project(step->system->self, lane, l->t_new, y, true, &l->outcome->error);
    /* a step may end just where constraints lose rank, and nothing leads onto them */
    const bool nowhere = may_carry && status == ERR_NUMERIC && lane_suspects(drive, lane);
    if (!nowhere && !lane_check(drive, lane, status))
        return false;
    const double far = nowhere ? INFINITY : may_carry ? carried(step, lane, y) : 0;
    if (far > MAX_PROJECTION_MOVE) {
        step->error[lane] = far / MAX_PROJECTION_MOVE;
        lane_reject(drive, lane);
        return false;
    }
    if (!in_place)
        ode_scatter(step, y, lane, step->y_new);
    return true;
}

/* An error estimate changes its sign as the step grows, and vanishes there by accident. Steps that
 * follow from earlier ones rarely meet this; far too long steps, at a start or after a corner, do.
 * If the error there has fallen by far more than its order since the last attempt, the step is
 * tried once more, a little shorter. A guessed step is tried each time. */
static bool is_lucky(const Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    const Lane *l = &drive->lanes[lane];

    const bool fresh = drive->guards.n > 0 && drive->guards.fresh[lane] && !l->rejected.lucky;

    if (l->rejected.n == 0 || l->aim.active || l->singular.passing || drive->method->fixed_step ||
        !(l->start.guessed || (fresh && !drive->method->multistep)))
        return false;
    const double expected =
        l->rejected.error * pow(step->h[lane] / l->rejected.h, drive->method->error_order);
    return isfinite(l->rejected.error) && expected > LUCKY_ERROR_RATIO;
}

void lane_judge(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (!(step->error[lane] <= 1)) {
        if (l->singular.passing)
            lane_give_up_passage(drive, lane);
        else
            lane_reject(drive, lane);
        return;
    }
    if (is_lucky(drive, lane)) {
        l->rejected.lucky = true;
        step->error[lane] = pow(CONTROL_SAFETY / LUCKY_RETRY_FRACTION, drive->method->error_order);
        lane_reject(drive, lane);
        return;
    }
    l->state = LANE_CANDIDATE;
    /* inside a passage no projection is well conditioned, nor is there need of one */
    if (step->system->project == NULL ||
        (l->singular.passing && l->t_new != passage_end(drive->passage)))
        return;
    /* beyond a switch the constraints may be others; the step will be shortened to end before it */
    l->unprojected =
        drive->guards.n > 0 && !l->aim.active && guards_passed(&drive->guards, step, lane);
    if (!l->unprojected)
        project_end(drive, lane);
}

/* May the step have passed something, as its ends tell? */
static bool may_pass(Drive *drive, size_t lane)
{
    const OdeWatch *watch = &drive->step.system->watch;

    if (watch->passed == NULL || drive->lanes[lane].singular.passing)
        return false;
    const OdeArc ends = ode_ends(&drive->step, drive->method, lane);
    return watch->may_pass == NULL || watch->may_pass(watch->self, lane, &ends);
}

bool lane_look(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    l->n_roots = 0;
    if (drive->guards.n > 0) {
        guards_see_end(&drive->guards, &drive->step, lane);
        if (l->aim.active && lane_aim_better(drive, lane))
            return false;
        l->n_roots = guards_suspect(&drive->guards, &drive->step, lane) ? 1 : 0;
    }
    l->singular.suspect = lane_suspects(drive, lane);
    l->may_pass = may_pass(drive, lane);
    return l->n_roots > 0 || l->singular.suspect || l->may_pass || drive->observer->arc != NULL ||
           l->direction * (l->sample_t - l->t_new) < 0;
}

/* Takes the step again, only so long that all that happens to the guards can be looked through. */
static void shorten(Drive *drive, size_t lane, double cut)
{
    Lane *l = &drive->lanes[lane];
    l->h = cut * drive->step.h[lane];
    l->cut = true;
    l->outcome->rejected++;
    l->aim.active = false;
    l->state = LANE_READY;
}

/* Roots may come closer and closer together, like those of sin(1/x). Parts below this fraction of
 * the step before it was shortened for roots are not searched (heuristic). */
static const double MIN_SEARCHED_PART = 1e-6;

static double least_part(const Lane *l, double h)
{
    return MIN_SEARCHED_PART * fmax(1, l->crowd.h / fabs(h));
}

static void shorten_for_roots(Drive *drive, size_t lane, double cut)
{
    Lane *l = &drive->lanes[lane];

    if (l->crowd.h == 0) {
        l->crowd.h = fabs(drive->step.h[lane]);
        l->crowd.t = l->t_new;
    }
    shorten(drive, lane, cut);
}

/* Is the step to be taken again, because it has passed something? */
static bool has_passed(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    Lane *l = &drive->lanes[lane];
    double from, length;

    if (!l->may_pass)
        return false;
    /* ask the system, with the dense output */
    const OdeArcOf of = {step, drive->method};
    const OdeArc arc = ode_arc(&of, lane);
    const OdeWatch *watch = &step->system->watch;
    const OdePassed passed = watch->passed(watch->self, lane, &arc, &from, &length);
    if (passed == ODE_NOTHING)
        return false;
    if (passed == ODE_FEATURE && drive->method->fixed_step) {
        /* a fixed step is not shortened: report the feature */
        if (observer->overlooked != NULL)
            observer->overlooked(observer->self, lane, arc.t, arc.h);
        return false;
    }
    /* end the step at the feature or in the visit; steps behind it resolve the feature */
    if (passed == ODE_FEATURE)
        l->most = length * fabs(arc.h);
    shorten(drive, lane, passed == ODE_FEATURE ? fmax(from, length) : from);
    return true;
}

void lane_settle(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const Root *root;
    double h, cut = 1;

    /* what was passed unseen, a singular instant or a break inside the step shortens it, and
     * nothing of it is told yet */
    if ((l->singular.suspect && lane_approach(drive, lane)) || has_passed(drive, lane))
        return;
    if (l->n_roots > 0)
        l->n_roots = guards_roots(&drive->guards, step, drive->method, lane, l->aim.active,
                                  least_part(l, step->h[lane]), &cut);
    /* roots are left unfound when patience is over: nobody is told of such a step */
    if (step->pulse.status == OK)
        step->pulse.status = patience_status(&step->pulse.error);
    if (step->pulse.status != OK)
        return;
    if (cut < 1) {
        shorten_for_roots(drive, lane, cut);
        return;
    }
    root = lane_first_break(drive, lane);
    if (root != NULL) {
        lane_aim_at(drive, lane, root);
        return;
    }
    /* the step stays: its end goes onto the constraints, then events and samples are told */
    if (l->unprojected && !project_end(drive, lane))
        return;
    if (drive->guards.n > 0 && (l->aim.active || l->t_new == l->stop))
        lane_mark_end(drive, lane);
    if (fabs(l->stop - l->t_new) <= lane_rounding(drive, lane, SAME_ULPS))
        lane_mark_clocks(drive, lane);
    lane_tell_arc(drive, lane);
    if (!lane_tell_inside(drive, lane))
        return;
    lane_tell_doubts(drive, lane);
    stiffness_see_step(drive, lane);
    h = drive->method->accept(step, lane);
    /* a step cut short, by an event or the end, says little about how long it might have been */
    if (drive->method->multistep || fabs(step->h[lane]) > FULL_STEP_FRACTION * fabs(l->h) ||
        fabs(h) > fabs(l->h))
        l->h = h;
    if (l->most > 0 && fabs(l->h) > l->most)
        l->h = copysign(l->most, l->h);
    l->most = 0;
    l->cut = false;
    guards_accept(&drive->guards, step, lane);
    l->short_step = l->rejected.n > 0;
    l->rejected.n = 0;
    l->rejected.lucky = l->start.guessed = false;
    l->outcome->accepted++;
    l->last_h = step->h[lane];
    if (l->crowd.h > 0 && l->direction * (l->t_new - l->crowd.t) >= 0)
        l->crowd.h = 0;
    l->state = LANE_ACCEPTED;
}

void lane_finish(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const bool blocked = l->state == LANE_BLOCKED;
    bool restart = false;

    l->breaks.jumped = false;
    /* the step that was accepted is told */
    if (l->state == LANE_ACCEPTED) {
        double h = step->h[lane];
        step->t[lane] = l->t_new;
        l->outcome->longest = ode_larger(l->outcome->longest, fabs(h));
        sizes_take(step, lane, l->outcome->accepted, l->h);
        if (!lane_tell_step(drive, lane, h))
            return;
    }
    /* then what breaks the motion where it ends */
    if (l->breaks.at_end || l->breaks.ticked || step->t[lane] == l->span->t_end)
        rounding_gather(step, lane, step->rounding.noise);
    l->state = LANE_READY;
    l->breaks.at_end |= blocked;
    if (l->breaks.at_end || l->breaks.ticked) {
        l->start.changed = false;
        if (!lane_fire(drive, lane, blocked, &restart))
            return;
        lane_after_break(drive, lane, restart);
    }
    /* then what lies ahead is looked at */
    if (drive->passage != NULL && l->state == LANE_READY) {
        lane_look_ahead(drive, lane, l->breaks.jumped);
        lane_change_method(drive, lane, l->breaks.jumped);
    }
    l->aim.active = l->breaks.at_end = l->breaks.ticked = false;
    stiffness_exchange_method(drive, lane);
    if (l->state == LANE_READY && step->t[lane] == l->span->t_end)
        l->state = LANE_DONE;
}
