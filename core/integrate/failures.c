/* Messages of lanes that fail. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/integrate/drive.h"
#include "core/integrate/limits.h"

double lane_rounding(const Drive *drive, double ulps)
{
    const OdeStep *step = &drive->step;
    return ulps * DBL_EPSILON * ode_larger(fabs(step->t[0]), fabs(drive->lane.t_new));
}

/* The component that changes fastest, in units of its tolerance; or the first not finite. */
static size_t worst_component(const OdeStep *step, const double *y, const double *rates)
{
    size_t worst = 0;
    double most = -1;
    for (size_t r = 0; r < step->dim; r++) {
        const double tolerance =
            ode_larger(step->rtol * fabs(y[r]), step->atol * step->sizes.size[r]);
        double speed = rates[r] == 0 ? 0 : fabs(rates[r]) / fmax(tolerance, DBL_MIN);
        if (!isfinite(rates[r]) || !isfinite(y[r]))
            return r;
        if (speed > most) {
            most = speed;
            worst = r;
        }
    }
    return worst;
}

enum { NAME_ROOM = 40 };

/* The name of component or guard k, or its number, which is written into `room`. */
static const char *lane_name_of(const char *const *names, size_t k, const char *numbered,
                                char room[NAME_ROOM])
{
    if (names && names[k])
        return names[k];
    snprintf(room, NAME_ROOM, "%s[%zu]", numbered, k);
    return room;
}

void lane_fail(Drive *drive, Status status, const char *cause)
{
    const OdeStep *step = &drive->step;
    const Lane *l = &drive->lane;
    size_t r = worst_component(step, step->y, step->rates);
    char room[NAME_ROOM];
    double h = l->t_new - step->t[0];
    drive->lane.state = LANE_DONE;
    l->outcome->status =
        error_set(&l->outcome->error, status,
                  "%s at t = %.17g (step %.3g; %.80s = %.6g changes fastest, at the rate %.6g)",
                  cause, step->t[0], h == 0 ? l->h : h,
                  lane_name_of(step->system->names, r, "state", room), step->y[r], step->rates[r]);
}

void lane_fail_chattering(Drive *drive, const char *how)
{
    OdeOutcome *outcome = drive->lane.outcome;
    const char *const *names = drive->step.system->guard_names;
    char room[NAME_ROOM];
    lane_fail(drive, ERR_LIMIT, how);
    outcome->chattering = true;
    outcome->last_guard = drive->lane.breaks.guard;
    error_prefix(&outcome->error, "chattering: %llu breaks, the last by %.80s",
                 (unsigned long long)outcome->breaks,
                 lane_name_of(names, drive->lane.breaks.guard, "guard", room));
}

void lane_fail_stuck(Drive *drive, double way)
{
    char cause[96];
    snprintf(cause, sizeof cause, "the motion stays where it is: %d steps led %.2g far,",
             STUCK_STEPS, way);
    lane_fail(drive, ERR_NUMERIC, cause);
    drive->lane.outcome->stuck = true;
}

void lane_fail_singular(Drive *drive)
{
    lane_fail(drive, ERR_NUMERIC,
              "no smooth motion was found that leads on: it ends, goes on in more than one way, or "
              "turns faster than rounding can follow,");
    drive->lane.outcome->singular = true;
}

/* Ratio to the rounding of t: breaks closer together are chattering. Convention. */
static const double CHATTER_ULPS = 1e3;
/* Ratio of the motion to the rounding of t: if it is below this, rounding of t may make the steps
 * too small. Convention; it decides a message. */
static const double FEW_TIMES = 1e7;

void lane_underflow(Drive *drive)
{
    const OdeStep *step = &drive->step;
    OdeOutcome *outcome = drive->lane.outcome;
    const Lane *l = &drive->lane;
    const double since_break = fabs(step->t[0] - l->breaks.t);
    bool finite = isfinite(l->rejected.error);
    if (outcome->breaks > 1 && finite && since_break <= lane_rounding(drive, CHATTER_ULPS)) {
        lane_fail_chattering(drive, "closer together than steps can be");
        return;
    }
    /* representable times that are too far apart for the motion */
    if (finite && lane_rounding(drive, FEW_TIMES) > fabs(l->span->t_end - l->span->t0)) {
        lane_fail(drive, ERR_NUMERIC, "the step size has become too small");
        error_prefix(&outcome->error,
                     "numbers near t = %.9g are %.2g apart, too far for the motion's steps: let t "
                     "begin near 0",
                     step->t[0], lane_rounding(drive, 1));
        return;
    }
    lane_fail(drive, ERR_NUMERIC,
              finite ? "the step size has become too small"
                     : "the rates are not finite however small the step");
    error_prefix(&outcome->error, "a singularity or blow-up near t = %.9g", step->t[0]);
    outcome->blown_up = true;
}

void lane_not_finite_at_start(Drive *drive)
{
    const OdeStep *step = &drive->step;
    OdeOutcome *outcome = drive->lane.outcome;
    size_t r = worst_component(step, step->y, step->rates);
    char room[NAME_ROOM];
    drive->lane.state = LANE_DONE;
    outcome->status = error_set(&outcome->error, ERR_NUMERIC,
                                "the rate of %.80s is not finite at t = %.17g, the start of the "
                                "motion: a singularity there",
                                lane_name_of(step->system->names, r, "state", room), step->t[0]);
}
