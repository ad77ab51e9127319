/* Inside core/simulation/: what was chosen where the job left it open. */
#ifndef CORE_SIMULATION_PREPARE_CHOICES_H
#define CORE_SIMULATION_PREPARE_CHOICES_H

#include "core/simulation/simulation.h"

/* A list of records {what, value, reason}, `what` a path of the job document or a word for what the
 * document cannot say. The simulation is prepared. */
Status choices_list(const Simulation *simulation, const JobSpec *spec, const Value **ret_list,
                    Error *err) MUST_CHECK;

#endif
