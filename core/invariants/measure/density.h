/* Densities N(q, t) that the motion preserves with dq du, u the velocities of the base
 * coordinates.
 *
 * With f = ln N the condition is D/Dt f + div = 0. If the divergence is affine in the
 * velocities, div = -(theta_0 + theta_i u^i), it says X_i f = theta_i and X_0 f = theta_0, and
 * for brackets [X, Y] f = X(theta_Y) - Y(theta_X). On the space with f as one more coordinate
 * the lifted fields X + theta_X d/df span a distribution. If its involutive closure contains
 * d/df there is no density; otherwise there is one near every state, whether a formula for it is
 * found or not. */
#ifndef CORE_INVARIANTS_MEASURE_DENSITY_H
#define CORE_INVARIANTS_MEASURE_DENSITY_H

#include "core/invariants/structure/distribution.h"

/* The motion as a vector field on the state space of the constraints: coordinates q and the
 * velocities u of the base coordinates,
 *
 *     xdot = u,   ydot = C(q, u, t),   udot = G^-1 N^T (F - l - M c),   G = N^T M N
 *
 * with N the columns d(xdot, ydot)/du and c the acceleration at constant u; and its divergence
 * with respect to dq du. Holonomic constraints keep their surfaces: there the volume is dq over
 * df. */

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

typedef struct Density {
    const ReducedField *field;
    size_t n_generators; /* X_1 .. X_m, X_0 */
    Expr *theta;         /* n_generators; the constant 0 if it vanishes at all states */
    bool affine;         /* the divergence is affine in the velocities */
    bool autonomous;     /* neither the fields nor theta depend on time: N(q) is sought */
    Verdict exists;      /* whether there is one; `largest`: the residual of a formula */
    bool found;          /* a formula */
    Expr qv, qp;         /* N for dq du and for dq dp, up to constant factors; qp may be NONE */
} Density;

/* Affine constraints. Lives in the scratch memory of the context. */
Status density_init(Density *density, const ReducedField *field, Error *err) MUST_CHECK;

/* Whether there is one: fills `exists`. */
Status density_decide(Density *density, Error *err) MUST_CHECK;

/* Looks for a formula: powers of det G and of entries of G times the exponential of a polynomial or
 * trigonometric polynomial. Fills `found`, `qv`, `qp`; a density that is found exists. */
Status density_search(Density *density, Error *err) MUST_CHECK;

/* An answer of whether there is one, with its evidence. */
void density_take(Density *density, const Verdict *verdict);

/* Inside: X_k of a function of q and t for every generator. */
void density_slopes(const Density *density, Expr function, Expr *ret);

#endif
