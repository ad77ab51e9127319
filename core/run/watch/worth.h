/* Inside core/run/: error bounds of the energy from the tolerances. */
#ifndef CORE_RUN_WATCH_WORTH_H
#define CORE_RUN_WATCH_WORTH_H

#include "core/run/state/run_state.h"

/* Terms so large, of which a share of result_believable_energy() is lost to errors of the
 * velocities at the state y, the end of the step under way: of those that 1000 rtol of each
 * component of the state make (of each velocity, where some depend on others), or with a fixed step
 * that share of it. As large as the terms of a kinetic energy, and not zero where those of E
 * cancel: a body at rest in a frame that turns has an energy of nothing, made of velocities that
 * are none. At least so large that what rounding of the coordinates alone makes of the energy is
 * that share of them: of V = (|q|^2 - 1)^2 at rest on its sphere nothing else is known; and where
 * all velocities are rounding, as large as what is out of balance. Changes nothing but
 * run->unprojected, run->q and run->v. */
double energy_worth(Run *run, double t, const double *y);

#endif
