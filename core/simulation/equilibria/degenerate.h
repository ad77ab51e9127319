/* Inside core/simulation/: the potential energy at an equilibrium where its second derivatives vanish in one
 * direction. */
#ifndef CORE_SIMULATION_EQUILIBRIA_DEGENERATE_H
#define CORE_SIMULATION_EQUILIBRIA_DEGENERATE_H

#include "core/simulation/equilibria/enclosed.h"

/* What is proved of the energy at an equilibrium at rest, where constraints are holonomic, nothing depends on time,
 * and forces are linear in the velocities and take energy or none. */
typedef struct EnergyShape {
    bool minimum; /* a strict one: the theorem of Lagrange and Dirichlet holds */
    enum {
        ENERGY_STAYS = 0,
        ENERGY_FALLS_ALONG_ONE, /* flat in one direction only: this file */
        ENERGY_FALLS_WITH_DRAG, /* saddle.h */
        ENERGY_FALLS_FREELY,
        ENERGY_FALLS_ALONG_RAYS /* principal.c */
    } falls;                    /* no minimum, and motions from rest nearby lead away */
    size_t
        order; /* of the derivative that tells, or the largest: more than 2 where the second ones are degenerate */
    size_t
        flat; /* directions in which they are, where several are looked at together: principal.h */
    bool by_polygons; /* these tell, and no principal part: polygon.h */
    bool squares;     /* V is a sum of terms nowhere negative: squares.h */
} EnergyShape;

/* For an equilibrium at known numbers under the conditions of EnergyShape; `symmetric`: so is the matrix D of
 * the drag -D v. Nothing is found where the second derivatives vanish in more directions, or up to a high order
 * along the one. */
Status equilibrium_degenerate(Enclosed *enclosed, bool symmetric, EnergyShape *ret,
                              Error *err) MUST_CHECK;

#endif
