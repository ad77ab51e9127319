/* Inside core/simulation/: families of equilibria that exact tests prove. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_FAMILY_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_FAMILY_H

#include "core/simulation/analyses/equilibrium.h"

/* Whether this is an equilibrium wherever the coordinates and coefficients c that its family leaves
 * alone are what they are here, and the others any with which the constraints hold, and these are as
 * many as the family has dimensions: so rides a bicycle straight on at any speed, place and heading,
 * though its equations are not independent there. After equilibrium_linearise(). */
Status equilibrium_family_shown(const Equilibrium *equilibrium, const size_t *fields,
                                bool *ret_shown, Error *err) MUST_CHECK;

#endif
