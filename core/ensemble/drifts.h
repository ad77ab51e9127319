/* Inside core/ensemble/: the momenta of the symmetries that a model names. Their drifts are default
 * columns of the summary, like the drift of the energy. */
#ifndef CORE_ENSEMBLE_DRIFTS_H
#define CORE_ENSEMBLE_DRIFTS_H

#include "core/simulate.h"

/* Copies the job and appends a reduction "drift.NAME" for each momentum to its own. Adds none if
 * the multipliers are part of the motion, because its momenta differ, and none for an expression
 * too long to print. In the arena. */
Status drifts_add(const Compiled *compiled, const JobSpec *job, Arena *arena, JobSpec *ret_job,
                  Error *err) MUST_CHECK;

#endif
