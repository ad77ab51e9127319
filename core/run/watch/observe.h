/* Inside core/run/: what the equations of motion say of a state that a run has come to, and
 * how regular they are there.
 *
 * States for the analyses are only remembered while the run is under way, where their accelerations
 * and multipliers depend on nothing but the state: at its end these are found for many states at
 * once. */
#ifndef CORE_RUN_WATCH_OBSERVE_H
#define CORE_RUN_WATCH_OBSERVE_H

#include "core/run/state/run_state.h"

enum { REGULARITY_STEPS = 8 }; /* between looks at the regularity, which all samples get */

/* The state with its multipliers; the regularity of the equations goes into the evidence. */
Status run_observe(Run *run, double t, const double *y, Error *err) MUST_CHECK;
/* The same; false, and nothing but the state looked at is another, where more is to be said of
 * it. */
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
