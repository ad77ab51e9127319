/* Inside core/run/: the equations of motion at a state of a run, and their regularity there.
 *
 * While the run is under way, states for the analyses are only retained, if their accelerations and
 * multipliers depend on nothing but the state. At the end these are found for many states at
 * once. */
#ifndef CORE_RUN_WATCH_OBSERVE_H
#define CORE_RUN_WATCH_OBSERVE_H

#include "core/run/state/run_state.h"

enum { REGULARITY_STEPS = 8 }; /* between looks at the regularity, which all samples get */

/* The state with its multipliers; the regularity of the equations goes into the evidence. States
 * that wait are looked at first. */
Status observe_state(MotionState *at, Evidence *evidence, StateSamples *samples, double t,
                     const double *y, Error *err) MUST_CHECK;
/* The same. Returns false if the state needs a closer look; then only the state looked at has
 * changed. */
bool observe_regular(MotionState *at, Evidence *evidence, double t, const double *y);

/* Whether states may wait as far as the equations go, because a later look finds the same values:
 * they have no branches and no memory, and all multipliers are theirs. */
bool observe_may_wait(const MotionState *at);
/* After a step; steps: the number of those before it. */
Status observe_step(MotionState *at, Evidence *evidence, StateSamples *samples, uint64_t steps,
                    double t, const double *y, Error *err) MUST_CHECK;
/* Looks at all states that wait; ERR_NUMERIC where the equations were singular at one of them. */
Status observe_waiting(MotionState *at, Evidence *evidence, StateSamples *samples,
                       Error *err) MUST_CHECK;
/* The same after the last step. A singular state ends the run as if it had been found in time. */
void observe_end(MotionState *at, Evidence *evidence, StateSamples *samples, OdeOutcome *outcome);

#endif
