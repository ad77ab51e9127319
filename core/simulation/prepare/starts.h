/* Inside core/simulation/: initial states of several jobs, made beside each other; core/simulate.h has the rest. */
#ifndef CORE_SIMULATION_PREPARE_STARTS_H
#define CORE_SIMULATION_PREPARE_STARTS_H

#include "core/simulate.h"
#include "core/simulation/simulation.h"

/* The initial state of the k-th job, which is that of s, and what is said of it, if it was made; false: it is to be made alone. */
bool starts_take(const Starts *starts, size_t k, Simulation *s);

#endif
