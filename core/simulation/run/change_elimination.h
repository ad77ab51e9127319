/* Inside core/simulation/: the same equations solved in another way, while a run is under way. */
#ifndef CORE_SIMULATION_RUN_CHANGE_ELIMINATION_H
#define CORE_SIMULATION_RUN_CHANGE_ELIMINATION_H

#include "core/simulation/run/run_state.h"

/* Watches M where the equations divide by it but need not, because there are constraints. */
void change_elimination_watch(Run *run);
/* Equations that do without M^-1 take over, and stay. The state, its rates and its branches are the
 * same but for rounding, so that the integration need not know. Does nothing where M is not watched. */
Status change_elimination(Run *run, double t, const double *y, Error *err) MUST_CHECK;

#endif
