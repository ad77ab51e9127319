/* Inside core/stability/: one equilibrium, or relative equilibrium, near a state. */
#ifndef CORE_STABILITY_FIND_EQUILIBRIUM_H
#define CORE_STABILITY_FIND_EQUILIBRIUM_H

#include "core/stability/find/state.h"

/* Starts from q, c (and v with generators: the c nearest to it are taken). False if no
 * equilibrium was found; `residual` then says how close the search came. ERR_NUMERIC if the
 * equations are not finite. */
Status equilibrium_find(Equilibrium *equilibrium, bool *ret_found, Error *err) MUST_CHECK;

/* Whether the conditions hold, to the rounding of their terms, along the straight path to the q
 * and c in values[n + s]. */
Status equilibrium_extends(Equilibrium *equilibrium, const double *values, bool *ret,
                           Error *err) MUST_CHECK;

#endif
