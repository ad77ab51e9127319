/* Inside core/run/: stochastic arithmetic for runs of one simulation. Operands are moved by the
 * same random factors in every run, so a workspace keeps the first ones. */
#ifndef CORE_RUN_WATCH_SHAKES_H
#define CORE_RUN_WATCH_SHAKES_H

#include "core/run/state/run_state.h"

/* Of shakes that begin, always the same ones, the first ones from a table. */
void shakes_of_workspace(RunWorkspace *workspace, Shakes *shakes);

/* The outputs of motion_eval_point_shaken() at state[1 + dim], t and y, with shakes that
 * shakes_of_workspace() has just begun. NULL: the caller must evaluate them. */
const double *shakes_moved_point(RunWorkspace *workspace, const MotionState *at,
                                 const double *state, Shakes *shakes);

#endif
