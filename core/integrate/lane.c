/* One lane of a drive: the length of its step, the verdict on it, the roots at which it is to end,
 * and what the observer is told, in order of time. */
#include "core/integrate/drive.h"
#include "core/integrate/limits.h"
#include "core/integrate/roots.h"
#include "core/integrate/sizes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/patience.h"

/* How far from its end a root in a step still is at its end, in units of rounding of t and h. */
static const double SAME_ULPS = 8;
enum { MAX_AIMS = 5, MAX_TARGETS = 4, MAX_AT_ONCE = 200 };

/* A callback's error ends the lane with it. */
static bool lane_check(Drive *drive, size_t lane, Status status)
{
    if (status == OK)
        return true;
    drive->lanes[lane].state = LANE_DONE;
    drive->lanes[lane].outcome->status = status;
    return false;
}

static bool tell_sample(Drive *drive, size_t lane, const double *y)
{
    const OdeObserver *observer = drive->observer;
    Lane *l = &drive->lanes[lane];
    Status status = OK;
    if (observer->sample != NULL)
        status =
            observer->sample(observer->self, lane, l->sample, l->sample_t, y, &l->outcome->error);
    l->sample++;
    l->sample_t = l->sample < l->span->n_samples ? l->span->sample_time(l->span->self, l->sample)
                                                 : l->direction * INFINITY;
    return lane_check(drive, lane, status) && ode_pulse(&drive->step.pulse);
}

static bool tell_step(Drive *drive, size_t lane, double h)
{
    const OdeObserver *observer = drive->observer;
    const OdeStep *step = &drive->step;
    const double *y = step->y;
    if (observer->step == NULL)
        return true;
    if (step->lanes > 1) {
        ode_gather(step, step->y, lane, drive->state);
        y = drive->state;
    }
    return lane_check(drive, lane,
                      observer->step(observer->self, lane, step->t[lane], h, y,
                                     &drive->lanes[lane].outcome->error));
}

/* When a clock ticks next; NaN: never, or no clock. */
static double next_tick(const Drive *drive, size_t lane, size_t k)
{
    const OdeOptions *options = drive->options;
    if (!options->guards[k].is_clock)
        return NAN;
    return options->tick(options->tick_self, k, drive->guards.ticks[lane * drive->guards.n + k]);
}

/* When it ticked last: its own instant, from which that of the step may differ by rounding. */
static double last_tick(const Drive *drive, size_t lane, size_t k)
{
    const OdeOptions *options = drive->options;
    return options->tick(options->tick_self, k,
                         drive->guards.ticks[lane * drive->guards.n + k] - 1);
}

void lane_next_stop(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    l->stop = l->span->t_end;
    for (size_t k = 0; k < drive->guards.n; k++) {
        const double t = next_tick(drive, lane, k);
        if (l->direction * (t - l->stop) < 0)
            l->stop = t;
    }
    /* no step is left between this one and the end */
    if (fabs(l->span->t_end - l->stop) <= SAME_ULPS * DBL_EPSILON * fabs(l->stop))
        l->stop = l->span->t_end;
}

/* The clocks whose instant is the end of the step, to rounding, fire. */
static void mark_clocks(Drive *drive, size_t lane)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lanes[lane];
    for (size_t k = 0; k < guards->n; k++) {
        const double off = fabs(next_tick(drive, lane, k) - l->t_new);
        if (!(off <= lane_rounding(drive, lane, SAME_ULPS)))
            continue;
        guards->ticks[lane * guards->n + k]++;
        guards->fired[lane * guards->n + k] = 1;
        l->ticked = true;
    }
    if (l->ticked)
        lane_next_stop(drive, lane);
}

void lane_start(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (!tell_step(drive, lane, 0))
        return;
    ode_gather(step, step->y, lane, drive->state);
    while (l->state != LANE_DONE && l->direction * (l->sample_t - step->t[lane]) <= 0)
        if (!tell_sample(drive, lane, drive->state))
            return;
    if (l->span->t_end == l->span->t0)
        l->state = LANE_DONE;
}

double lane_bounded(const Drive *drive, double h)
{
    const double most = drive->options->max_step;
    return most > 0 && fabs(h) > most ? copysign(most, h) : h;
}

