/* Inside core/simulation/: initial states of several jobs, made beside each other; core/simulate.h has the rest. */
#ifndef CORE_SIMULATION_PREPARE_STARTS_H
#define CORE_SIMULATION_PREPARE_STARTS_H

#include "core/simulate.h"
#include "core/simulation/simulation.h"

/* The initial state of the job, which is that of s, and what is said of it, if it was made; false: it is to be made alone. */
bool starts_take_state(StartAhead ahead, Simulation *s);
/* What the equations that were chosen since say there, if that is known. */
void starts_take_motion(StartAhead ahead, Simulation *s);

#endif
