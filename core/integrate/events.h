/* Watching guards: the side of zero that each is on, from step to step. Roots are for roots.h. */
#ifndef CORE_INTEGRATE_EVENTS_H
#define CORE_INTEGRATE_EVENTS_H

#include "core/integrate/method.h"

typedef struct Root {
    double theta; /* t + theta h */
    size_t guard;
    int direction; /* along the integration */
} Root;

typedef enum GuardContact {
    CONTACT_NONE,
    CONTACT_CLOSED, /* the value is zero to rounding: bodies touch */
    CONTACT_WAITS,  /* at its root, but another guard has changed the state first */
} GuardContact;

/* Work arrays. */
typedef struct GuardScratch {
    double *grid;   /* [QUARTERS][guard]; some functions use its rows for other values */
    double *values; /* [guard]: of the last evaluation */
    double *state;  /* [row]: a state of the lane .. */
    double *other;  /* .. and one next to it */
    double *rates;  /* [guard]: at the end of the step .. */
    bool rated;     /* .. which are known */
} GuardScratch;

/* One guard from step to step. */
typedef struct GuardWatch {
    int side, side_end;   /* the sign it should have at the ends of the step */
    int fired;            /* crossing at the break that has just been, 0: none */
    GuardContact contact; /* of an impact */
    bool jumped;          /* its break has changed the state, and its contact still holds */
    bool by_value;        /* the side was taken from the value, since nothing else was known */
    /* not finite at the end of the last step, and of this one, but before it */
    bool brink, brink_end;
    /* likewise: 1 + crossings, 2 at most, if it is zero to rounding up to the end; else 0 */
    unsigned silent, silent_end;
    /* the largest |value| so far: with that of the last attempt, and of steps that stayed alone */
    double scale, scale_start;
    /* if errors add up, the recent size: steps are short beside the time in which the guard
     * changes, and these errors large beside its change on one step */
    double recent;
    double unsure; /* the place in the step from which roots may be missed; NAN: nowhere */
    double lost;   /* the first place in it met without a value, or with a pole; NAN: none */
    double noise;  /* below this, a value near the start of a fresh lane is zero */
    size_t ticks;  /* of a clock: how many there were */
} GuardWatch;

typedef struct Guards {
    size_t n;
    const OdeGuard *kinds;
    GuardWatch *each;
    double *start, *end; /* [guard]: values at the ends of the step */
    GuardScratch scratch;
    bool fresh;  /* the step starts at a start or a break */
    Root *roots; /* of the lane looked at last */
} Guards;

/* The grid of a step. */
enum { QUARTERS = 4 };
/* Of one guard and step: beyond MAX_ROOTS the step is cut; one at the end that only its motion
 * tells comes on top, and near misses find two at once. */
enum { MAX_ROOTS = 60, ROOTS = MAX_ROOTS + 2 * QUARTERS + 1 };

static inline int sign(double x)
{
    return (x > 0) - (x < 0);
}

static inline void guards_evaluate(const OdeStep *step, double t, const double *y,
                                   double *ret_values)
{
    step->system->guards(step->system->self, t, y, ret_values);
}

/* The guards of the system, with the arrays in zeroed memory. */
void guards_lay_out(Guards *guards, const OdeSystem *system, const OdeGuard *kinds, Cutter *cutter);

/* The lane is at a start or a break, with t, y, rates, h known. `changed`: the state is new and
 * the sides are taken from it; else a guard that has fired keeps the side it crossed to. */
void guards_begin(Guards *guards, const OdeStep *step, bool changed);

/* After that, at a new state: an impact whose state is on the wrong side of its guard is at the
 * guard if its depth is at most rtol (time |g'| + time^2 |g''| / 2), with the time to the next
 * sample: it is below the tolerance of every value that will be told. Uses y_new, rates_new,
 * times as scratch. False: the pulse stopped. */
bool guards_begin_contacts(Guards *guards, OdeStep *step, double time);

/* How far ahead the rates are those of this side of all corners, along the rates at the start: h
 * or a fourth, a sixteenth, .. of it. `begun`: guards_begin() knows the sides. */
double guards_outlook(Guards *guards, const OdeStep *step, double h, bool begun);

/* Has a switch changed its sign at the end of the step just made? */
bool guards_passed(Guards *guards, const OdeStep *step);

/* Computes guards->end of the step just made. */
void guards_see_end(Guards *guards, const OdeStep *step);

/* How far (in t) a root is from the end of the step, by the rate there; NaN or infinite if 0. */
double guards_distance(Guards *guards, const OdeStep *step, size_t guard);

/* Adds the roots at the end of the step, by the rates of change there, that the dense output does
 * not show: of guards within `limit` in t of crossing. Returns how many there are then. */
size_t guards_roots_at_end(Guards *guards, const OdeStep *step, double limit, size_t n_roots);

/* Is the value at a crossing too far from zero for a root? Then the guard jumps, like sign(x). */
bool guards_far(const Guards *guards, size_t guard, double value);

/* Has the step led an impact, zero at its start and not acting there, to the side that it keeps? */
bool guards_leaves(const Guards *guards, size_t guard);

/* An impact that would act at this instant is to wait for the changes by others. */
void guards_wait(Guards *guards, size_t guard);

/* Makes impacts wait whose guards move back over h, while they are about to act: how many. */
size_t guards_hold_returning(Guards *guards, const OdeStep *step, double h);

/* The error of a guard, to first order, if guards->scratch.state is off by its tolerances. An error
 * of second order is an extreme in the state, (x - a)^2, which the motion passes anyway. */
double guards_error(Guards *guards, const OdeStep *step, double t, size_t guard);

/* Is each guard a clock, or on one side of zero, with nothing that later steps need know of? */
bool guards_rest(const Guards *guards);

/* The step was accepted: its end is the next start. */
void guards_accept(Guards *guards, const OdeStep *step);

#endif
