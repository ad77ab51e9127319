/* Inside core/prepare/: the parts of an initial state: names without values, coordinates that stay
 * fixed while `project` moves the others, a state in the coordinates of the chart, an equilibrium,
 * and the multipliers of formulations that keep them. */
#ifndef CORE_PREPARE_INITIAL_H
#define CORE_PREPARE_INITIAL_H

#include "core/prepare/simulation.h"

/* Sets simulation->held. It is a mistake to name an unknown coordinate, one without value, or
 * any coordinate of a state that is not projected. */
Status initial_hold_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                         Error *err) MUST_CHECK;

/* Mistakes of the initial state that do not depend on values go to diag. */
Status initial_names_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

/* Sets simulation->chart from spec->chart_q and chart_v, and q and v to the model's state there.
 * Coordinates left out are 0; velocities left out satisfy the constraints with least v.M.v
 * (Euclidean if M is not positive on them). Mistakes go to diag. */
Status initial_chart(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                     Error *err) MUST_CHECK;

/* Finds the equilibrium near spec->equilibrium.near, along the symmetries if that state moves,
 * and sets s->q and s->v to it plus the offset. s->equilibrium reports the result. Sets
 * s->report as for a state near it. Mistakes go to diag (then ERR_INVALID). */
Status initial_equilibrium(Simulation *s, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

/* Sets simulation->multipliers for a formulation that keeps multipliers: the given ones (texts are
 * evaluated at the initial state), or those for which the momenta p - A^T mu of the dependent
 * coordinates vanish (simulation->dependent is read then). Mistakes go to diag (then ERR_INVALID):
 * values missing, or given to a formulation that has no use for them. The constraints in use are
 * all constraints. */
Status initial_multipliers_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                                Error *err) MUST_CHECK;
/* The same mistakes as far as they do not depend on the state. */
Status initial_multipliers_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                                 Error *err) MUST_CHECK;

#endif
