/* Inside core/stability/: proofs about an equilibrium beyond its linearisation. */
#ifndef CORE_STABILITY_PROVE_PROOFS_H
#define CORE_STABILITY_PROVE_PROOFS_H

#include "core/stability/flat/energy.h"

/* At rest, constraints holonomic or linear in the velocities, and time in nothing. */
bool equilibrium_energy_may_tell(const Equilibrium *equilibrium);

/* Proofs by the energy at an equilibrium at rest. */
Status equilibrium_energy(const Equilibrium *equilibrium, Enclosed *enclosed, EnergyShape *ret,
                          Error *err) MUST_CHECK;

#endif
