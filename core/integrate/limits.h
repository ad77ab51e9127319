/* What lanes are decided by, one at a time (lane*.c, approach.c) and many at once
 * (cruise_body.h). */
#ifndef CORE_INTEGRATE_LIMITS_H
#define CORE_INTEGRATE_LIMITS_H

/* Steps below this many units in the last place of t are no steps. */
static const double LEAST_ULPS = 16;
/* A step of an adaptive method may be so much longer, to end at a stop. */
static const double STRETCH = 1 + 1e-2;
/* An error that is within the tolerance leads to projections not much larger. */
static const double CARRIED_AWAY = 1e3;
/* A step of which less was taken than this says little about how long it might have been. */
static const double WHOLE_STEP = 0.9;

/* After so many rejections in a row it is asked whether rounding makes the errors. */
enum { NOISY_REJECTIONS = 3 };

/* How far is looked ahead for singular instants: usually, in steps to come; and, where errors
 * shorten the steps, as they do on the way to a singular instant, or the system says that one
 * may be near, in times of what the last states reach back, as far as these can be trusted to
 * lead. */
static const double FAR = 1.5, FAR_OF_HISTORY = 4;
/* After so many steps, tried or taken, it is asked whether they lead anywhere. */
enum { STUCK_STEPS = 1024 };

/* Of the farthest that the motion was from anything singular: less is near; and where steps become
 * shorter. */
static const double NEAR = 0.25, NEARER = 0.7;
/* A step counts as shortened where it is less than that of the last one. */
static const double SHORT = 0.9;
/* And, in any case, beyond the next stop: what lies farther off has no effect on the way to it. */
static const double BEYOND_STOP = 1.1;
/* Beyond the end of a step, in its lengths. */
static const double AHEAD = 1;
/* So many states are to be known. */
enum { LEAST_HISTORY = 3 };

#endif
