/* Inside core/prepare/: choices that the service made because the job left them open. */
#ifndef CORE_PREPARE_CHOICES_H
#define CORE_PREPARE_CHOICES_H

#include "core/prepare/simulation.h"

/* A list of records {what, value, reason}. `what` is a path of the job document, or a word for a
 * choice that the document cannot express. The simulation is prepared. */
Status choices_list(const Simulation *simulation, const JobSpec *spec, const Value **ret_list,
                    Error *err) MUST_CHECK;

#endif
