/* Inside core/run/: a run across singular configurations in the model's own variables.
 *
 * Where the constraints lose rank a formulation's variables need not be smooth though the motion
 * is: velocities in a frame become infinite, those of a base say nothing about the others,
 * dependent ones are solved for by matrices that are singular. There the run is carried by Lagrange
 * and d'Alembert's equations in (q, v), which are the same motion, and goes on in the formulation's
 * behind it. */
#ifndef CORE_RUN_EQUATIONS_SMOOTH_H
#define CORE_RUN_EQUATIONS_SMOOTH_H

#include "core/run/state/run_state.h"

Status smooth_init(Run *run, Error *err) MUST_CHECK;
/* Components of a state inside a step or a passage. */
size_t smooth_widest(const Run *run);
void smooth_done(Run *run);
/* NULL where the run is carried across in its own. */
const OdeSmooth *smooth_variables(const Run *run);

#endif
