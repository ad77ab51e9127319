/* Singular instants on the way of a lane: seen ahead, approached, and left to a passage (ode.h). */
#include "core/integrate/drive.h"
#include "core/program/block_of_one.h"

#include "core/integrate/step_blocks.h"

/* Ratio to the step: LOOK_BEYOND_STEP for a step that ends half way to a singular instant. Such an
 * instant is 1 step beyond the end; the rest is a margin. Convention. */
static const double LOOK_BEYOND_HALF_WAY = 2.5;
/* Ratio to the step: a step stays if a singular instant is at least this far behind its end.
 * Convention. */
static const double MIN_REST_OF_WAY = 0.5;
/* Ratio: a passage is tried again if the way to the instant is less than this part of the way at
 * the last failed passage. Convention. */
static const double RETRY_WAY_FRACTION = 0.7;
/* Steps shortened on one approach before the lane fails as singular. Each halves the way, so that
 * 24 of them leave less than 1e-7 of it. */
enum { MAX_APPROACHES = 24 };

bool lane_suspects(Drive *drive)
{
    const OdeStep *step = &drive->step;
    const OdeSystem *system = step->system;
    Lane *l = &drive->lane;

    l->singular.prepared = false;
    if (system->singular == NULL || l->singular.passing)
        return false;
    return l->singular.approaching ||
           system->suspect(system->self, l->t_new, step->y_new, LOOK_BEYOND_STEP);
}

static void history_arc_state(const OdeArc *arc, double theta, double *ret_y)
{
    history_state(arc->step, arc->t + theta * arc->h, ret_y);
}

static void count_approach(Drive *drive)
{
    Lane *l = &drive->lane;
    if (l->singular.approaches == 0)
        l->singular.usual_h = l->h;
    l->singular.approaches++;
    l->aim.active = false;
    l->outcome->rejected++;
    l->state = LANE_READY;
    if (l->singular.approaches > MAX_APPROACHES)
        lane_fail_singular(drive);
}

static void forget_approach(Lane *l)
{
    l->singular.approaching = false;
    l->singular.approaches = 0;
    l->singular.failed = INFINITY;
}

bool lane_approach(Drive *drive)
{
    const OdeStep *step = &drive->step;
    const OdeSystem *system = step->system;
    const OdeArcOf of = {step, drive->method};
    const OdeArc arc = ode_arc(&of);
    Lane *l = &drive->lane;
    const double stop = LOOK_BEYOND_STOP * (l->stop - step->t[0]) / step->h[0];
    const double most =
        fmin(1 + (l->singular.approaching ? LOOK_BEYOND_HALF_WAY : LOOK_BEYOND_STEP), stop);
    const double theta = system->singular(system->self, &arc, most);

    /* beyond a root, at which the step ends, the motion may be another one */
    if (isnan(theta) || (l->aim.active && theta > 1)) {
        l->singular.approaching = false;
        return false;
    }
    if (!l->singular.approaching || theta < 1 + MIN_REST_OF_WAY) {
        count_approach(drive);
        l->h = theta * step->h[0] / 2;
        l->singular.approaching = true;
        return true;
    }
    /* in smooth variables it is prepared from the last states, once this one is among them */
    l->singular.prepared = system->smooth == NULL;
    if (l->singular.prepared)
        passage_prepare(&drive->passage, &arc, 1, 2 * (theta - 1) * arc.h);
    else
        l->singular.approaching = false;
    return false;
}

/* How far ahead nothing is singular. The lane fails if rounding already decides about the rates.
 * *ret_margin: a fraction of the largest distance so far. */
static double clear_way(Drive *drive, double *ret_margin)
{
    const OdeSystem *system = drive->step.system;
    const double horizon = system->horizon(system->self, ret_margin);

    if (horizon == 0)
        lane_fail_singular(drive);
    return horizon;
}

