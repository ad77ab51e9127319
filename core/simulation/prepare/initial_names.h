/* Inside core/simulation/: the names of an initial state, without its values. */
#ifndef CORE_SIMULATION_PREPARE_INITIAL_NAMES_H
#define CORE_SIMULATION_PREPARE_INITIAL_NAMES_H

#include "core/simulation/simulation.h"

/* Mistakes of the initial state that any values have: unknown names, a chart that the model does not have, multipliers
 * that the formulation has no use for. To diag. */
Status initial_names_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

#endif
