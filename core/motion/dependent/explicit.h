/* Linear and affine constraints solved for the dependent velocities,
 *
 *     ydot^nu = a_nu,i xdot^i + a_nu,      a functions of (x, y, t),
 *
 * with x the base coordinates and y the dependent ones: the horizontal lift of Voronec and
 * Chaplygin. Holonomic constraints take part in their velocity form. */
#ifndef CORE_MOTION_DEPENDENT_EXPLICIT_H
#define CORE_MOTION_DEPENDENT_EXPLICIT_H

#include "core/motion/formulation.h"

typedef struct Explicit {
    const Model *model;
    ExprPool *pool;
    size_t n, m, r;
    size_t *base;      /* m coordinates, ascending */
    size_t *dependent; /* r coordinates, ascending: nu counts them */
    Expr *a;           /* r x m: a_nu,i */
    Expr *a0;          /* r: a_nu */
    Expr *ydot;        /* r: a_nu,i xdot^i + a_nu, of q, the base velocities and t */
    Expr *square;      /* r x r: the columns of the dependent velocities, row by constraint */
    /* Transversality of the constraints to the base, in (0, 1]: the determinant of `square` over
     * that of all columns. Only the part without numeric coefficients counts; EXPR_NONE if nothing
     * can degenerate. */
    Expr determined;
    Expr orientation; /* changes its sign where `determined` vanishes; EXPR_NONE: none known */
    /* The same, or for a large rest the reciprocal condition of its matrix. Rows and columns are
     * scaled, so a velocity that only one row determines never looks badly determined. */
    Expr regularity;
    Expr *xdot;        /* m: the base velocities */
    Expr *row, *rates; /* n + 1, n: work */
} Explicit;

/* ERR_NOT_FOUND if a constraint in use is not linear or affine in the velocities. Only
 * options->rows and options->dependent are read. Lives in the arena. */
Status explicit_init(Explicit *e, ExprPool *pool, const Model *model, const MotionOptions *options,
                     Arena *arena, Error *err) MUST_CHECK;

/* Sum of d e/d x^i xrate^i + d e/d y^nu yrate^nu, plus d e/dt if with_time, for e(q, t). */
void explicit_along(const Explicit *e, const Expr *roots, size_t n_roots, const Expr *xrate,
                    const Expr *yrate, bool with_time, Expr *ret);

/* The curvature contracted with the motion, ret[nu * m + i] = A^nu_ij xdot^j + A^nu_i, with A^nu_ij
 * = D_j a_nu,i - D_i a_nu,j, A^nu_i = D_t a_nu,i - D_i a_nu and D_i = d/dx^i + a_mu,i d/dy^mu, D_t
 * = d/dt + a_mu d/dy^mu. */
void explicit_curvature(const Explicit *e, Expr *ret, Arena *arena);

/* The multipliers of the rows in use from the forces on the dependent coordinates,
 * force[nu] = sum over the rows of A[row][dependent[nu]] lambda[row]. */
void explicit_multipliers(const Explicit *e, const Expr *force, Expr *ret_lambda, Arena *arena);

#endif
