/* Inside core/run/: other dependent coordinates on the way.
 *
 * A formulation that solves the constraints for some velocities fails where they no longer
 * determine these, though the motion goes on: a knife edge at right angles to the coordinate whose
 * velocity is dependent. Well before, the run chooses the dependent coordinates anew, as at its
 * start, and goes on from the same state in the equations for these. */
#ifndef CORE_RUN_EQUATIONS_CHANGE_BASE_H
#define CORE_RUN_EQUATIONS_CHANGE_BASE_H

#include "core/run/state/run_state.h"

/* From here on, watches how well the dependent velocities are determined, relative to now. */
void change_base_watch(MotionState *at, double t, const double *y);
/* At the end of a step: a choice that was bad where it was made, next to where it fails, is given
 * up where it becomes bad again, not where it is as bad as then. */
void change_base_rise(MotionState *at, double t, const double *y);

/* Behind a passage, or a jump of the state: on this side of where they are not determined the
 * motion is now. */
void change_base_orient(MotionState *at, double t, const double *y);
/* The watched value: it vanishes where change_base() is due. */
double change_base_guard(MotionState *at, double t, const double *y);
/* Chooses anew; y[dim] is restated. ERR_NUMERIC where the base was given and no longer
 * serves. */
Status change_base(MotionState *at, double t, double *y, Error *err) MUST_CHECK;
/* The same where an event has moved the state, to at->q and at->v, and past the watched
 * value: a base that was given will do where it would do at a start. */
Status change_base_after_impact(MotionState *at, double t, double *y, Error *err) MUST_CHECK;

/* ERR_NUMERIC: a base or a frame may not last where the constraints lose rank. */
Status change_base_singular(double t, Error *err) MUST_CHECK;

#endif
