/* Inside core/ensemble/: the default invariants beside the energy, whose drift the summary has: momenta of the symmetries
 * that a model names. */
#ifndef CORE_ENSEMBLE_DRIFTS_H
#define CORE_ENSEMBLE_DRIFTS_H

#include "core/simulate.h"

/* The job with a reduction "drift.NAME" behind its own for each of them; none where the multipliers are part of the motion,
 * whose momenta are others, and none whose expression is too long to be written down. In the arena. */
Status drifts_add(const Compiled *compiled, const JobSpec *job, Arena *arena, JobSpec *ret_job,
                  Error *err) MUST_CHECK;

#endif
