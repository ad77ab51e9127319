/* The Voronec equations of a model, for the formulation and for printing. Private to core/motion.
 *
 *     G_ij udot^j = Q_i + C^a_i Q_a + D_i Lc - d_V Lc_i + K_a R^a_i
 *
 * for the velocities u of the base coordinates, with Lc(q, u, t) = L(q, u, C, t), K_a = L_{v^a} at
 * v = C, Q the generalized forces, and R^a_i = A^a_ij u^j + A^a_i for affine constraints (P. V.
 * Voronec, 1901), d_V C^a_i - D_i C^a in general (M. Popescu, C. Ida, equations (4.42)-(4.46) with
 * their signs corrected; docs/explanation/formulations/voronec.md). */
#ifndef CORE_MOTION_VORONEC_VORONEC_H
#define CORE_MOTION_VORONEC_VORONEC_H

#include "core/motion/dependent/curvature.h"
#include "core/motion/formulation.h"

typedef struct Voronec {
    const Model *model;
    ExprPool *pool;
    Arena arena;
    Dependent d;
    Curvature curvature; /* affine constraints only */
    Expr Lc;
    Expr *K;    /* r */
    Expr *Lc_i; /* m */
    Expr *d_V;  /* m: d_V Lc_i */
    Expr *D;    /* m: D_i Lc */
    Expr *R;    /* r x m */
    Expr *G;    /* m x m: -h */
} Voronec;

/* expand: multiplies Lc out first. Call voronec_done() in any case. */
Status voronec_init(Voronec *voronec, ExprPool *pool, const Model *model,
                    const MotionOptions *options, bool expand, Error *err) MUST_CHECK;
void voronec_done(Voronec *voronec);

/* x_i + C^a_i x_a of a covector x[n], for the i-th base coordinate. */
Expr voronec_pull_back(const Voronec *voronec, const Expr *x, size_t i);

/* For Formulation. */
Status voronec_present(const Model *model, const MotionOptions *options, Presentation *presentation,
                       Error *err);

#endif
