/* Inside core/run/: one motion integrated from its start to its end. */
#ifndef CORE_RUN_RUN_H
#define CORE_RUN_RUN_H

#include "core/run/state/run_state.h"

/* simulation_run() without second opinions. */
Status run_motion(Simulation *simulation, const SimulationSink *sink, SimulationResult *ret_result,
                  Error *err) MUST_CHECK;

/* The same in pieces. run_done() in any case. */
Status run_start(Run *run, Simulation *simulation, const SimulationSink *sink,
                 Error *err) MUST_CHECK;
bool run_under_way(const Run *run); /* then run->drive is to make a step */
Status run_report(Run *run, SimulationResult *ret_result, Error *err) MUST_CHECK;
void run_done(Run *run);

#endif
