/* Inside core/run/: one motion integrated from its start to its end. */
#ifndef CORE_RUN_RUN_H
#define CORE_RUN_RUN_H

#include "core/run/state/run_state.h"

/* simulation_run() without second opinions. */
Status run_motion(Simulation *simulation, const SimulationSink *sink, SimulationResult *ret_result,
                  Error *err) MUST_CHECK;

/* run_motion() in pieces. Call run_done() also after a failure. */
Status run_start(Run *run, Simulation *simulation, const SimulationSink *sink,
                 Error *err) MUST_CHECK;
bool run_under_way(const Run *run); /* true: the caller makes the next step of run->drive */
Status run_report(Run *run, SimulationResult *ret_result, Error *err) MUST_CHECK;
void run_done(Run *run);

#endif
