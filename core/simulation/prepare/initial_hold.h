/* Inside core/simulation/: coordinates that stay while `project` assembles the others. */
#ifndef CORE_SIMULATION_PREPARE_INITIAL_HOLD_H
#define CORE_SIMULATION_PREPARE_INITIAL_HOLD_H

#include "core/simulation/simulation.h"

/* Sets simulation->held. Names that are none or have no value are mistakes, and so is a state of
 * which nothing is projected. */
Status initial_hold_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                         Error *err) MUST_CHECK;

#endif