void lane_choose_step(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const double t = step->t[lane], rest = l->stop - t;
    const double stretch = drive->method->fixed_step ? 1 + 1e-6 : STRETCH;

    l->h = lane_bounded(drive, l->h);
    const double reach = fabs(lane_bounded(drive, stretch * l->h));

    if (l->outcome->accepted + l->outcome->rejected >= drive->options->max_steps) {
        char cause[64];
        snprintf(cause, sizeof cause, "the limit of %llu steps (max_steps) was met",
                 (unsigned long long)drive->options->max_steps);
        lane_fail(drive, lane, ERR_LIMIT, cause);
        return;
    }
    /* to a root, to the end, through a passage, or as far as the error allows */
    if (l->aiming)
        l->t_new = l->aim;
    else if (l->passing)
        l->t_new = l->direction * (l->stop - passage_end(drive->passage)) < 0
                       ? l->stop
                       : passage_end(drive->passage);
    else if (fabs(rest) <= reach)
        l->t_new = l->stop;
    else if (fabs(rest) < 2 * fabs(l->h) && !drive->method->fixed_step)
        l->t_new = t + rest / 2; /* two even steps, not a long and a tiny one */
    else
        l->t_new = t + l->h;
    step->h[lane] = l->t_new - t;
    if (l->aiming || l->t_new == l->stop ? step->h[lane] == 0
                                         : !(fabs(l->h) > lane_rounding(drive, lane, LEAST_ULPS)))
        lane_underflow(drive, lane);
}

/* Errors that do not shrink with the step are made by rounding in the rates; then that is measured,
 * and the tolerance kept above it. */
static void note_rejection(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    /* an error of truncation would shrink with the cube of the step, at least */
    const double ratio = step->h[lane] / l->rejected_h;
    l->noisy = l->rejections >= NOISY_REJECTIONS && isfinite(step->error[lane]) &&
               step->error[lane] > l->rejected_error * ratio * ratio * ratio;
    l->rejected_h = step->h[lane];
    l->rejected_error = step->error[lane];
    l->rejections++;
}

void lane_reject(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    note_rejection(drive, lane);
    l->state = LANE_REJECTED;
    l->aiming = false;
    l->outcome->rejected++;
    l->h = drive->method->reject(&drive->step, lane);
    if (drive->method->fixed_step)
        lane_fail(
            drive, lane, ERR_NUMERIC,
            "the state is not finite after this step: a singularity or blow-up, or a step that "
            "is too long,");
}

/* How far a projection moves the end of a step of one lane, in units of the tolerance. */
static double carried(const OdeStep *step, size_t lane, const double *projected)
{
    double most = 0;
    for (size_t r = 0; r < step->dim; r++) {
        const size_t i = r * step->lanes + lane;
        const double change = fabs(projected[r] - step->y_new[i]) / ode_tolerance(step, i, lane);
        most = change > most ? change : most;
    }
    return most;
}

static bool project_end(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    /* where constraints can lose rank a projection may lead to another branch of theirs */
    const bool may_carry = drive->passage != NULL && !drive->method->fixed_step && !l->passing;
    const bool in_place = step->lanes == 1 && !may_carry;
    double *y = in_place ? step->y_new : drive->state;

    if (!in_place)
        ode_gather(step, step->y_new, lane, y);
    if (!lane_check(
            drive, lane,
            step->system->project(step->system->self, lane, l->t_new, y, true, &l->outcome->error)))
        return false;
    const double far = may_carry ? carried(step, lane, y) : 0;
    if (far > CARRIED_AWAY) {
        step->error[lane] = far / CARRIED_AWAY;
        lane_reject(drive, lane);
        return false;
    }
    if (!in_place)
        ode_scatter(step, y, lane, step->y_new);
    return true;
}

void lane_judge(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (!(step->error[lane] <= 1)) {
        if (l->passing)
            lane_give_up_passage(drive, lane);
        else
            lane_reject(drive, lane);
        return;
    }
    l->state = LANE_CANDIDATE;
    /* inside a passage no projection is well conditioned, nor is there need of one */
    if (step->system->project == NULL || (l->passing && l->t_new != passage_end(drive->passage)))
        return;
    /* beyond a switch the constraints may be others; the step will be shortened to end before it */
    l->unprojected = !l->aiming && guards_passed(&drive->guards, step, lane);
    if (!l->unprojected)
        project_end(drive, lane);
}

/* Takes the step again to an end closer to the root; false when this one is as close as it gets. By
 * Newton's rule with the rates there, then by secants: the computed state depends on the length of
 * the step in its own way, by less than the tolerance. */
