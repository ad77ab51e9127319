/* Inside core/simulation/: what is certain about an equilibrium beyond its linearisation. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H

#include "core/simulation/analyses/equilibrium_degenerate.h"

/* What the energy proves at an equilibrium at rest. */
Status equilibrium_energy(const Equilibrium *equilibrium, Enclosed *enclosed, EnergyShape *ret,
                          Error *err) MUST_CHECK;

#endif
