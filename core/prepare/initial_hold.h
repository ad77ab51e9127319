/* Inside core/prepare/: coordinates that stay fixed while `project` moves the others. */
#ifndef CORE_PREPARE_INITIAL_HOLD_H
#define CORE_PREPARE_INITIAL_HOLD_H

#include "core/prepare/simulation.h"

/* Sets simulation->held. It is a mistake to name an unknown coordinate, one without value, or
 * any coordinate of a state that is not projected. */
Status initial_hold_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                         Error *err) MUST_CHECK;

#endif
