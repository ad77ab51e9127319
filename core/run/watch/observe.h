/* Inside core/run/: the equations of motion at a state of a run, and their regularity there.
 *
 * A look judges nothing, and changes nothing of the run but at->state, the state looked at.
 * An observation also asks whether the equations still serve: if they divide by a degenerate M,
 * observe_state() replaces them (change_elimination.h). */
#ifndef CORE_RUN_WATCH_OBSERVE_H
#define CORE_RUN_WATCH_OBSERVE_H

#include "core/run/state/run_state.h"

/* All but the multipliers of the model. */
MotionPoint look_at(MotionState *at, double t, const double *y);
/* The multipliers too, if look_at() was inside a passage. */
Status look_in_passage(MotionState *at, const double *y, Error *err) MUST_CHECK;
/* All, wherever it is. */
Status look_whole(MotionState *at, double t, const double *y, Error *err) MUST_CHECK;

enum { REGULARITY_STEPS = 8 }; /* between looks at the regularity, which all samples get */

/* The state with its multipliers; the regularity of the equations goes into the evidence. May
 * replace the equations. */
Status observe_state(MotionState *at, Evidence *evidence, double t, const double *y,
                     Error *err) MUST_CHECK;
/* The same. Returns false if the state needs a closer look; then only the state looked at has
 * changed. */
bool observe_regular(MotionState *at, Evidence *evidence, double t, const double *y);

/* After a step; steps: the number of those before it. Takes states for the analyses. */
Status observe_step(MotionState *at, Evidence *evidence, StateSamples *samples, uint64_t steps,
                    double t, const double *y, Error *err) MUST_CHECK;

#endif
