/* Inside core/prepare/: the names of an initial state, without its values. */
#ifndef CORE_PREPARE_INITIAL_NAMES_H
#define CORE_PREPARE_INITIAL_NAMES_H

#include "core/prepare/simulation.h"

/* Reports mistakes of the initial state that do not depend on values: unknown names, a missing
 * chart, multipliers that the formulation has no use for. To diag. */
Status initial_names_check(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

#endif