static bool aim_better(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const double value = drive->guards.end[lane * drive->guards.n + l->target];
    double distance, better;
    if (guards_far(&drive->guards, lane, l->target, value))
        return false;
    /* Newton's rule first, then secants through the last two ends */
    if (l->aims == 0)
        distance = guards_distance(&drive->guards, step, lane, l->target);
    else
        distance = -value * (l->t_new - l->missed_t) / (value - l->missed_value);
    better = l->t_new + distance;
    /* give up below rounding, beyond the step, where it converges no longer, or after some tries */
    if (!(fabs(distance) > lane_rounding(drive, lane, 0.5)) ||
        fabs(distance) > fabs(step->h[lane]) ||
        (l->aims > 0 && fabs(value) > 0.25 * fabs(l->missed_value)) || l->aims >= MAX_AIMS ||
        l->direction * (better - step->t[lane]) <= 0 || l->direction * (l->stop - better) < 0)
        return false;
    l->missed_t = l->t_new;
    l->missed_value = value;
    l->aim = better;
    l->aims++;
    l->outcome->rejected++;
    l->state = LANE_READY;
    return true;
}

/* May the step have passed something, as its ends tell? */
static bool may_pass(Drive *drive, size_t lane)
{
    const OdeWatch *watch = &drive->step.system->watch;

    if (watch->passed == NULL || drive->lanes[lane].passing)
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
        if (l->aiming && aim_better(drive, lane))
            return false;
        l->n_roots = guards_suspect(&drive->guards, &drive->step, lane) ? 1 : 0;
    }
    l->suspect = lane_suspects(drive, lane);
    l->may_pass = may_pass(drive, lane);
    return l->n_roots > 0 || l->suspect || l->may_pass || drive->observer->arc != NULL ||
           l->direction * (l->sample_t - l->t_new) < 0;
}

/* The direction along increasing t. */
static int root_direction(const Lane *l, int direction)
{
    return l->direction > 0 ? direction : -direction;
}

static bool wanted(const Drive *drive, const Lane *l, const Root *root)
{
    int direction = drive->options->guards[root->guard].direction;
    return direction == 0 || direction == root_direction(l, root->direction);
}

static bool breaks(const Drive *drive, const Lane *l, const Root *root)
{
    return drive->options->guards[root->guard].kind == ODE_GUARD_BREAK && wanted(drive, l, root);
}

/* Marks the breaks among the roots up to theta. */
static void mark_fired(Drive *drive, size_t lane, double theta)
{
    Guards *guards = &drive->guards;
    const Lane *l = &drive->lanes[lane];
    for (size_t i = 0; i < l->n_roots && guards->roots[i].theta <= theta; i++)
        if (breaks(drive, l, &guards->roots[i]))
            guards->fired[lane * guards->n + guards->roots[i].guard] =
                (signed char)guards->roots[i].direction;
}

/* All roots at the end of the step, within rounding, are there together: those of breaks fire, and
 * those of others are told before these. */
static void mark_end(Drive *drive, size_t lane)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lanes[lane];
    const double limit = lane_rounding(drive, lane, SAME_ULPS);
    if (l->aiming)
        guards->side_end[lane * guards->n + l->target] = (signed char)l->direction_there;
    l->n_roots = guards_roots_at_end(guards, &drive->step, lane, limit, l->n_roots);
    /* breaks in the step are at its end now; of the others those within rounding of it */
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &guards->roots[i];
        const double rest = (1 - root->theta) * fabs(drive->step.h[lane]);
        l->broke |= breaks(drive, l, root);
        if (breaks(drive, l, root) || (rest <= limit && wanted(drive, l, root)))
            guards->fired[lane * guards->n + root->guard] = (signed char)root->direction;
    }
    l->broke |= l->aiming;
    if (l->aiming)
        guards->fired[lane * guards->n + l->target] = (signed char)l->direction_there;
}

/* At the end of the step, within what rounding of t and of the guard may hide; that of the guard at
 * which it ends needs to be told from an earlier root only. A few tries decide what is earlier. */
static bool at_end(const Drive *drive, size_t lane, const Root *root)
{
    const Lane *l = &drive->lanes[lane];
    const double rest = 1 - root->theta;
    return rest * fabs(drive->step.h[lane]) <= lane_rounding(drive, lane, SAME_ULPS) ||
           (root->guard == l->target && (rest < 1e-3 || l->targets >= MAX_TARGETS)) ||
           (l->targets >= MAX_TARGETS && rest < 1e-6) || l->targets >= 4 * MAX_TARGETS;
}

