/* Inside core/prepare/: the start of a run: the equations, and the state of the motion. */
#ifndef CORE_PREPARE_INITIAL_MOTION_H
#define CORE_PREPARE_INITIAL_MOTION_H

#include "core/motion/eval.h"
#include "core/prepare/simulation.h"

/* Chooses the equations for the consistent initial state, and checks that the formulation applies.
 * Mistakes go to diag (then ERR_INVALID). */
Status initial_motion_choose(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                             Error *err) MUST_CHECK;

/* The state of the motion at the start, y[dim + 1], its work 0. */
Status initial_motion_state(const Simulation *simulation, MotionEval *equations, double *y,
                            Error *err) MUST_CHECK;

/* Whether the equations reproduce the initial state and the equations of motion there.
 * ERR_NUMERIC if not, which never happens with correct equations. y[dim] as
 * initial_motion_state() left it, with switches. */
Status initial_motion_check(const Simulation *simulation, MotionEval *equations, const double *y,
                            Error *err) MUST_CHECK;

#endif
