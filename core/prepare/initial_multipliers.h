/* Inside core/prepare/: the initial multipliers of formulations that keep them (initial.mu). */
#ifndef CORE_PREPARE_INITIAL_MULTIPLIERS_H
#define CORE_PREPARE_INITIAL_MULTIPLIERS_H

#include "core/prepare/simulation.h"

/* Sets simulation->multipliers for a formulation that keeps multipliers: the given ones (texts are
 * evaluated at the initial state), or those for which the momenta p - A^T mu of the dependent
 * coordinates vanish (simulation->dependent is read then). Mistakes go to diag (then ERR_INVALID):
 * values missing, or given to a formulation that has no use for them. The constraints in use are
 * all constraints. */
Status initial_multipliers_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                                Error *err) MUST_CHECK;
/* The same mistakes as far as they do not depend on the state: names, and multipliers that the
 * formulation has no use for. */
Status initial_multipliers_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                                 Error *err) MUST_CHECK;

#endif
