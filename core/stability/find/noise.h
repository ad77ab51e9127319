/* Inside core/stability/: derivatives of the conditions of an equilibrium that may be nothing but
 * rounding. */
#ifndef CORE_STABILITY_FIND_NOISE_H
#define CORE_STABILITY_FIND_NOISE_H

#include "core/stability/find/state.h"

/* Bounds the rounding error of each row of the derivatives at an equilibrium that was found, for
 * the scales: a block that is not coupled to others counts by its own size. Only for states at
 * rest without constraints. Computes the derivatives again. */
Status equilibrium_find_noise(Equilibrium *equilibrium, Error *err) MUST_CHECK;

#endif