/* The first break inside the step, to which the step is to be shortened: NULL when there is none,
 * or when it is the one at which the step ends already. */
static const Root *first_break(Drive *drive, size_t lane)
{
    const Lane *l = &drive->lanes[lane];
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &drive->guards.roots[i];
        if (breaks(drive, l, root))
            return l->aiming && at_end(drive, lane, root) ? NULL : root;
    }
    return NULL;
}

/* Shortens the step to a root; one at its very start needs no step. */
static void aim_at(Drive *drive, size_t lane, const Root *root)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const double h = step->h[lane];
    l->outcome->rejected++;
    l->aim = step->t[lane] + root->theta * h;
    if (l->aim == step->t[lane]) {
        mark_fired(drive, lane, root->theta);
        l->aiming = false;
        l->state = LANE_BLOCKED;
        return;
    }
    l->targets = l->aiming ? l->targets + 1 : 1;
    l->aiming = true;
    l->aims = 0;
    l->target = root->guard;
    l->direction_there = root->direction;
    l->state = LANE_READY;
}

static void state_inside(Drive *drive, size_t lane, double t)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (t == l->t_new) {
        ode_gather(step, step->y_new, lane, drive->state);
        return;
    }
    drive->method->dense(step, lane, (t - step->t[lane]) / step->h[lane], drive->state);
    if (step->system->project != NULL && !l->passing)
        lane_check(drive, lane,
                   step->system->project(step->system->self, lane, t, drive->state, false,
                                         &l->outcome->error));
}

static double root_time(const Drive *drive, size_t lane, const Root *root)
{
    const OdeStep *step = &drive->step;
    return root->theta == 1 ? drive->lanes[lane].t_new
                            : step->t[lane] + root->theta * step->h[lane];
}

static bool tell_record(Drive *drive, size_t lane, const Root *root)
{
    const OdeObserver *observer = drive->observer;
    const double t = root_time(drive, lane, root);
    Lane *l = &drive->lanes[lane];
    OdeAction action = ODE_CONTINUE;
    if (observer->event == NULL)
        return true;
    state_inside(drive, lane, t);
    return l->state != LANE_DONE &&
           lane_check(drive, lane,
                      observer->event(observer->self, lane, root->guard,
                                      root_direction(l, root->direction), t, drive->state, &action,
                                      &l->outcome->error));
}

/* Samples and recorded roots inside the step, in order of time. */
static bool tell_inside(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    size_t next = 0;
    for (;;) {
        const Root *root = NULL;
        /* the next root that is to be recorded, and all samples before it */
        for (; next < l->n_roots; next++) {
            root = &drive->guards.roots[next];
            if (drive->options->guards[root->guard].kind == ODE_GUARD_RECORD &&
                wanted(drive, l, root))
                break;
            root = NULL;
        }
        const double root_t = root != NULL ? root_time(drive, lane, root) : l->t_new;
        while (l->direction * (l->sample_t - root_t) <= 0) {
            state_inside(drive, lane, l->sample_t);
            if (l->state == LANE_DONE || !tell_sample(drive, lane, drive->state))
                return false;
        }
        if (root == NULL)
            return true;
        if (!tell_record(drive, lane, root))
            return false;
        next++;
    }
}

static void tell_arc(Drive *drive, size_t lane)
{
    if (drive->observer->arc == NULL)
        return;
    const OdeArcOf of = {&drive->step, drive->method};
    const OdeArc arc = ode_arc(&of, lane);
    drive->observer->arc(drive->observer->self, lane, &arc);
}

/* Takes the step again, only so long that all that happens to the guards can be looked through. */
static void shorten(Drive *drive, size_t lane, double cut)
{
    Lane *l = &drive->lanes[lane];
    l->h = cut * drive->step.h[lane];
    l->outcome->rejected++;
    l->aiming = false;
    l->state = LANE_READY;
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
    const OdeArcOf of = {step, drive->method};
    const OdeArc arc = ode_arc(&of, lane);
    const OdeWatch *watch = &step->system->watch;
    const OdePassed passed = watch->passed(watch->self, lane, &arc, &from, &length);
    if (passed == ODE_NOTHING)
        return false;
    if (passed == ODE_FEATURE && drive->method->fixed_step) {
        if (observer->overlooked != NULL)
            observer->overlooked(observer->self, lane, arc.t, arc.h);
        return false;
    }
    if (passed == ODE_FEATURE)
        l->most = length * fabs(arc.h);
    shorten(drive, lane, passed == ODE_FEATURE ? fmax(from, length) : from);
    return true;
}

