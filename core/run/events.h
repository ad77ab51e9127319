/* Inside core/run/: the root of a guard is reached, and the motion changes there. */
#ifndef CORE_RUN_EVENTS_H
#define CORE_RUN_EVENTS_H

#include "core/run/state/run_state.h"

/* For OdeObserver; self is the run. */
Status events_take(void *self, size_t guard, int direction, double t, double *y,
                   OdeAction *ret_action, Error *err) MUST_CHECK;

#endif
