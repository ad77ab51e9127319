/* Inside core/simulation/: where a run starts: the equations, and the state of the motion. */
#ifndef CORE_SIMULATION_PREPARE_INITIAL_MOTION_H
#define CORE_SIMULATION_PREPARE_INITIAL_MOTION_H

#include "core/motion/eval.h"
#include "core/simulation/simulation.h"

/* Chooses the equations for the consistent initial state, and checks that the formulation applies.
 * Mistakes go to diag (then ERR_INVALID). */
Status start_choose_motion(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

/* The state of the motion at the start, y[dim + 1], its work 0. */
Status start_state(const Simulation *simulation, Lanes *lanes, double *y, Error *err) MUST_CHECK;

/* Do the equations reproduce the initial state and the equations of motion there? ERR_NUMERIC where
 * they do not: of equations that are right, never. y[dim] as start_state() left it, with switches.
 */
Status start_check(const Simulation *simulation, Lanes *lanes, const double *y,
                   Error *err) MUST_CHECK;

#endif