/* Says which guards may have had roots in the step that were not found, and which had no value or a pole. */
static void tell_doubts(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    const Guards *guards = &drive->guards;
    const double t = step->t[lane], h = step->h[lane];
    for (size_t k = 0; k < step->system->n_enclosed && observer->unsure != NULL; k++)
        if (!isnan(guards->unsure[lane * guards->n + k]))
            observer->unsure(observer->self, lane, k, t, h);
    for (size_t k = 0; k < guards->n && observer->lost != NULL; k++)
        if (!isnan(guards->lost[lane * guards->n + k]))
            observer->lost(observer->self, lane, k, t + guards->lost[lane * guards->n + k] * h);
}

void lane_settle(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const Root *root;
    double h, cut = 1;

    /* what was passed unseen, a singular instant or a break inside the step shortens it, and nothing
     * of it is told yet */
    if (l->suspect && lane_approach(drive, lane))
        return;
    if (has_passed(drive, lane))
        return;
    if (l->n_roots > 0)
        l->n_roots = guards_roots(&drive->guards, step, drive->method, lane, &cut);
    /* roots are left unfound when patience is over: nobody is told of such a step */
    if (step->pulse.status == OK)
        step->pulse.status = patience_status(&step->pulse.error);
    if (step->pulse.status != OK)
        return;
    if (cut < 1) {
        shorten(drive, lane, cut);
        return;
    }
    root = first_break(drive, lane);
    if (root != NULL) {
        aim_at(drive, lane, root);
        return;
    }
    /* the step stays: its end goes onto the constraints, then events and samples are told */
    if (l->unprojected && !project_end(drive, lane))
        return;
    if (drive->guards.n > 0 && (l->aiming || l->t_new == l->stop))
        mark_end(drive, lane);
    if (fabs(l->stop - l->t_new) <= lane_rounding(drive, lane, SAME_ULPS))
        mark_clocks(drive, lane);
    tell_arc(drive, lane);
    if (!tell_inside(drive, lane))
        return;
    tell_doubts(drive, lane);
    h = drive->method->accept(step, lane);
    /* a step cut short, by an event or the end, says little about how long it might have been */
    if (drive->method->multistep || fabs(step->h[lane]) > WHOLE_STEP * fabs(l->h) ||
        fabs(h) > fabs(l->h))
        l->h = h;
    if (l->most > 0 && fabs(l->h) > l->most)
        l->h = copysign(l->most, l->h);
    l->most = 0;
    guards_accept(&drive->guards, step, lane);
    l->short_step = l->rejections > 0;
    l->rejections = 0;
    l->outcome->accepted++;
    l->last_h = step->h[lane];
    l->state = LANE_ACCEPTED;
}

/* Counts breaks, the last by guard k; false when there are too many of them. `blocked`: t has not
 * moved on since those before. Of impacts at one instant those that others made necessary are
 * fine. */
static bool count_breaks(Drive *drive, size_t lane, size_t count, size_t k, bool blocked)
{
    Lane *l = &drive->lanes[lane];
    const bool impact = drive->options->guards[k].is_impact;
    const bool again = blocked && drive->guards.jumped[lane * drive->guards.n + k];
    const bool alone = !impact || l->last_guard == k;

    l->at_once = blocked ? l->at_once + 1 : 0;
    l->outcome->breaks += count;
    l->last_guard = k;
    if ((again && alone) || l->at_once > MAX_AT_ONCE)
        lane_fail_chattering(drive, lane,
                             impact ? "the contact persists, or impacts come closer together than "
                                      "t can tell,"
                                    : "closer together than t can tell");
    else if (l->outcome->breaks > drive->options->max_breaks)
        lane_fail_chattering(drive, lane, "more than a run may have");
    return l->state != LANE_DONE;
}

/* Tells the observer of a guard that fired; *ret_restart where it has changed the state or the
 * rates. False when the lane has ended. */
