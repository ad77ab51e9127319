/* Inside core/prepare/: the numbers to which a job's motion is reduced. */
#ifndef CORE_PREPARE_REDUCTIONS_H
#define CORE_PREPARE_REDUCTIONS_H

#include "core/prepare/simulation.h"

/* Sets simulation->reductions. Events and analyses are known before. Mistakes go to diag (then
 * ERR_INVALID). */
Status reductions_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                       Error *err) MUST_CHECK;
/* Call it when the motion is known: expressions that read its own columns are compiled again. */
Status reductions_take_motion(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                              Error *err) MUST_CHECK;
/* The dimension of reduction k. It is unknown for a label, a count or a finding. */
Dimension reductions_dimension(const Reductions *reductions, size_t k);
void reductions_rebind(Reductions *reductions); /* parameters have changed; NULL is fine */
void reductions_free(Reductions *reductions);   /* NULL is fine */

#endif
