/* Inside core/run/: the equations of motion at a state of a run, and their regularity there.
 *
 * While the run is under way, states for the analyses are only retained, if their accelerations and
 * multipliers depend on nothing but the state. At the end these are found for many states at
 * once. */
#ifndef CORE_RUN_WATCH_OBSERVE_H
#define CORE_RUN_WATCH_OBSERVE_H

#include "core/run/state/run_state.h"

enum { REGULARITY_STEPS = 8 }; /* between looks at the regularity, which all samples get */

/* The state with its multipliers; the regularity of the equations goes into the evidence. */
Status run_observe(Run *run, double t, const double *y, Error *err) MUST_CHECK;
/* The same. Returns false if the state needs a closer look; then only the state looked at has
 * changed. */
bool run_observe_regular(Run *run, double t, const double *y);

/* Before the first step, when all else of the run is known: whether states may wait. */
void observe_begin(Run *run);
/* After a step. */
Status observe_step(Run *run, double t, const double *y, Error *err) MUST_CHECK;
/* Looks at all states that wait; ERR_NUMERIC where the equations were singular at one of them. */
Status observe_waiting(Run *run, Error *err) MUST_CHECK;
/* The same after the last step. A singular state ends the run as if it had been found in time. */
void observe_end(Run *run);

#endif
