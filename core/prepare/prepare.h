/* Inside core/prepare/: turns a job into a simulation, with all decisions that come before
 * the run. */
#ifndef CORE_PREPARE_PREPARE_H
#define CORE_PREPARE_PREPARE_H

#include "core/prepare/simulation.h"
#include "core/simulate.h"

/* simulation_new() without second opinions. */
Status simulation_prepare(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                          Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;
/* Prepares the simulation again for a job that differs only in numbers. After a failure it can
 * be called again. */
Status simulation_prepare_again(Simulation *simulation, const JobSpec *spec,
                                const SimulationLimits *limits, Diagnostics *diag,
                                Error *err) MUST_CHECK;
/* The same for a job whose numbers are not final: no state is examined, and it cannot be run. Names
 * of the initial state are checked. */
Status simulation_read(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                       Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;
/* Frees the result of these functions; second opinions are freed separately. NULL is fine. */
void prepared_free(Simulation *simulation);

#endif
