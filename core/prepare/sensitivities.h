/* Inside core/prepare/: the derivatives of a result's columns by numbers of the job.
 *
 * A path names a number: "parameters.l", "initial.q.x" or "initial.v.x". The columns come after all
 * others, for each path every column but t in their order: "d(x)/d(parameters.l)". They are the
 * derivatives at a fixed time along the linearized motion (linearised.h), from that of the initial
 * state (initial_tangent.h). */
#ifndef CORE_PREPARE_SENSITIVITIES_H
#define CORE_PREPARE_SENSITIVITIES_H

#include "core/prepare/simulation.h"

/* Reads spec->sensitivities into simulation->sensitivities (NULL if there are none). Mistakes go
 * to diag. */
Status sensitivities_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                          Error *err) MUST_CHECK;

/* When the initial state and the equations are known: checks that they can be linearized, and
 * differentiates the initial state. Mistakes go to diag (then ERR_INVALID). */
Status sensitivities_start(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

/* Names of the components of the linearized motion, as columns: ret_names[2 n][m]. */
void sensitivities_name_state(const Simulation *simulation, const char **ret_names);

#endif
