/* Inside core/prepare/: events at given times. */
#ifndef CORE_PREPARE_EVENT_TIMES_H
#define CORE_PREPARE_EVENT_TIMES_H

#include "core/base/diagnostics.h"
#include "core/job.h"
#include "core/prepare/simulation.h"

/* Checks the times of an event against those of the job, and copies them into the simulation's
 * arena (sticky); mistakes go to diag. */
void event_times_init(Simulation *simulation, const EventSpec *spec, EventSpec *ret,
                      Diagnostics *diag);

/* OdeOptions.tick: `self` is the Simulation. */
double event_times_at(void *self, size_t event, size_t k);

#endif
