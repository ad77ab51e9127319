/* Inside core/prepare/: a motion that starts from an equilibrium, or beside it. */
#ifndef CORE_PREPARE_INITIAL_EQUILIBRIUM_H
#define CORE_PREPARE_INITIAL_EQUILIBRIUM_H

#include "core/job.h"
#include "core/prepare/simulation.h"

/* Finds the equilibrium near spec->equilibrium.near, along the symmetries if that state moves,
 * and sets s->q and s->v to it plus the offset. s->equilibrium reports the result. Sets
 * s->report as for a state near it. Mistakes go to diag (then ERR_INVALID). */
Status initial_equilibrium(Simulation *s, const JobSpec *spec, Diagnostics *diag,
                           Error *err) MUST_CHECK;

#endif
