/* Inside core/run/: what is said of a run at its end. */
#ifndef CORE_RUN_TELL_REPORT_H
#define CORE_RUN_TELL_REPORT_H

#include "core/run/state/run_state.h"

/* Fills what the outcome of the drive says. */
void report_outcome(Run *run, const OdeOutcome *outcome);
/* The analyses asked for, from the model and from what the run kept. */
Status report_analyses(Run *run, Error *err) MUST_CHECK;

#endif