/* How far to look beyond the last state; 0: not at all. *ret_near: one is unusually near. */
static double look_far(Drive *drive, bool *ret_near)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const double back = step->t[0] - drive->history.t[0];
    const double rest = LOOK_BEYOND_STOP * fabs(l->stop - step->t[0]);
    double margin = 1;
    const double horizon = clear_way(drive, &margin);

    *ret_near = margin < NEAR_SINGULAR_FRACTION;
    const double far = step_outlook(l->h, l->last_h, back, margin, l->short_step,
                                    isfinite(l->singular.failed) != 0);
    /* the horizon is a bound, and may lie beyond a stop at the singular instant itself */
    return far < horizon || l->state == LANE_DONE ? 0 : fmin(far, rest);
}

void lane_look_ahead(Drive *drive, bool restart)
{
    const OdeStep *step = &drive->step;
    const OdeSystem *system = step->system;
    Lane *l = &drive->lane;
    bool near = false;

    if (restart) {
        double margin;
        history_forget(&drive->history);
        forget_approach(l);
        /* variables chosen anew may be so in every step on the way to a singular instant */
        (void)clear_way(drive, &margin);
        return;
    }
    passage_remember(&drive->passage, step, &drive->history);
    if (l->singular.passing || l->singular.prepared || l->singular.approaching)
        return;
    /* until enough states tell what lies ahead, steps do not grow */
    if (drive->history.n < MIN_HISTORY_STATES) {
        if (!drive->method->fixed_step)
            l->h = l->direction * fmin(fabs(l->h), fabs(l->last_h));
        return;
    }
    double far = look_far(drive, &near);
    if (far == 0)
        return;
    history_interpolate(&drive->history);
    far = history_trust(&drive->history, step->t[0], l->direction * far);
    const OdeArc arc = {.t = step->t[0],
                        .h = l->direction * far,
                        .state = history_arc_state,
                        .step = &drive->history,
                        .smooth = system->smooth != NULL};
    const double theta = system->singular(system->self, &arc, 1);
    if (isnan(theta)) {
        if (!near)
            forget_approach(l);
        return;
    }
    /* close enough: the way across is prepared; else steps end half way there */
    if (theta * far < RETRY_WAY_FRACTION * l->singular.failed) {
        passage_prepare(&drive->passage, &arc, 0, 2 * theta * arc.h);
        l->singular.prepared = true;
        if (l->singular.approaches == 0)
            l->singular.usual_h = l->h;
    } else if (fabs(l->h) > theta * far / 2) {
        l->h = theta * arc.h / 2;
    }
}

/* The method of the lane is the usual one again. */
static void leave_passage(Drive *drive, Lane *l)
{
    l->singular.passing = false;
    drive->method = drive->usual;
    drive->step.work = drive->usual_work;
}

void lane_give_up_passage(Drive *drive)
{
    const double end = passage_end(&drive->passage), from = passage_from(&drive->passage);
    Lane *l = &drive->lane;

    leave_passage(drive, l);
    l->singular.failed = fabs(end - from) / 2;
    l->h = l->singular.usual_h;
    count_approach(drive);
    if (fabs(l->h) > l->singular.failed / 2)
        l->h = (end - from) / 4;
}

void lane_change_method(Drive *drive, bool restart)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;

    if (l->singular.passing && (restart || step->t[0] == passage_end(&drive->passage))) {
        const double way = fabs(passage_end(&drive->passage) - passage_from(&drive->passage)) / 2;
        leave_passage(drive, l);
        forget_approach(l);
        history_forget(&drive->history);
        l->h = l->singular.usual_h;
        /* until the states behind it tell what lies ahead, two steps go no farther than it was
         * to the last instant: the next one may be as near */
        if (!drive->method->fixed_step) {
            l->most = way;
            l->h = copysign(fmin(fabs(l->h), way), l->h);
        }
        if (!restart && drive->method->restart != NULL)
            drive->method->restart(step, l->h);
    } else if (l->singular.prepared && !restart) {
        l->singular.passing = true;
        drive->usual_work = step->work;
        drive->method = &ode_passage;
        step->work = &drive->passage;
    }
    if (l->singular.prepared)
        l->singular.approaching = false;
    l->singular.prepared = false;
}
