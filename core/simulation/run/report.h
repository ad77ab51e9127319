/* Inside core/simulation/: what is said of a run at its end. */
#ifndef CORE_SIMULATION_RUN_REPORT_H
#define CORE_SIMULATION_RUN_REPORT_H

#include "core/simulation/run/run_state.h"

/* Fills what the outcome of the drive says. */
void report_outcome(Run *run, const OdeOutcome *outcome);
/* The analyses asked for, from the model and from what the run kept. */
Status report_analyses(Run *run, Error *err) MUST_CHECK;

#endif
