/* Inside core/run/: the constraints at the states of a run. */
#ifndef CORE_RUN_WATCH_RESIDUALS_H
#define CORE_RUN_WATCH_RESIDUALS_H

#include "core/run/state/run_state.h"

/* |phi| relative to its terms, beyond which a redundant constraint is contradictory and a
 * constraint in use is lost. Convention: far above the rounding that a projection leaves. */
static const double CONTRADICTION = 1e-9;

/* The residuals and the energy at the end of a step, or at a sample, go into the evidence.
 * ERR_NUMERIC if a constraint no longer holds. */
Status residuals_take(MotionState *at, RunEvidence *evidence, Corners *corners, double t,
                      const double *y, bool on_step, Error *err) MUST_CHECK;
/* The rank and the condition of the constraints at the state looked at. `first`: no row has left
 * the run yet. ERR_NUMERIC if the rank is lost, or nearly so. */
Status residuals_check_rank(MotionState *at, Evidence *evidence, bool first, Error *err) MUST_CHECK;

#endif
