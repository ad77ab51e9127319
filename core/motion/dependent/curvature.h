/* The curvature of the constraints, which vanishes if they are integrable: the part of the
 * dependent velocities (core/motion/dependent/dependent.h) in Voronec's equations. */
#ifndef CORE_MOTION_DEPENDENT_CURVATURE_H
#define CORE_MOTION_DEPENDENT_CURVATURE_H

#include "core/motion/dependent/dependent.h"

/* Curvature of affine constraints:
 *     A^a_ij = D_j a_ai - D_i a_aj,   A^a_i = D_t a_ai - D_i a_a. */
typedef struct Curvature {
    Arena arena;
    Expr *space; /* r x m x m: A^a_ij at [(a m + i) m + j] */
    Expr *time;  /* r x m: A^a_i; follows space */
} Curvature;

Status curvature_init(Curvature *curvature, const Dependent *d, Error *err) MUST_CHECK;
void curvature_done(Curvature *curvature);
/* A^a_ij u^j + A^a_i */
Expr curvature_along(const Curvature *curvature, const Dependent *d, size_t a, size_t i);

/* d_V C^a_i - D_i C^a, which replaces A^a_ij u^j + A^a_i if the constraints are not affine, ret[r x
 * m] (M. Popescu, C. Ida: the pseudo-curvature, with its time component). */
void dependent_pseudo_curvature(const Dependent *d, Expr *ret);

#endif
