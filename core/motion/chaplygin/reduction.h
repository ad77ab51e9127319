/* Chaplygin's reduction: the equations of motion on the base of a fibration.
 *
 * x are the coordinates of the base, y those of the fiber. The constraints give ydot = a xdot + a0,
 * the affine horizontal lift (core/motion/dependent/explicit.h). With
 *
 *     L_red = L on the constraints,  F_red,i = F_i + a_nu,i F_nu,
 *     JK_i  = -K_nu (A^nu_ij xdot^j + A^nu_i),  K_nu = L_{ydot^nu} on the constraints,
 *
 * the reduced equations are (S. A. Chaplygin 1897; time-dependent and affine: B. Jovanovic)
 *
 *     D/Dt L_red,xdot - L_red,x = F_red - JK.
 *
 * They close on the base if nothing in them depends on y: derivatives by y occur in the curvature A
 * alone. The y that remain in the expressions may be evaluated at any point of a fiber. */
#ifndef CORE_MOTION_CHAPLYGIN_REDUCTION_H
#define CORE_MOTION_CHAPLYGIN_REDUCTION_H

#include "core/motion/algebra/symmetric.h"
#include "core/motion/dependent/explicit.h"

typedef struct Reduction {
    const Model *model;
    ExprPool *pool;
    Arena *arena;
    Explicit lift;
    size_t m, r;
    Expr *x, *xdot; /* m: symbols */
    Expr *y, *ydot; /* r: symbols */
    Expr L;         /* L_red */
    Expr *K;        /* r: K_nu */
    Expr *C;        /* r x m: A^nu_ij xdot^j + A^nu_i */
    Expr *F;        /* m: F_red */
    Expr *JK;       /* m */
    Expr *Pi;       /* m: F_red - JK */
    Expr *G;        /* m x m: L_red by xdot twice, symmetric */
    Expr *l;        /* m: so that G xddot + l = Pi */
} Reduction;

/* With `expand`, L_red is multiplied out if that is shorter. ERR_NOT_FOUND if a constraint in use
 * is not affine. Lives in the arena, which serves all functions below. */
Status reduction_init(Reduction *reduction, ExprPool *pool, const Model *model,
                      const MotionOptions *options, bool expand, Arena *arena,
                      Error *err) MUST_CHECK;

/* The roots on the constraints: dependent velocities replaced by the lift. ret may be roots. */
void reduction_lift(const Reduction *reduction, const Expr *roots, size_t n, Expr *ret);

/* Solutions of G z = b. */
void reduction_solver(const Reduction *reduction, bool pivoted, Symmetric *ret);

/* Chaplygin's multiplier N makes the reduced system Lagrangian in the time tau, dtau = N dt, with
 * L* = N^2 G(x', x')/2 - V. With p = G xdot, Pi may have, besides forces with a potential, one of
 * the parts
 *
 *     -n0 p_i                        N = N(t),  d ln N/dt = n0  (Jovanovic, Lemma 6.1)
 *     n_i (p.xdot) - (n.xdot) p_i    N = N(x), autonomous, d ln N = n_i dx^i  (Chaplygin)
 *
 * In both cases d ln N/dt is a multiple of -tr(G^-1 dPi/dxdot). */
typedef enum Multiplier {
    MULTIPLIER_NONE,
    MULTIPLIER_ONE,  /* the reduced system is Lagrangian as it is: N = 1 */
    MULTIPLIER_TIME, /* N = N(t) */
    MULTIPLIER_BASE, /* N = N(x) */
} Multiplier;

/* -tr(G^-1 dPi/dxdot); EXPR_NONE if out of memory. */
Expr reduction_contraction(const Reduction *reduction, const Symmetric *solver);
/* d ln N/dt from the contraction. */
Expr reduction_multiplier_rate(const Reduction *reduction, Multiplier multiplier, Expr contraction);

#endif
