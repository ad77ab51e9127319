/* Ensembles of this program, timed. */
#ifndef BENCH_PEERS_ENSEMBLE_H
#define BENCH_PEERS_ENSEMBLE_H

#include "bench/peers/peers.h"

/* Seconds a member takes, of so many whose first velocities are spread by 1e-3 about the problem's,
 * with summaries and all evidence, on one thread: the least of `turns`. *ret_steps: of a member, on
 * average. Exits with a message where the ensemble cannot be run. */
double ensemble_seconds(const Problem *problem, double tolerance, unsigned members, int turns,
                        double *ret_steps);

#endif
