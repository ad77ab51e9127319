/* Inside core/simulation/: proofs about an equilibrium beyond its linearisation. */
#ifndef CORE_SIMULATION_EQUILIBRIA_PROOFS_H
#define CORE_SIMULATION_EQUILIBRIA_PROOFS_H

#include "core/simulation/equilibria/degenerate.h"

/* At rest, constraints holonomic or linear in the velocities, and time in nothing. */
bool equilibrium_energy_may_tell(const Equilibrium *equilibrium);

/* Proofs by the energy at an equilibrium at rest. */
Status equilibrium_energy(const Equilibrium *equilibrium, Enclosed *enclosed, EnergyShape *ret,
                          Error *err) MUST_CHECK;

#endif
