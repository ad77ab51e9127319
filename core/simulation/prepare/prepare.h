/* Inside core/simulation/: a job becomes a simulation: all that is decided before it runs. */
#ifndef CORE_SIMULATION_PREPARE_PREPARE_H
#define CORE_SIMULATION_PREPARE_PREPARE_H

#include "core/simulate.h"
#include "core/simulation/simulation.h"

/* simulation_new() without second opinions. */
Status simulation_prepare(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                          Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;
/* Of a simulation that simulation_prepare() made, of a job that differs in numbers only; after a failure it can be done again. */
Status simulation_prepare_again(Simulation *simulation, const JobSpec *spec,
                                const SimulationLimits *limits, Diagnostics *diag,
                                Error *err) MUST_CHECK;
/* The same of a job whose numbers are not its own yet: no state is looked at, and it cannot be run. Names of the initial
 * state are looked up, too. */
Status simulation_read(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                       Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;
/* What these made; second opinions are freed on their own. NULL is fine. */
void prepared_free(Simulation *simulation);

#endif
