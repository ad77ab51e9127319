/* Inside core/prepare/: names of the columns of a result and of its event tables. */
#ifndef CORE_PREPARE_COLUMNS_H
#define CORE_PREPARE_COLUMNS_H

#include "core/prepare/simulation.h"

/* t, the coordinates, their velocities, the multipliers, the formulation's own, the observables,
 * then the sensitivities. Names given twice are mistakes. */
Status columns_name(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                    Error *err) MUST_CHECK;
/* The events, with a table each. */
Status tables_name(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                   Error *err) MUST_CHECK;

#endif
