/* Inside core/stability/: families of equilibria that exact tests prove. */
#ifndef CORE_STABILITY_FIND_FAMILY_H
#define CORE_STABILITY_FIND_FAMILY_H

#include "core/stability/find/equilibrium.h"

/* The states at which some q and c have the values found, others any with f = 0 and phi = 0. */
typedef struct FamilySet {
    bool *moves;             /* n + s: of q and c */
    double *values;          /* n + s: of those that do not move */
    bool *uses_f, *uses_phi; /* by row in use: these are independent, and the others follow */
} FamilySet;

/* Whether the whole set is a family of equilibria, of the dimension that was measured. Example: a
 * bicycle rides straight on at any speed, place and heading, though its equations are not
 * independent there. Call after equilibrium_linearise(). `is_point`: a set of one state at the
 * simplest numbers q and c nearby, for any rank of the conditions. */
Status equilibrium_family_shown(const Equilibrium *equilibrium, const size_t *fields, bool is_point,
                                FamilySet *ret_set, bool *ret_shown, Error *err) MUST_CHECK;

/* In the arena. */
Status family_set_init(FamilySet *set, const Equilibrium *equilibrium, Arena *arena,
                       Error *err) MUST_CHECK;

#endif
