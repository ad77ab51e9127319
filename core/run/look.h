/* Inside core/run/: what is known at a state of the motion. Nothing is judged, and nothing
 * of the run changes but the state that is looked at (run->state). */
#ifndef CORE_RUN_LOOK_H
#define CORE_RUN_LOOK_H

#include "core/run/run_state.h"

/* All but the multipliers of the model. */
MotionPoint look_at(Run *run, double t, const double *y);
/* Those too, where look_at() was inside a passage. */
Status look_in_passage(Run *run, const double *y, Error *err) MUST_CHECK;
/* All, wherever it is. */
Status look_whole(Run *run, double t, const double *y, Error *err) MUST_CHECK;

/* What is read of a motion may be no polynomial on a step: the position in a chart whose angle
 * turns. Does the path, of t, q, v and more, say little of q or v? */
bool run_loses(const Run *run, const Path *path);

/* The largest that has been met of the root mean square of the velocities of the kind of coordinate
 * i. */
double run_speed(const Run *run, size_t i);

#endif
