/* Inside core/prepare/: the names of an initial state, without its values, and coordinates that stay
 * fixed while `project` moves the others. */
#ifndef CORE_PREPARE_INITIAL_NAMES_H
#define CORE_PREPARE_INITIAL_NAMES_H

#include "core/prepare/simulation.h"

/* Sets simulation->held. It is a mistake to name an unknown coordinate, one without value, or
 * any coordinate of a state that is not projected. */
Status initial_hold_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                         Error *err) MUST_CHECK;

/* Reports mistakes of the initial state that do not depend on values: unknown names, a missing
 * chart, multipliers that the formulation has no use for. To diag. */
Status initial_names_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

#endif
