/* Inside core/run/: error bounds of the energy from the tolerances. */
#ifndef CORE_RUN_WATCH_ENERGY_BOUND_H
#define CORE_RUN_WATCH_ENERGY_BOUND_H

#include "core/run/state/run_state.h"

/* The size of the terms of the energy that the tolerances explain at the state y, the end of the
 * step under way: errors of 1000 rtol of each component of the state (of each velocity, if some
 * depend on others), or of a share of it with a fixed step, are result_believable_energy() of these
 * terms. The size is not zero if the terms of E cancel: a body at rest in a turning frame has zero
 * energy. It explains rounding of the coordinates, as for V = (|q|^2 - 1)^2 at rest on its sphere.
 * If all velocities are rounding, it explains the imbalance. Changes only at->scratch, q and v. */
double energy_error_bound(MotionState *at, Evidence *evidence, double t, const double *y);

#endif
