/* Inside core/prepare/: sizes of the components of the state, for the absolute tolerance. */
#ifndef CORE_PREPARE_NOMINAL_H
#define CORE_PREPARE_NOMINAL_H

#include "core/prepare/simulation.h"

/* Reads the sizes that the job gives; mistakes go to diag. */
Status nominal_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                    Error *err) MUST_CHECK;

/* Sizes and kinds of the `dim` components that are integrated: the motion's state, then others. The
 * arrays are the arena's. */
Status nominal_options(const Simulation *simulation, size_t dim, Arena *arena, OdeOptions *options,
                       Error *err) MUST_CHECK;

/* The first coordinate or velocity with a given size that this motion does not integrate (for
 * example because it integrates momenta), or NULL. */
const char *nominal_without_effect(const Simulation *simulation);

/* Sizes of q and v, 2 n, for a motion with these largest absolute values. */
void nominal_met(const Simulation *simulation, const double *largest, double *ret);

#endif
