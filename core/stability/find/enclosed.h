/* Inside core/stability/: an equilibrium as a point that exact tests enclose in balls, with its
 * linearisation and energy as expressions there. */
#ifndef CORE_STABILITY_FIND_ENCLOSED_H
#define CORE_STABILITY_FIND_ENCLOSED_H

#include "core/exact/exact.h"
#include "core/stability/find/family.h"

typedef struct Enclosed {
    const Equilibrium *x;
    ExprPool *pool;
    Expr *c;            /* s: symbols of the coefficients */
    Expr *u;            /* 2 n: u and w, of q and c */
    ExactProblem place; /* without terms */
    KnownSymbols known; /* of place, with space for all */
    ExactStage stages[3];
    double *symbols; /* the place's values, by symbol */
    bool regular;    /* the equations are as many as the unknowns less the family's dimension */
    bool at_known;   /* q and c have known values */
    Arena memory;    /* owns the arrays */
} Enclosed;

/* `set` describes a family to which the equilibrium is proved to belong. If it is NULL, the
 * equilibrium solves the conditions that are not identities:
 * M w + l - F = A^T lambda,   f = 0,   phi = 0   at v = u(q, c), w = u_q v.
 * If these are regular and have full rank, it is isolated or one of a family by the implicit
 * function theorem. ERR_LIMIT if the expressions become too long. */
Status enclosed_init(Enclosed *enclosed, const Equilibrium *x, const size_t *fields,
                     const FamilySet *set, Error *err) MUST_CHECK;
void enclosed_done(Enclosed *enclosed); /* in any case; {0} is fine */

/* Whether the derivatives of the conditions by q, c and the multipliers are proved to have at
 * least the rank that leaves the family's dimension, so that no larger family contains it. */
Status enclosed_has_rank(Enclosed *enclosed, bool *ret, Error *err) MUST_CHECK;

/* Counts the eigenvalues of J - D X on the tangent space on each side of the line, without `zeros`
 * that are known to be zero. */
Status enclosed_roots(Enclosed *enclosed, double line, size_t zeros, ExactRoots *ret,
                      Error *err) MUST_CHECK;

/* G = M vdot + l - F - A^T lambda on the motion, [n]: functions of q, c and the multipliers. */
void enclosed_balance(const Enclosed *enclosed, Expr *ret);

/* The roots at v = u(q, c), vdot = w. */
void enclosed_on_motion(const Enclosed *enclosed, Expr *roots, size_t n_roots);

/* Whether form[m][m] is positive definite on the null space of rows[n_rows][m]. Both are
 * functions of q, v, c and the multipliers. */
Status enclosed_positive(Enclosed *enclosed, const Expr *form, size_t m, const Expr *rows,
                         size_t n_rows, bool *ret, Error *err) MUST_CHECK;

/* Whether p = M(q) v: there are no gyroscopic terms and T is a form in v. */
bool enclosed_is_natural(const Enclosed *enclosed);

/* At rest: whether the second derivatives of the energy along the constraints and the masses are
 * positive definite; those of the energy with the coordinate `held` fixed (n: none). */
Status enclosed_minimum(Enclosed *enclosed, size_t held, bool *ret, Error *err) MUST_CHECK;

/* *ret_guard: one of local_jumps() that is not proved to be nonzero there, or EXPR_NONE. */
Status enclosed_jump(Enclosed *enclosed, Expr *ret_guard, Error *err) MUST_CHECK;

#endif
