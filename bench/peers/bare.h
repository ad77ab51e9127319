/* The loop of a job's integration, bare of evidence. */
#ifndef BENCH_PEERS_BARE_H
#define BENCH_PEERS_BARE_H

#include "core/simulate.h"

/* Seconds a step, the least of so many rounds. The simulation is not run yet. */
double bare_step_seconds(const Simulation *simulation, int rounds);

#endif
