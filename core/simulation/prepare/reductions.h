/* Inside core/simulation/: the numbers that a job's motion is to be reduced to. */
#ifndef CORE_SIMULATION_PREPARE_REDUCTIONS_H
#define CORE_SIMULATION_PREPARE_REDUCTIONS_H

#include "core/simulation/simulation.h"

/* Sets simulation->reductions; events and analyses are known by now. Mistakes go to diag (then ERR_INVALID). */
Status reductions_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                       Error *err) MUST_CHECK;
/* With the motion: expressions that read columns of its own are compiled again. */
Status reductions_take_motion(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                              Error *err) MUST_CHECK;
/* Of reduction k; not known of a label, a count or a finding. */
Dimension reductions_dimension(const Reductions *reductions, size_t k);
void reductions_rebind(Reductions *reductions); /* parameters have changed; NULL is fine */
void reductions_free(Reductions *reductions);   /* NULL is fine */

#endif
