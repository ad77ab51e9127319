/* Inside core/simulate/: the motion of a job computed again, by other formulations or at tighter
 * tolerance, and compared row by row: errors that no single run can see. */
#ifndef CORE_SIMULATE_SECOND_OPINION_H
#define CORE_SIMULATE_SECOND_OPINION_H

#include "core/prepare/simulation.h"

/* Prepares the same job in each formulation of spec->compare, and at tighter tolerance for
 * spec->accuracy. If a formulation does not apply, the reason goes to diag at its place in the
 * document (then ERR_INVALID). */
Status second_opinion_prepare(Simulation *simulation, const JobSpec *spec,
                              const SimulationLimits *limits, Diagnostics *diag,
                              Error *err) MUST_CHECK;

/* simulation_run() of such a job. The job's own motion runs first; its samples are kept while the
 * others are computed. */
Status second_opinion_run(Simulation *simulation, const SimulationSink *sink,
                          SimulationResult *ret_result, Error *err) MUST_CHECK;

#endif
