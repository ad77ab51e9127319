/* Inside core/stability/: potential energies that fall along a direction in which their second
 * derivatives vanish, of which there may be several. */
#ifndef CORE_STABILITY_FLAT_SADDLE_H
#define CORE_STABILITY_FLAT_SADDLE_H

#include "core/stability/find/drag.h"
#include "core/stability/flat/degenerate.h"

/* For an equilibrium at known numbers under the conditions of EnergyShape, with these forces:
 * sets ret->falls and ret->order if a theorem proves instability. */
Status equilibrium_saddle(Enclosed *enclosed, const Drag *drag, EnergyShape *ret,
                          Error *err) MUST_CHECK;

#endif
