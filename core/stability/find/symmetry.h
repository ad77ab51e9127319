/* Inside core/stability/: generators that are proved to carry motions into motions. */
#ifndef CORE_STABILITY_FIND_SYMMETRY_H
#define CORE_STABILITY_FIND_SYMMETRY_H

#include "core/stability/find/equilibrium.h"

/* Whether exact tests show that the lifts of the generators fields[s] of its drift are tangent to
 * the constraints and commute with the equations of motion, everywhere. */
Status equilibrium_symmetric(const Equilibrium *equilibrium, const size_t *fields, bool *ret,
                             Error *err) MUST_CHECK;

#endif
