/* Inside core/stability/: potential energies that are sums of terms which are nowhere negative. */
#ifndef CORE_STABILITY_FLAT_SQUARES_H
#define CORE_STABILITY_FLAT_SQUARES_H

#include "core/stability/find/enclosed.h"

/* Whether the energy is proved to have a strict minimum at an equilibrium at known numbers, under
 * the conditions of EnergyShape (degenerate.h): among all places, so among those that constraints
 * leave. V need have no derivatives but the first; the enclosed equilibrium's pool may have failed.
 * */
Status equilibrium_squares(const Enclosed *enclosed, bool *ret, Error *err) MUST_CHECK;

#endif