static bool tell_break(Drive *drive, size_t lane, size_t k, bool *ret_restart)
{
    const OdeObserver *observer = drive->observer;
    const OdeGuard *kind = &drive->options->guards[k];
    OdeStep *step = &drive->step;
    Guards *guards = &drive->guards;
    Lane *l = &drive->lanes[lane];
    const int direction = root_direction(l, guards->fired[lane * guards->n + k]);
    const double t = kind->is_clock ? last_tick(drive, lane, k) : step->t[lane];
    OdeAction action = ODE_CONTINUE;

    /* whether the observer changes the state is seen by comparing the bits */
    ode_gather(step, step->y, lane, drive->state);
    memcpy(guards->other, drive->state, step->rows * sizeof(double));
    if (!lane_check(drive, lane,
                    observer->event(observer->self, lane, k, direction, t, drive->state, &action,
                                    &l->outcome->error)))
        return false;
    const bool other = memcmp(guards->other, drive->state, step->rows * sizeof(double)) != 0;
    const bool renewed = action == ODE_RENEW && step->system->smooth != NULL;
    if (kind->is_impact || other) {
        ode_scatter(step, drive->state, lane, step->y);
        for (size_t i = lane; i < step->rows * step->lanes; i += step->lanes)
            step->carry[i] = 0;
        l->changed = true;
        guards->jumped[lane * guards->n + k] = true;
        *ret_restart = true;
    }
    l->changed |= action == ODE_RENEW;
    *ret_restart |= action == ODE_RESTART || action == ODE_RENEW;
    l->jumped |= *ret_restart && !renewed;
    if (action == ODE_STOP) {
        l->outcome->stopped = true;
        l->state = LANE_DONE;
    }
    return action != ODE_STOP;
}

/* The guards that fired tell their events; false when the lane has ended. `blocked`: no step was
 * made to get there. */
static bool fire(Drive *drive, size_t lane, bool blocked, bool *ret_restart)
{
    const OdeGuard *kinds = drive->options->guards;
    Guards *guards = &drive->guards;
    Lane *l = &drive->lanes[lane];
    const double seen = l->direction * fmax(fabs(l->h), lane_rounding(drive, lane, 1 << 16));
    const size_t held = guards_hold_returning(guards, &drive->step, lane, seen);
    if (held > 0 && !count_breaks(drive, lane, held, l->last_guard, blocked))
        return false;
    for (size_t k = 0; k < guards->n; k++) {
        if (guards->fired[lane * guards->n + k] == 0 || kinds[k].kind != ODE_GUARD_BREAK)
            continue;
        /* its side is taken from the new state, and whoever changed that chose the branch */
        if (l->changed && kinds[k].is_switch)
            continue;
        if (l->changed && kinds[k].is_impact && !kinds[k].is_clock) {
            guards_wait(guards, lane, k);
            continue;
        }
        if (!kinds[k].is_clock && !count_breaks(drive, lane, 1, k, blocked))
            return false;
        if (drive->observer->event != NULL && !tell_break(drive, lane, k, ret_restart))
            return false;
    }
    return true;
}

/* After a break the next one is seldom much farther away than the last was, unless both were at one
 * instant; of clocks it is known when they tick. */
static void after_break(Drive *drive, size_t lane, bool restart)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const double gap = fabs(step->t[lane] - l->last_break);
    if (l->broke && gap > lane_rounding(drive, lane, SAME_ULPS)) {
        const double most = fmax(16 * gap, 1e3 * lane_rounding(drive, lane, LEAST_ULPS));
        l->last_break = step->t[lane];
        if (fabs(l->h) > most)
            l->h = l->direction * most;
    }
    l->fresh = restart;
    if (restart)
        l->unknown_h = drive->method->multistep;
    else
        guards_begin(&drive->guards, step, lane, false);
}

void lane_finish(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    const bool blocked = l->state == LANE_BLOCKED;
    bool restart = false;

    l->jumped = false;
    /* the step that was accepted is told */
    if (l->state == LANE_ACCEPTED) {
        double h = step->h[lane];
        step->t[lane] = l->t_new;
        l->outcome->longest = ode_larger(l->outcome->longest, fabs(h));
        sizes_take(step, lane, l->outcome->accepted);
        if (!tell_step(drive, lane, h))
            return;
    }
    /* then what breaks the motion where it ends */
    l->state = LANE_READY;
    l->broke |= blocked;
    if (l->broke || l->ticked) {
        l->changed = false;
        if (!fire(drive, lane, blocked, &restart))
            return;
        after_break(drive, lane, restart);
    }
    /* then what lies ahead is looked at */
    if (drive->passage != NULL && l->state == LANE_READY) {
        lane_look_ahead(drive, lane, l->jumped);
        lane_change_method(drive, lane, l->jumped);
    }
    l->aiming = l->broke = l->ticked = false;
    if (step->t[lane] == l->span->t_end)
        l->state = LANE_DONE;
}
