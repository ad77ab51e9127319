/* Inside core/run/: how far the motion has been, and how fast. */
#ifndef CORE_RUN_STATE_EXTENT_H
#define CORE_RUN_STATE_EXTENT_H

#include "core/run/state/run_state.h"

/* At the end of a step. */
void extent_widen(MotionState *at, const double *q, const double *v);

/* The inputs of an expression may be no polynomials on a step: the position in a chart whose angle
 * turns. Does the path, of t, q, v and more, say little of q or v? */
bool extent_loses(const MotionState *at, const Path *path);

/* The largest that has been met of the root mean square of the velocities of the kind of coordinate
 * i. */
double extent_speed(const MotionState *at, size_t i);

#endif
