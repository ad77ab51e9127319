/* Inside core/simulation/: what is certain about an equilibrium beyond its linearisation. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H

#include "core/simulation/analyses/equilibrium_enclosed.h"

/* Whether the theorem of Lagrange and Dirichlet holds: at rest, constraints holonomic, nothing
 * depends on time, forces linear in the velocities that take energy or none, and the energy's second
 * derivatives positive definite. */
Status equilibrium_minimum(const Equilibrium *equilibrium, Enclosed *enclosed, bool *ret_minimum,
                           Error *err) MUST_CHECK;

#endif
