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

/* t, the coordinates, their velocities, the multipliers, the formulation's own, the observables,
 * then the sensitivities. Names given twice are mistakes. */
Status columns_name(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                    Error *err) MUST_CHECK;
/* The events, with a table each. */
Status tables_name(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                   Error *err) MUST_CHECK;

/* The choices that the job left open, of a prepared simulation: a list of records {what, value,
 * reason}. `what` is a path of the job document, or a word for a choice that has no path. */
Status choices_list(const Simulation *simulation, const JobSpec *spec, const Value **ret_list,
                    Error *err) MUST_CHECK;

#endif
