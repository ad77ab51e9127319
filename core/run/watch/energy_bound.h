/* Inside core/run/: error bounds of the energy from the tolerances. */
#ifndef CORE_RUN_WATCH_ENERGY_BOUND_H
#define CORE_RUN_WATCH_ENERGY_BOUND_H

#include "core/run/state/run_state.h"

/* Returns the size of the terms of the energy that the tolerances explain at the state y, the end
 * of the step under way. Errors of the velocities lose a share of result_believable_energy() of
 * these terms. The errors are 1000 rtol of each component of the state (of each velocity, if some
 * depend on others), or that share of it with a fixed step. The result is as large as the terms of
 * a kinetic energy, and not zero if those of E cancel: a body at rest in a turning frame has zero
 * energy, made of velocities that vanish. It is at least large enough for rounding of the
 * coordinates to be within the share, as for V = (|q|^2 - 1)^2 at rest on its sphere. If all
 * velocities are rounding, it is as large as the imbalance. Changes nothing but at->scratch,
 * at->q and at->v. */
double energy_error_bound(MotionState *at, Evidence *evidence, double t, const double *y);

#endif
