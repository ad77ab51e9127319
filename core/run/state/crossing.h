/* Inside core/run/: a run inside a passage across a singular configuration. */
#ifndef CORE_RUN_STATE_CROSSING_H
#define CORE_RUN_STATE_CROSSING_H

#include "core/run/state/run_state.h"

/* Whether t is inside a passage in smooth variables (smooth.h), and (q, v) there: the state of the
 * integration may say little about them. Valid until the next call. */
bool crossing_locate(MotionState *at, double t, const double **ret_q, const double **ret_v);

/* The same for the state looked at: at->state has them from then on. */
void crossing_look(MotionState *at);

#endif
