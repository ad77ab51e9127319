/* Thresholds of mass_watch and rank_watch, for one motion and for motions in lanes. All are ratios
 * without a unit. */
#ifndef CORE_MODEL_WATCH_LIMITS_H
#define CORE_MODEL_WATCH_LIMITS_H

/* Smallest pivot of M that is not suspected, relative to the largest M_ii of its coordinate so far.
 * A convention: at most four digits are lost. */
static const double MIN_PIVOT_RATIO = 1e-4;
/* Ratio that all pivots must exceed before M is divided by again, and that the pivots of
 * A M^-1 A^T must exceed at the start. A convention: at most two digits are lost. */
static const double RECOVERED_PIVOT_RATIO = 1e-2;
/* Square of a distance relative to the step: M and A that were evaluated at a point this near to
 * the state are used for the state. A convention. */
static const double NEAR_STATE_SQUARE = 1e-8;
/* Margin, relative to the widest so far, at which rounding of the state decides about the
 * accelerations. They multiply that rounding by margin^-3, so this is the cubic root of
 * DBL_EPSILON. A convention. */
static const double NOISE_MARGIN_RATIO = 6e-6;
/* Horizon, relative to the farthest so far, below which a loss of rank counts as near. A factor of
 * an equation that falls exponentially keeps its horizon and stays above. A convention. */
static const double NEAR_HORIZON_RATIO = 1e-2;

#endif
