/* Inside core/run/: the values known at a state of the motion. Nothing is judged, and nothing of
 * the run changes but the state that is looked at (at->state). */
#ifndef CORE_RUN_WATCH_LOOK_H
#define CORE_RUN_WATCH_LOOK_H

#include "core/run/state/run_state.h"

/* All but the multipliers of the model. */
MotionPoint look_at(MotionState *at, double t, const double *y);
/* The multipliers too, if look_at() was inside a passage. */
Status look_in_passage(MotionState *at, const double *y, Error *err) MUST_CHECK;
/* All, wherever it is. */
Status look_whole(MotionState *at, double t, const double *y, Error *err) MUST_CHECK;

#endif
