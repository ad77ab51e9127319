/* Limits that decide about a lane, both in the code for one lane (lane*.c, approach.c) and in the
 * code for many lanes (cruise_kernel.c). If no origin is given, the value is a heuristic and no
 * theorem asks for it. */
#ifndef CORE_INTEGRATE_LIMITS_H
#define CORE_INTEGRATE_LIMITS_H

/* The shortest step, in units in the last place of t. */
static const double MIN_STEP_ULPS = 16;
/* The factor by which an adaptive step may grow to end exactly at a stop. */
static const double MAX_STRETCH = 1 + 1e-2;
/* The longest move of an accepted state by the projection, in units of the tolerance. An error
 * within the tolerance leads to a move that is not much longer than the tolerance. */
static const double MAX_PROJECTION_MOVE = 1e3;
/* A fraction of the proposed step. If less of it was taken, the step says little about the step
 * size that the error would have allowed. */
static const double FULL_STEP_FRACTION = 0.9;

/* Rejections in a row before the rounding of the rates is measured. */
enum { NOISY_REJECTIONS = 3 };

/* How far ahead the lane looks for singular instants, in lengths of the next step. */
static const double LOOK_AHEAD_STEPS = 1.5;
/* The same if a singular instant may be near, in lengths of the time that the history spans. */
static const double LOOK_AHEAD_HISTORIES = 4;
/* Attempts, accepted or not, between two checks that the lane still makes progress. */
enum { STUCK_STEPS = 1024 };

/* The margin of OdeSystem.horizon, a fraction of the largest distance so far, below which the
 * motion is near a singular instant; and the same while steps become shorter. */
static const double NEAR_SINGULAR_FRACTION = 0.25, NEAR_SINGULAR_IF_SHORTENED = 0.7;
/* A step is shortened if it is less than this fraction of the last one. */
static const double SHORTENED_FRACTION = 0.9;
/* The lane looks ahead to this multiple of the time to the next stop, and no farther: later
 * instants have no effect before the stop. */
static const double LOOK_BEYOND_STOP = 1.1;
/* How far a step looks for a singular instant beyond its end, in lengths of the step. */
static const double LOOK_BEYOND_STEP = 1;
/* States that the history needs before the motion is extrapolated. */
enum { MIN_HISTORY_STATES = 3 };

#endif
