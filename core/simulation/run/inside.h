/* Inside core/simulation/: what a step may have passed. */
#ifndef CORE_SIMULATION_RUN_INSIDE_H
#define CORE_SIMULATION_RUN_INSIDE_H

#include "core/simulation/run/run_state.h"

/* For OdeSystem: whether there may be something by the ends of a step alone; and what was passed. */
bool run_may_pass(void *self, size_t lane, const OdeArc *ends);
OdePassed run_find_passed(void *self, size_t lane, const OdeArc *arc, double *ret_from,
                          double *ret_length);

#endif
