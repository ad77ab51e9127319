/* Inside core/stability/: proofs about an equilibrium beyond its linearisation. */
#ifndef CORE_STABILITY_PROVE_PROOFS_H
#define CORE_STABILITY_PROVE_PROOFS_H

#include "core/stability/flat/energy.h"

/* At rest, constraints holonomic or linear in the velocities, and time in nothing. */
bool equilibrium_energy_may_tell(const Equilibrium *equilibrium);

/* Proofs by the energy at an equilibrium at rest. */
Status equilibrium_energy(const Equilibrium *equilibrium, Enclosed *enclosed, EnergyShape *ret,
                          Error *err) MUST_CHECK;

/* Whether the theorem of Routh holds at a relative equilibrium: no constraints, no forces, nothing
 * depends on time, each generator (`fields`) is the translation of one coordinate that L lacks, but
 * one that may vanish there and leave L alone, and the second derivatives of the energy at fixed
 * momenta are positive definite. The enclosed place gets another rate of that generator. */
Status equilibrium_steady_minimum(const Equilibrium *equilibrium, Enclosed *enclosed,
                                  const size_t *fields, bool *ret_minimum, Error *err) MUST_CHECK;

#endif
