/* Inside core/stability/: units in which the conditions of an equilibrium and their unknowns are
 * of similar size for any units of the model. */
#ifndef CORE_STABILITY_FIND_SCALES_H
#define CORE_STABILITY_FIND_SCALES_H

#include "core/analyses/analyses.h"

typedef struct EquilibriumScales {
    const AnalysisContext *context;
    size_t n, s, n_conditions; /* unknowns: n coordinates, s coefficients; n + s = m */
    double *size;              /* m: the largest that they have been, coordinates by kinds */
    double *unit;              /* m: in which they are solved for */
    double *rest;              /* n: of kinds that were all zero at first; else 0 */
    double *way;               /* n: how far the first velocity would lead until the end */
    double *block;  /* n: the largest derivative of the block that a row of vdot - w is part of */
    double *noise;  /* n: rounding error of the derivatives of a row; 0: not known */
    double *weight; /* n_conditions; 0: no unknown has an effect on it */
    double *scaled; /* [n_conditions][m]: weighted derivatives by unknowns in units */
} EquilibriumScales;

/* Arrays live in the arena. */
Status equilibrium_scales_init(EquilibriumScales *scales, const AnalysisContext *context, size_t s,
                               size_t n_conditions, Arena *arena, Error *err) MUST_CHECK;

/* The search starts with the velocity v[n]. */
void equilibrium_scales_begin(EquilibriumScales *scales, const double *v);

/* The search begins at, or has come to, (q, c): sizes grow with them. */
void equilibrium_scales_take(EquilibriumScales *scales, const double *q, const double *c);

/* A state with the derivatives of the conditions vdot - w, f, phi. */
typedef struct EquilibriumSlopes {
    const double *q, *v;  /* n each */
    const double *slopes; /* [n_conditions][m] */
    const double *dv;     /* [n][m]: of the velocity u */
} EquilibriumSlopes;

/* The rest by the derivatives just taken. */
void equilibrium_scales_set(EquilibriumScales *scales, const EquilibriumSlopes *at);
/* After that: the largest derivative of each condition becomes 1, also of a flat one. */
void equilibrium_scales_even(EquilibriumScales *scales);

#endif
