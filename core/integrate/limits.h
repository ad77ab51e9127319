/* Limits that decide about a lane, both in the code for one lane (lane*.c, approach.c, roots.c) and
 * in the code for many lanes (fast_path_kernel.c). */
#ifndef CORE_INTEGRATE_LIMITS_H
#define CORE_INTEGRATE_LIMITS_H

/* Ratio to the rounding of t: the shortest step; two times that differ by less are one instant.
 * Convention. */
static const double MIN_STEP_ULPS = 16;
/* Ratio to the rounding of t: a root that is at most this far from the end of its step is at its
 * end, and a part of a step is not halved below this. Convention: half of MIN_STEP_ULPS. */
static const double SAME_ULPS = 8;
/* Factor by which an adaptive step may grow to end exactly at a stop (1.01 in the code DOP853,
 * Hairer, Norsett, Wanner 1993). */
static const double MAX_STRETCH = 1 + 1e-2;
/* The longest move of an accepted state by the projection, in units of the tolerance. An error
 * within the tolerance leads to a move that is not much longer than the tolerance. Convention. */
static const double MAX_PROJECTION_MOVE = 1e3;
/* Ratio: a step below this part of the proposed step, or of the last step, is a shortened one. It
 * says little about the step size that the error would have allowed. Convention. */
static const double FULL_STEP_FRACTION = 0.9;
/* Ratio to its rounding error: a guard is zero if it is at most this. Convention. */
static const double SILENT_NOISE_RATIO = 8;

/* Factors of the step size: for safety, the largest and the smallest between two steps (0.9, 6 and
 * 1/3 in the code DOP853, Hairer, Norsett, Wanner 1993). */
static const double CONTROL_SAFETY = 0.9, CONTROL_LARGEST = 6.0, CONTROL_SMALLEST = 1.0 / 3.0;
/* Factor of a step whose error is not finite. Convention. */
static const double CONTROL_NOT_FINITE = 0.2;
/* Factor by which the step size changes before the rounding of the rates is measured anew.
 * Convention. */
static const double SIZES_OUTDATED = 4;

/* Rejections in a row before the rounding of the rates is measured. */
enum { NOISY_REJECTIONS = 3 };

/* Ratio to the next step: how far ahead the lane looks for singular instants. Convention. */
static const double LOOK_AHEAD_STEPS = 1.5;
/* Ratio to the time that the history spans: the same if a singular instant may be near.
 * Convention. */
static const double LOOK_AHEAD_HISTORIES = 4;
/* Attempts, accepted or not, between two checks that the lane still makes progress. */
enum { STUCK_STEPS = 1024 };

/* Ratio: the motion is near a singular instant if the margin of OdeSystem.horizon is below this
 * part of the largest distance so far; the second is for steps that become shorter. Conventions. */
static const double NEAR_SINGULAR_FRACTION = 0.25, NEAR_SINGULAR_IF_SHORTENED = 0.7;
/* Ratio to the time left before the next stop: the lane looks ahead no farther, for later instants
 * have no effect before the stop. Convention. */
static const double LOOK_BEYOND_STOP = 1.1;
/* Ratio to the step: how far a step looks for a singular instant beyond its end. Convention. */
static const double LOOK_BEYOND_STEP = 1;
/* States that the history needs before the motion is extrapolated. */
enum { MIN_HISTORY_STATES = 3 };

#endif
