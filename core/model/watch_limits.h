/* What motions are watched by, one at a time and in lanes. */
#ifndef CORE_MODEL_WATCH_LIMITS_H
#define CORE_MODEL_WATCH_LIMITS_H

/* Of the largest M_ii so far: what a pivot may come down to. As many digits are lost at most. */
static const double LEAST = 1e-4;
/* What they have all to be above again, and those of A M^-1 A^T at the start: two digits. */
static const double RECOVERED = 1e-2;
/* Square of how far from a state, of the way to it, M and A may have been evaluated. */
static const double LITTLE = 1e-8;
/* Of the widest margin, where rounding of the state, which the accelerations take times the third
 * power of one over the margin, is as large as they are: the cubic root of DBL_EPSILON. */
static const double NOISE = 6e-6;
/* Of the farthest horizon: a factor of an equation that falls exponentially keeps its distance. */
static const double SOON = 1e-2;

#endif
