/* Inside core/run/: runs beside each other, one in each lane, which share the evaluation of the
 * equations of motion and of the ends of steps. All else is each run's own, and so are its bits. */
#ifndef CORE_RUN_BATCH_RUNNER_H
#define CORE_RUN_BATCH_RUNNER_H

#include "core/prepare/simulation.h"

/* simulations_run() with that number of lanes. */
Status batches_run(const SimulationQueue *queue, size_t lanes, Error *err) MUST_CHECK;

#endif
