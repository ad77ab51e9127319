/* Inside core/run/: the report on a run at its end. */
#ifndef CORE_RUN_TELL_REPORT_H
#define CORE_RUN_TELL_REPORT_H

#include "core/run/state/run_state.h"

/* Fills in the outcome of the drive. */
void report_outcome(Run *run, const OdeOutcome *outcome);
/* Runs the analyses of the job, with the model and the retained states. */
Status report_analyses(Run *run, Error *err) MUST_CHECK;

#endif
