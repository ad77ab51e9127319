/* Inside core/run/: the interface between the integration and a run: rates, samples, events. */
#ifndef CORE_RUN_SYSTEM_H
#define CORE_RUN_SYSTEM_H

#include "core/run/state/run_state.h"

/* The run as the integration sees it; guards and names are still to be set. Every step, sample and
 * event is looked at: residuals, evidence, rows to the sink. */
OdeSystem run_system(Run *run);
OdeObserver run_observer(Run *run);
/* For OdeObserver; self is the run. */
Status events_take(void *self, size_t guard, int direction, double t, double *y,
                   OdeAction *ret_action, Error *err) MUST_CHECK;

#endif
