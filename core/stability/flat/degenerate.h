/* Inside core/stability/: the potential energy at an equilibrium where its second derivatives
 * vanish in one direction. */
#ifndef CORE_STABILITY_FLAT_DEGENERATE_H
#define CORE_STABILITY_FLAT_DEGENERATE_H

#include "core/stability/find/enclosed.h"

/* Results proved about the energy of an equilibrium at rest. Conditions: constraints are
 * holonomic, nothing depends on time, and forces are linear in the velocities and take energy or
 * none. */
typedef struct EnergyShape {
    bool minimum; /* a strict one: the theorem of Lagrange and Dirichlet holds */
    enum {
        ENERGY_STAYS = 0,
        ENERGY_FALLS_ALONG_ONE, /* flat in one direction only: this file */
        ENERGY_FALLS_WITH_DRAG, /* saddle.h */
        ENERGY_FALLS_FREELY,
        ENERGY_FALLS_ALONG_RAYS /* principal.c */
    } falls;                    /* no minimum, and motions from rest nearby lead away */
    /* order of the derivative that decides, or the largest: above 2 if the second ones are
     * degenerate */
    size_t order;
    size_t flat;      /* degenerate directions if several are examined together: principal.h */
    bool by_polygons; /* proved by Newton polygons, not by a principal part: polygon.h */
    bool squares;     /* V is a sum of terms nowhere negative: squares.h */
} EnergyShape;

/* For an equilibrium at known numbers under the conditions of EnergyShape. `symmetric`: the
 * matrix D of the drag -D v is symmetric. Nothing is found if the second derivatives vanish in
 * more than one direction, or if all derivatives along it vanish up to order 8. */
Status equilibrium_degenerate(Enclosed *enclosed, bool symmetric, EnergyShape *ret,
                              Error *err) MUST_CHECK;

#endif
