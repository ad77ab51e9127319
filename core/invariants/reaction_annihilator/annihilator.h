/* The reaction-annihilator distribution R0 at a configuration.
 *
 *     R0_q = { Z : R(q, v, t).Z = 0 for all v with S v + s = 0 }
 *
 * contains ker S, the virtual displacements. It is larger if the reaction force R = S^T lambda
 * does not take all directions that the constraints allow it (F. Fasso, N. Sansonetto, on
 * conservation of energy and momenta in nonholonomic systems with affine constraints, section
 * 2.3).
 *
 * R is computed at random velocities v = v0 + N u and stacked. With L quadratic and F at most
 * quadratic in the velocities it is a quadratic polynomial of u, with (m + 1)(m + 2)/2
 * coefficients, m = n - r: twice as many points in general position are exact. As R has no more
 * than r independent directions, no more than a few times r points are ever needed. */
#ifndef CORE_INVARIANTS_REACTION_ANNIHILATOR_ANNIHILATOR_H
#define CORE_INVARIANTS_REACTION_ANNIHILATOR_ANNIHILATOR_H

#include "core/invariants/analysis.h"

typedef struct Annihilator {
    size_t rank;  /* of R0: n less that of the reactions */
    bool decided; /* false: a singular value lies between VERDICT_HOLDS and VERDICT_FAILS */
    /* Of the stacked reactions, relative to the forces that act there, component i over the square
     * root of |M_ii|; root mean squares over the points; descending. */
    size_t n_singular;
    double *singular; /* n_singular */
    double *basis;    /* rank x n: a basis of R0, in echelon form */
} Annihilator;

/* True when every constraint is holonomic, linear or affine: else velocities at a point are no
 * affine space, and R0 is not defined this way. */
bool annihilator_defined(const Model *model);

/* At time t and coordinates q (admissible, n), in the scratch memory of the context.
 * ERR_NUMERIC: the reactions are not determined. */
Status annihilator_init(Annihilator *annihilator, const AnalysisContext *context, double t,
                        const double *q, Error *err) MUST_CHECK;

#endif
