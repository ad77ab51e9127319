/* Dependent velocities as functions of the base ones.
 *
 * The r constraints in use are solved for r velocities: ydot^a = C^a(q, u, t). Here u are the m
 * other velocities, those of the base coordinates x. Affine constraints give C^a = a_ai u^i + a_a.
 * Nonlinear constraints, too, give C in closed form if they can be solved for one unknown at a
 * time, linear in it. Otherwise C is defined implicitly by phi(q, u, C, t) = 0. Then every
 * expression keeps the symbols of the dependent velocities, which stand for C, and derivatives are
 * those of the implicit function.
 *
 * Derivatives are taken along the directions of the Voronec equations (P. V. Voronec, 1901):
 *
 *     d_V f = f_t + f_x u + f_y C          at fixed u: the motion without accelerations
 *     D_i f = f_{x^i} + C^a_i f_{y^a}      C^a_i = dC^a/du^i
 *     D_t f = f_t + a_a f_{y^a}            affine constraints only
 *     f_i   = df/du^i
 *
 * for a function f of q, t and u (and of an implicit C). */
#ifndef CORE_MOTION_DEPENDENT_DEPENDENT_H
#define CORE_MOTION_DEPENDENT_DEPENDENT_H

#include "core/motion/dependent/explicit.h"

typedef struct Dependent {
    const Model *model;
    ExprPool *pool;
    size_t n, r, m;
    bool affine;   /* all constraints are affine, so C^a_i = a_ai and a_a are free of velocities */
    bool implicit; /* C is not in closed form: C^a is the symbol of that velocity */
    size_t *rows;  /* r: constraints in the order of their solution */
    size_t *dep;   /* r: the coordinate whose velocity each is solved for */
    size_t *given; /* r: its index among the given constraints */
    size_t *base;  /* m coordinates, ascending */
    size_t *place; /* n: coordinate base[i] -> i, dep[k] -> k */
    bool *is_dep;  /* n */
    Expr *C;       /* r */
    Expr *C_i;     /* r x m */
    Expr *C_0;     /* r: a_a, affine constraints only */
    Expr *C_V;     /* r: d_V C */
    Expr *D_C;     /* r x m: D_i C^a */
    Expr *A, *phi; /* r x n, r: of these rows, with C for the dependent velocities */
    /* How well the constraints determine the dependent velocities, in (0, 1]; EXPR_NONE if this
     * cannot change. */
    Expr determined;
    Expr orientation; /* changes its sign where `determined` vanishes; EXPR_NONE: none known */
    Expr regularity;  /* of the equations for them, if that can change */
    /* Private. */
    Arena arena;     /* of all arrays */
    Explicit linear; /* affine constraints only */
    Expr factor, transposed_factor;
    Expr *symbols; /* 2 n + 1: q, t, v */
    Expr *rates;   /* 2 n + 1 */
    Expr *scratch; /* 2 r */
} Dependent;

/* Reads the rows and the dependent coordinates of the options. Builds in `pool`, a clone of the
 * model's that outlives the result. ERR_INVALID if an equation has no unknown. Call
 * dependent_done() in any case. */
Status dependent_init(Dependent *d, ExprPool *pool, const Model *model,
                      const MotionOptions *options, Error *err) MUST_CHECK;
void dependent_done(Dependent *d);

/* For Formulation.prefer: velocities with constant coefficients, so that the choice lasts. */
Status dependent_prefer_lasting(const Model *model, size_t n_rows, unsigned *ret_rank,
                                Error *err) MUST_CHECK;

/* How well the constraints determine the velocities of options->dependent at the question's state:
 * the smallest singular value of these columns of A in kinds_velocity_units(), its rows scaled to
 * the largest entry 1. */
Status dependent_quality(const MotionQuestion *question, double *ret_smallest,
                         Error *err) MUST_CHECK;

/* Substitutes C for the dependent velocities; no change if C is implicit. */
void dependent_substitute(const Dependent *d, const Expr *roots, size_t n, Expr *ret);

/* Derivatives of n functions; roots free of dependent velocities unless C is implicit. */
void dependent_d_V(const Dependent *d, const Expr *roots, size_t n, Expr *ret);
void dependent_D_i(const Dependent *d, size_t i, const Expr *roots, size_t n, Expr *ret);
void dependent_D_t(const Dependent *d, const Expr *roots, size_t n, Expr *ret);
void dependent_by_velocity(const Dependent *d, size_t i, const Expr *roots, size_t n, Expr *ret);

/* The multipliers, in the given order, whose reaction has the components force[k] on dep[k]. */
void dependent_multipliers(const Dependent *d, const Expr *force, Expr *ret_lambda, Arena *scratch);

#endif
