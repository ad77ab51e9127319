/* Breaks of the motion at the end of a step: clocks and events. */
#include "core/base/numbers.h"
#include "core/integrate/lane.h"
#include "core/integrate/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Breaks at one instant before the lane fails as chattering. */
enum { MAX_AT_ONCE = 200 };
/* Ratio to the rounding of t: the shortest step over which the motion of a guard is seen.
 * Convention. */
static const double MIN_SEEN_ULPS = 1 << 16;
/* Ratio: after a break the next step is at most the first times the time between the last two
 * breaks, but not below the second times the shortest step. Conventions. */
static const double MAX_GAP_RATIO = 16, MIN_STEPS_AFTER_BREAK = 1e3;

/* When a clock ticks next; NaN: never, or no clock. */
static double next_tick(const Drive *drive, size_t k)
{
    const OdeOptions *options = drive->options;
    if (!options->guards[k].is_clock)
        return NAN;
    return options->tick(options->tick_self, k, drive->guards.each[k].ticks);
}

/* When a clock ticked last, from which the instant of the step may differ by rounding. */
static double last_tick(const Drive *drive, size_t k)
{
    const OdeOptions *options = drive->options;
    return options->tick(options->tick_self, k, drive->guards.each[k].ticks - 1);
}

void lane_next_stop(Drive *drive)
{
    Lane *l = &drive->lane;
    l->stop = l->span->t_end;
    for (size_t k = 0; k < drive->guards.n; k++) {
        const double t = next_tick(drive, k);
        if (l->direction * (t - l->stop) < 0)
            l->stop = t;
    }
    /* no step is left between this one and the end */
    if (fabs(l->span->t_end - l->stop) <= SAME_ULPS * DBL_EPSILON * fabs(l->stop))
        l->stop = l->span->t_end;
}

void lane_mark_clocks(Drive *drive)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lane;
    for (size_t k = 0; k < guards->n; k++) {
        const double off = fabs(next_tick(drive, k) - l->t_new);
        if (!(off <= lane_rounding(drive, SAME_ULPS)))
            continue;
        guards->each[k].ticks++;
        guards->each[k].fired = 1;
        l->breaks.ticked = true;
    }
    if (l->breaks.ticked)
        lane_next_stop(drive);
}

/* Counts breaks, the last by guard k; false when there are too many of them. `blocked`: t has not
 * moved on since those before. A guard that breaks again before its contact has opened persists. Of
 * impacts at one instant those that others made necessary are fine. */
static bool count_breaks(Drive *drive, size_t count, size_t k, bool blocked)
{
    Lane *l = &drive->lane;
    const bool impact = drive->options->guards[k].is_impact;
    const bool again = drive->guards.each[k].jumped;
    const bool alone = !impact || l->breaks.guard == k;

    l->breaks.at_once = blocked ? l->breaks.at_once + 1 : 0;
    l->outcome->breaks += count;
    l->breaks.guard = k;
    if ((again && alone) || l->breaks.at_once > MAX_AT_ONCE)
        lane_fail_chattering(drive,
                             impact ? "the contact persists, or impacts come closer together than "
                                      "t can tell,"
                                    : "closer together than t can tell");
    else if (l->outcome->breaks > drive->options->max_breaks)
        lane_fail_chattering(drive, "more than a run may have");
    return l->state != LANE_DONE;
}

/* Tells of a guard that fired; *ret_restart: state or rates changed. False: the lane has ended. */
static bool tell_break(Drive *drive, size_t k, bool *ret_restart)
{
    const OdeObserver *observer = drive->observer;
    const OdeGuard *kind = &drive->options->guards[k];
    OdeStep *step = &drive->step;
    Guards *guards = &drive->guards;
    Lane *l = &drive->lane;
    const int direction = lane_root_direction(l, guards->each[k].fired);
    const double t = kind->is_clock ? last_tick(drive, k) : step->t[0];
    OdeAction action = ODE_CONTINUE;

    /* whether the observer changes the state is seen by comparing the bits */
    numbers_copy(drive->state, step->y, step->rows);
    memcpy(guards->scratch.other, drive->state, step->rows * sizeof(double));
    if (!lane_check(drive, observer->event(observer->self, k, direction, t, drive->state, &action,
                                           &l->outcome->error)))
        return false;
    const bool other =
        memcmp(guards->scratch.other, drive->state, step->rows * sizeof(double)) != 0;
    const bool renewed = action == ODE_RENEW && step->system->smooth != NULL;
    if (kind->is_impact || other) {
        numbers_copy(step->y, drive->state, step->rows);
        for (size_t i = 0; i < step->rows; i++)
            step->carry[i] = 0;
        l->start.changed = true;
        guards->each[k].jumped = true;
        *ret_restart = true;
    }
    l->start.changed |= action == ODE_RENEW;
    *ret_restart |= action == ODE_RESTART || action == ODE_RENEW;
    l->breaks.jumped |= *ret_restart && !renewed;
    if (action == ODE_STOP) {
        l->outcome->stopped = true;
        l->state = LANE_DONE;
    }
    return action != ODE_STOP;
}

bool lane_fire(Drive *drive, bool blocked, bool *ret_restart)
{
    const OdeGuard *kinds = drive->options->guards;
    Guards *guards = &drive->guards;
    Lane *l = &drive->lane;
    const double seen = l->direction * fmax(fabs(l->h), lane_rounding(drive, MIN_SEEN_ULPS));
    const size_t held = guards_hold_returning(guards, &drive->step, seen);
    if (held > 0 && !count_breaks(drive, held, l->breaks.guard, blocked))
        return false;
    for (size_t k = 0; k < guards->n; k++) {
        if (guards->each[k].fired == 0 || kinds[k].kind != ODE_GUARD_BREAK)
            continue;
        /* its side is taken from the new state: the observer has chosen the branch */
        if (l->start.changed && kinds[k].is_switch)
            continue;
        if (l->start.changed && kinds[k].is_impact && !kinds[k].is_clock) {
            guards_wait(guards, k);
            continue;
        }
        if (!kinds[k].is_clock && !count_breaks(drive, 1, k, blocked))
            return false;
        if (drive->observer->event != NULL && !tell_break(drive, k, ret_restart))
            return false;
    }
    return true;
}

/* After a break the next one is seldom much farther away than the last was, unless both were at one
 * instant; of clocks it is known when they tick. */
void lane_after_break(Drive *drive, bool restart)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const double gap = fabs(step->t[0] - l->breaks.t);
    if (l->breaks.at_end && gap > lane_rounding(drive, SAME_ULPS)) {
        const double most =
            fmax(MAX_GAP_RATIO * gap, MIN_STEPS_AFTER_BREAK * lane_rounding(drive, MIN_STEP_ULPS));
        l->breaks.t = step->t[0];
        if (fabs(l->h) > most)
            l->h = l->direction * most;
    }
    l->start.fresh = restart;
    if (restart)
        l->start.unknown_h = drive->method->multistep;
    stiffness_pass_break(drive, restart);
    if (!restart)
        guards_begin(&drive->guards, step, false);
}
