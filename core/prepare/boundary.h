/* Inside core/prepare/: the two-point boundary problem of Hamilton's principle, for shooting.h.
 *
 * Among the paths from q0 at t0 to q1 at t1 that satisfy the holonomic constraints, those that make
 * the action stationary are motions. The sign of the second variation follows from the conjugate
 * points between the ends (Jacobi).
 *
 * If the ends are given in the model's chart, the path is searched in the chart: x and xdot
 * take the place of q and v, and no constraint is left. An angle of the chart counts its turns. */
#ifndef CORE_PREPARE_BOUNDARY_H
#define CORE_PREPARE_BOUNDARY_H

#include "core/prepare/simulation.h"

/* The job as the rest of the preparation sees it: with a boundary, time runs from end to end and
 * the start is made consistent by projection. A boundary without its formulation, or the reverse,
 * is a mistake. */
void boundary_adapt(const JobSpec *spec, const char *formulation, JobSpec *ret_spec,
                    Diagnostics *diag);

/* Reads the ends and the guesses; none given: the straight path and rest. Mistakes go to diag. */
Status boundary_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                     Error *err) MUST_CHECK;

void boundary_free(Boundary *boundary); /* frees the parts outside the arena; NULL is fine */

/* Whether the far end satisfies the holonomic constraints, and whether the problem is one of
 * least action. Call it after the initial state was made consistent. Mistakes go to diag (then
 * ERR_INVALID). */
Status boundary_check(Simulation *simulation, Diagnostics *diag, Error *err) MUST_CHECK;

#endif
