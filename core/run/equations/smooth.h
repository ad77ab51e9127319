/* Inside core/run/: a run across singular configurations in the model's own variables.
 *
 * If the constraints lose rank, the variables of a formulation need not be smooth though the motion
 * is. Velocities in a frame become infinite, those of a base say nothing about the others, and
 * dependent velocities are solved for by singular matrices. There the run is carried by Lagrange
 * and d'Alembert's equations in (q, v), which have the same motion. Behind it the run goes on in
 * the equations of the formulation. */
#ifndef CORE_RUN_EQUATIONS_SMOOTH_H
#define CORE_RUN_EQUATIONS_SMOOTH_H

#include "core/run/state/run_state.h"

Status smooth_init(MotionState *at, Arena *memory, Error *err) MUST_CHECK;
/* Components of a state inside a step or a passage. */
size_t smooth_widest(const MotionState *at);
/* NULL where the run is carried across in its own. */
const OdeSmooth *smooth_variables(const MotionState *at);

#endif
