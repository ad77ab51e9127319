/* Stiffness of a motion, and the method that suits it.
 *
 * The step of an explicit method on a stiff motion is limited by stability: h rho stays near the
 * boundary of its region of stability; rho is the spectral radius of the Jacobian of the rates.
 * DOP853 estimates it by its last stage and the end of the step, h |f(y_new) - k_12| / |y_new -
 * Y_12|, at no evaluation (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996,
 * IV.2; their code DOP853).
 *
 * A lane is watched for some steps, every STUCK_STEPS steps. If it is stiff and a method for stiff
 * systems is offered (OdeOptions.stiff), that takes over between two steps, if many are left; else
 * the outcome says so. The first method goes on behind the next break that changes the state or the
 * rates. Steps are counted, not timed: the choice is the same on every machine. */
#include "core/integrate/drive.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"

/* Ratio h rho: above this a step is near the boundary of DOP853's region of stability on the
 * negative real axis, and a motion is stiff after STIFF_STEPS of these with fewer than CALM_STEPS
 * others in a row between (6.1, 15 and 6 in the code DOP853, Hairer, Wanner 1996). */
static const double STABILITY_LIMIT = 6.1;
enum { STIFF_STEPS = 15, CALM_STEPS = 6 };
/* Steps: the methods are exchanged if the explicit one would still take this many. Convention. */
static const double MIN_STEPS_SAVED = 20000;
/* Ratio, of rtol: below it a method of order 5 takes more steps than stability asks of DOP853.
 * Convention. */
static const double LEAST_RTOL = 1e-11;

static bool is_exchanged(const Drive *drive)
{
    return drive->usual != drive->first;
}

bool stiffness_watch(Drive *drive)
{
    LaneStiffness *s = &drive->lane.stiffness;
    const bool first = !s->asked;

    if (drive->method->stiffness == NULL || s->known)
        return false;
    *s = (LaneStiffness){.asked = true, .watched = true, .since = drive->step.t[0]};
    return first;
}

static bool may_exchange(const Drive *drive)
{
    const Lane *l = &drive->lane;
    const double mean = fabs(l->t_new - l->stiffness.since) / l->stiffness.steps;

    return drive->options->stiff != NULL && drive->step.system->make_jacobian != NULL &&
           drive->options->rtol >= LEAST_RTOL &&
           fabs(l->span->t_end - l->t_new) > MIN_STEPS_SAVED * mean;
}

void stiffness_see_step(Drive *drive)
{
    Lane *l = &drive->lane;
    LaneStiffness *s = &l->stiffness;

    if (!s->watched || drive->method != drive->first)
        return;
    s->steps++;
    s->ratio = drive->method->stiffness(&drive->step);
    s->calm = s->ratio > STABILITY_LIMIT ? 0 : s->calm + 1;
    s->stiff += s->calm == 0;
    /* enough calm steps in a row end the watch, or enough stiff ones in all */
    s->watched = s->calm < CALM_STEPS && s->stiff < STIFF_STEPS;
    if (s->stiff < STIFF_STEPS)
        return;
    s->known = true;
    s->due = may_exchange(drive);
    if (!s->due && !l->outcome->stiff) {
        l->outcome->stiff = true;
        l->outcome->stiff_t = l->t_new;
    }
}

/* The work of the method for stiff systems, ready for a start. */
static Status make_work(Drive *drive, Error *err)
{
    const OdeSystem *system = drive->step.system;
    const size_t size = drive->options->stiff->work_size(system, 1);

    Status status = system->make_jacobian(system->self, err);
    if (status == OK && drive->stiff_work == NULL) {
        drive->stiff_work = alloc_array(size, 1);
        if (drive->stiff_work == NULL)
            status = error_set(err, ERR_NO_MEMORY, "no memory for another method");
    }
    return status;
}

static void tell(const Drive *drive)
{
    const OdeObserver *observer = drive->observer;

    if (observer->exchanged != NULL)
        observer->exchanged(observer->self, drive->step.t[0], drive->usual,
                            drive->lane.stiffness.ratio);
}

void stiffness_exchange_method(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;

    if (!l->stiffness.due || l->state != LANE_READY || l->start.fresh || l->singular.passing)
        return;
    l->stiffness.due = false;
    l->outcome->status = make_work(drive, &l->outcome->error);
    if (l->outcome->status != OK) {
        l->state = LANE_DONE;
        return;
    }
    drive->accepted_before = l->outcome->accepted;
    drive->rejected_before = l->outcome->rejected;
    drive->first_work = step->work;
    drive->method = drive->usual = drive->options->stiff;
    step->work = drive->stiff_work;
    /* it goes on from the state of the lane, with the step that the lane had */
    drive->method->start(step);
    drive->method->restart(step, l->h);
    tell(drive);
}

/* The steps since the method for stiff systems took over. */
static void count_steps(const Drive *drive, OdeOutcome *outcome)
{
    outcome->stiff_accepted += outcome->accepted - drive->accepted_before;
    outcome->stiff_rejected += outcome->rejected - drive->rejected_before;
}

void stiffness_pass_break(Drive *drive, bool restart)
{
    Lane *l = &drive->lane;

    if (!restart)
        return;
    const bool was_stiff = is_exchanged(drive);
    l->stiffness = (LaneStiffness){0};
    if (!was_stiff)
        return;
    count_steps(drive, l->outcome);
    drive->method = drive->usual = drive->first;
    drive->step.work = drive->first_work;
    drive->step.rounding.damped = NULL;
    drive->method->restart(&drive->step, l->h);
    tell(drive);
    /* the motion may be stiff here as well */
    (void)stiffness_watch(drive);
}

void stiffness_end(Drive *drive)
{
    if (is_exchanged(drive))
        count_steps(drive, drive->lane.outcome);
    free(drive->stiff_work);
    drive->stiff_work = NULL;
}
