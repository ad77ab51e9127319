/* Inside core/simulation/: derivatives of the conditions of an equilibrium that may be nothing but
 * rounding. */
#ifndef CORE_SIMULATION_EQUILIBRIA_NOISE_H
#define CORE_SIMULATION_EQUILIBRIA_NOISE_H

#include "core/simulation/equilibria/state.h"

/* At an equilibrium that was found: what rounding may make of the rows of the derivatives, for the
 * scales, in which a block of them that acts on nothing else counts by its own size: only at rest,
 * without constraints, are there any. The derivatives are taken anew. */
Status equilibrium_find_noise(Equilibrium *equilibrium, double t, Error *err) MUST_CHECK;

#endif
