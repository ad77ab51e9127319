/* Inside core/simulation/: one equilibrium, or relative equilibrium, near a state. */
#ifndef CORE_SIMULATION_EQUILIBRIA_EQUILIBRIUM_H
#define CORE_SIMULATION_EQUILIBRIA_EQUILIBRIUM_H

#include "core/simulation/equilibria/state.h"

/* From q, c (and v where there are generators: the c nearest to it are taken). False when none was
 * found; residual tells how close it came. ERR_NUMERIC where the equations are not finite. */
Status equilibrium_find(Equilibrium *equilibrium, bool *ret_found, Error *err) MUST_CHECK;

/* Whether the conditions hold, to the rounding of their terms, all the way to these q and c, values[n + s]. */
Status equilibrium_extends(Equilibrium *equilibrium, const double *values, bool *ret,
                           Error *err) MUST_CHECK;

#endif
