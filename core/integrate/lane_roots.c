/* The roots in a step of a lane, and those at which it is to end. */
#include "core/integrate/lane.h"
#include "core/integrate/limits.h"

#include <math.h>

/* Attempts to end a step at one root; roots aimed at in one step before those that are close to its
 * end count as at its end; four times as many end the search. */
enum { MAX_AIMS = 5, MAX_TARGETS = 4 };
/* Ratio to the rounding of t: an attempt is as close to the root as it gets if the next one would
 * move its end by less. Convention. */
static const double MIN_AIM_ULPS = 0.5;
/* Ratio: the iteration goes on if the guard's value falls to this part with each attempt.
 * Convention. */
static const double AIM_CONVERGENCE = 0.25;
/* Fraction of the step: a root of the same guard that is this close to the end of the step is at
 * its end; after MAX_TARGETS a root of any guard that is as close as MIN_SEARCHED_PART.
 * Convention. */
static const double SAME_ROOT_PART = 1e-3;

static bool aim_again(Lane *l, double aim, unsigned aims)
{
    l->aim.t = aim;
    l->aim.tries = aims;
    l->outcome->rejected++;
    l->state = LANE_READY;
    return true;
}

/* By Newton's rule with the rates there, then by secants: the computed state depends on the length
 * of the step in its own way, by less than the tolerance. An end that is farther off than the one
 * before gives way to that. */
bool lane_aim_better(Drive *drive)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const double value = drive->guards.end[l->aim.guard];
    double distance, better;
    if (l->aim.tries > 0 && l->aim.tries < MAX_AIMS && fabs(value) > fabs(l->aim.missed_value))
        return aim_again(l, l->aim.missed_t, MAX_AIMS);
    if (guards_far(&drive->guards, l->aim.guard, value))
        return false;
    if (l->aim.tries == 0)
        distance = guards_distance(&drive->guards, step, l->aim.guard);
    else
        distance = -value * (l->t_new - l->aim.missed_t) / (value - l->aim.missed_value);
    better = l->t_new + distance;
    /* give up below rounding, beyond the step, without convergence, or after some tries */
    if (!(fabs(distance) > lane_rounding(drive, MIN_AIM_ULPS)) ||
        fabs(distance) > fabs(step->h[0]) ||
        (l->aim.tries > 0 && fabs(value) > AIM_CONVERGENCE * fabs(l->aim.missed_value)) ||
        l->aim.tries >= MAX_AIMS || l->direction * (better - step->t[0]) <= 0 ||
        l->direction * (l->stop - better) < 0)
        return false;
    l->aim.missed_t = l->t_new;
    l->aim.missed_value = value;
    return aim_again(l, better, l->aim.tries + 1);
}

int lane_root_direction(const Lane *l, int direction)
{
    return l->direction > 0 ? direction : -direction;
}

bool lane_wants(const Drive *drive, const Lane *l, const Root *root)
{
    int direction = drive->options->guards[root->guard].direction;
    return direction == 0 || direction == lane_root_direction(l, root->direction);
}

static bool breaks(const Drive *drive, const Lane *l, const Root *root)
{
    return drive->options->guards[root->guard].kind == ODE_GUARD_BREAK &&
           lane_wants(drive, l, root);
}

static void mark_fired(Drive *drive, double theta)
{
    Guards *guards = &drive->guards;
    const Lane *l = &drive->lane;
    for (size_t i = 0; i < l->n_roots && guards->roots[i].theta <= theta; i++)
        if (breaks(drive, l, &guards->roots[i]))
            guards->each[guards->roots[i].guard].fired = guards->roots[i].direction;
}

/* Roots at the end of the step, within rounding: breaks fire, and others are told before these. */
void lane_mark_end(Drive *drive)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lane;
    const double limit = lane_rounding(drive, SAME_ULPS);
    if (l->aim.active)
        guards->each[l->aim.guard].side_end = l->aim.direction;
    l->n_roots = guards_roots_at_end(guards, &drive->step, limit, l->n_roots);
    /* breaks in the step are at its end now; of the others those within rounding of it */
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &guards->roots[i];
        const double rest = (1 - root->theta) * fabs(drive->step.h[0]);
        l->breaks.at_end |= breaks(drive, l, root);
        if (breaks(drive, l, root) || (rest <= limit && lane_wants(drive, l, root)))
            guards->each[root->guard].fired = root->direction;
    }
    l->breaks.at_end |= l->aim.active;
    if (l->aim.active)
        guards->each[l->aim.guard].fired = l->aim.direction;
}

/* At the end of the step, within the rounding of t and of the guard; a root of the guard at which
 * the step ends only has to be told from an earlier one. A few tries decide what is earlier. */
static bool at_end(const Drive *drive, const Root *root)
{
    const Lane *l = &drive->lane;
    const double rest = 1 - root->theta;
    return rest * fabs(drive->step.h[0]) <= lane_rounding(drive, SAME_ULPS) ||
           (root->guard == l->aim.guard &&
            (rest < SAME_ROOT_PART || l->aim.targets >= MAX_TARGETS)) ||
           (l->aim.targets >= MAX_TARGETS && rest < MIN_SEARCHED_PART) ||
           l->aim.targets >= 4 * MAX_TARGETS;
}

const Root *lane_first_break(Drive *drive)
{
    const Lane *l = &drive->lane;
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &drive->guards.roots[i];
        if (breaks(drive, l, root))
            return l->aim.active && at_end(drive, root) ? NULL : root;
    }
    return NULL;
}

void lane_aim_at(Drive *drive, const Root *root)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const double h = step->h[0];
    l->outcome->rejected++;
    l->aim.t = step->t[0] + root->theta * h;
    /* the root is at the start: its guard fires without a step */
    if (l->aim.t == step->t[0]) {
        mark_fired(drive, root->theta);
        l->aim.active = false;
        l->state = LANE_BLOCKED;
        return;
    }
    l->aim.targets = l->aim.active ? l->aim.targets + 1 : 1;
    l->aim.active = true;
    l->aim.tries = 0;
    l->aim.guard = root->guard;
    l->aim.direction = root->direction;
    l->state = LANE_READY;
}
