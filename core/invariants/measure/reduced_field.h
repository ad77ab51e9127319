/* The motion as a vector field on the state space of the constraints: coordinates q and the
 * velocities u of the base coordinates,
 *
 *     xdot = u,   ydot = C(q, u, t),   udot = G^-1 N^T (F - l - M c),   G = N^T M N
 *
 * with N the columns d(xdot, ydot)/du and c the acceleration at constant u; and its divergence
 * with respect to dq du. Holonomic constraints keep their surfaces: there the volume is dq over
 * df. */
#ifndef CORE_INVARIANTS_MEASURE_REDUCED_FIELD_H
#define CORE_INVARIANTS_MEASURE_REDUCED_FIELD_H

#include "core/invariants/structure/distribution.h"

typedef struct ReducedField {
    const Distribution *d;
    size_t m, n_terms;
    Expr *G;           /* m x m, symmetric */
    Expr *udot;        /* m */
    Expr *div;         /* n_terms of the divergence: d udot_i/du_i, then dC_k/dy_k, unless y(x) */
    Expr log_det_rate; /* D/Dt ln det G along the motion */
    Expr det;          /* det G; EXPR_NONE beyond 3 x 3 */
    Expr factor;       /* of G, for expr_solve(); EXPR_NONE while m is 1 */
} ReducedField;

/* Constraints whose dependent velocities have a closed form. Lives in the scratch memory of the
 * context. */
Status reduced_field_init(ReducedField *field, const Distribution *d, Error *err) MUST_CHECK;

/* tr(G^-1 K), K[m][m]: with the rates of G it is the rate of ln det G. */
Expr reduced_field_trace(const ReducedField *field, const Expr *K);

#endif
