/* Inside core/stability/: the lowest part of the potential energy if its second derivatives
 * vanish in several directions. */
#ifndef CORE_STABILITY_FLAT_PRINCIPAL_H
#define CORE_STABILITY_FLAT_PRINCIPAL_H

#include "core/stability/find/drag.h"
#include "core/stability/flat/degenerate.h"

/* For an equilibrium at known numbers under the conditions of EnergyShape, with these forces:
 * sets ret->minimum, or ret->falls if a theorem proves instability, and ret->order and
 * ret->flat. */
Status equilibrium_principal(Enclosed *enclosed, const Drag *drag, EnergyShape *ret,
                             Error *err) MUST_CHECK;

#endif
