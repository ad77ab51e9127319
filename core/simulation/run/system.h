/* Inside core/simulation/: what the integration of a run asks for and reports: rates, projection,
 * samples, events. */
#ifndef CORE_SIMULATION_RUN_SYSTEM_H
#define CORE_SIMULATION_RUN_SYSTEM_H

#include "core/simulation/run/run_state.h"

/* The run as the integration sees it; guards and names are still to be set. Every step, sample and
 * event is looked at: residuals, evidence, rows to the sink. */
OdeSystem run_system(Run *run);
OdeObserver run_observer(Run *run);
/* The model's coordinates and velocities at a state of the motion; until the next evaluation. */
void run_locate(Run *run, double t, const double *y, const double **ret_q, const double **ret_v);

/* For Singular. */
void run_state_of(void *self, double t, const double *y, const double **ret_q,
                  const double **ret_v);

#endif
