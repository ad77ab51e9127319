/* Inside core/simulation/: one motion integrated from its start to its end. */
#ifndef CORE_SIMULATION_RUN_RUN_H
#define CORE_SIMULATION_RUN_RUN_H

#include "core/simulation/simulation.h"

/* simulation_run() without second opinions. */
Status run_motion(Simulation *simulation, const SimulationSink *sink, SimulationResult *ret_result,
                  Error *err) MUST_CHECK;

#endif
