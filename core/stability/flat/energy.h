/* Inside core/stability/: proofs by the potential energy of an equilibrium at rest. */
#ifndef CORE_STABILITY_FLAT_ENERGY_H
#define CORE_STABILITY_FLAT_ENERGY_H

#include "core/stability/find/enclosed.h"

/* F = -D v - R with constant D and R of higher order in the velocities, such as |v| v. */
typedef struct Drag {
    bool dissipative; /* F is of this form, v.D v >= 0 and v.R >= 0 wherever */
    bool complete;    /* v.D v > 0 for v other than 0 */
    bool none;        /* there are no forces */
    bool symmetric;   /* D is, and |R| <= C |v|^2 near rest */
} Drag;

Status drag_find(const Equilibrium *equilibrium, Drag *ret, Error *err) MUST_CHECK;

/* Results proved about the energy of an equilibrium at rest. Constraints are holonomic, nothing
 * depends on time, and forces are linear in the velocities and take energy or none. */
typedef struct EnergyShape {
    bool minimum; /* a strict one: the theorem of Lagrange and Dirichlet holds */
    enum {
        ENERGY_STAYS = 0,
        ENERGY_FALLS_ALONG_ONE, /* flat in one direction only: degenerate.c */
        ENERGY_FALLS_WITH_DRAG, /* saddle.c */
        ENERGY_FALLS_FREELY,
        ENERGY_FALLS_ALONG_RAYS /* principal.c */
    } falls;                    /* no minimum, and motions from rest nearby lead away */
    /* order of the derivative that decides, or the largest; 2: the second ones */
    size_t order;
    size_t flat;      /* degenerate directions if several are examined together: principal.c */
    bool by_polygons; /* proved by Newton polygons, not by a principal part: polygon.c */
    bool squares;     /* V is a sum of terms nowhere negative: squares.c */
} EnergyShape;

/* For an equilibrium at known numbers. `symmetric`: the matrix D of the drag -D v is symmetric.
 * Nothing is found if the second derivatives vanish in more than one direction, or if all
 * derivatives along it vanish up to order 8. */
Status equilibrium_degenerate(Enclosed *enclosed, bool symmetric, EnergyShape *ret,
                              Error *err) MUST_CHECK;

/* The same if the energy falls along one of several directions in which the second derivatives
 * vanish: sets ret->falls and ret->order if a theorem proves instability. */
Status equilibrium_saddle(Enclosed *enclosed, const Drag *drag, EnergyShape *ret,
                          Error *err) MUST_CHECK;

/* The same by the lowest part of the energy if the second derivatives vanish in several directions:
 * sets ret->minimum, or ret->falls, and ret->order and ret->flat. */
Status equilibrium_principal(Enclosed *enclosed, const Drag *drag, EnergyShape *ret,
                             Error *err) MUST_CHECK;

/* The same for a sum of terms that are nowhere negative: whether it has a strict minimum among all
 * places. V need have no second derivatives; the enclosed equilibrium's pool may have failed. */
Status equilibrium_squares(const Enclosed *enclosed, bool *ret, Error *err) MUST_CHECK;

#endif
