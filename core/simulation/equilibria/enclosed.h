/* Inside core/simulation/: an equilibrium as a point that exact tests enclose in balls, with its
 * linearisation and energy as expressions there. */
#ifndef CORE_SIMULATION_EQUILIBRIA_ENCLOSED_H
#define CORE_SIMULATION_EQUILIBRIA_ENCLOSED_H

#include "core/exact/exact.h"
#include "core/simulation/equilibria/family.h"

typedef struct Enclosed {
    const Equilibrium *x;
    ExprPool *pool;
    Expr *c;            /* s: symbols of the coefficients */
    Expr *u;            /* 2 n: u and w, of q and c */
    ExactProblem place; /* without terms */
    Expr *known;        /* of place: with room for all */
    double *values;
    ExactStage stages[3];
    double *symbols; /* where it is, by symbol */
    size_t n_symbols;
    bool regular;  /* the equations are as many as the unknowns less the family's dimension */
    bool at_known; /* it is where q and c have known values */
    Arena memory;  /* owns the arrays */
} Enclosed;

/* `set` describes a family that it is proved to belong to. NULL: none is known, and it solves the
 * conditions that are no identities,
 *     M w + l - F = A^T lambda,   f = 0,   phi = 0   at v = u(q, c), w = u_q v;
 * where these are regular and have full rank it is isolated, or one of a family by the theorem of
 * implicit functions. Call enclosed_done() in any case. ERR_LIMIT where the expressions get too long. */
Status enclosed_init(Enclosed *enclosed, const Equilibrium *x, const size_t *fields,
                     const FamilySet *set, Error *err) MUST_CHECK;
void enclosed_done(Enclosed *enclosed); /* {0} is fine */

/* Whether the conditions' derivatives by q, c and the multipliers are proved to have at least the rank that its family
 * leaves them: then no larger family goes through it. */
Status enclosed_has_rank(Enclosed *enclosed, bool *ret, Error *err) MUST_CHECK;

/* The eigenvalues of J - D X on the tangent space by the side of the line on which they are; so many of
 * them are known to be zero. */
Status enclosed_roots(Enclosed *enclosed, double line, size_t zeros, ExactRoots *ret,
                      Error *err) MUST_CHECK;

/* G = M vdot + l - F - A^T lambda on the motion, [n]: functions of q, c and the multipliers. */
void enclosed_balance(const Enclosed *enclosed, Expr *ret);

/* The roots at v = u(q, c), vdot = w. */
void enclosed_on_motion(const Enclosed *enclosed, Expr *roots, size_t n_roots);

/* Whether form[m][m] is positive definite where rows[n_rows][m] vanish, functions of q, v, c and the
 * multipliers. */
Status enclosed_positive(Enclosed *enclosed, const Expr *form, size_t m, const Expr *rows,
                         size_t n_rows, bool *ret, Error *err) MUST_CHECK;

/* At rest: the second derivatives of the energy along the constraints, and the masses, are. */
Status enclosed_minimum(Enclosed *enclosed, bool *ret, Error *err) MUST_CHECK;

/* *ret_guard: of local_jumps(), one that is not proved to be other than zero there; EXPR_NONE: there is
 * none. */
Status enclosed_jump(Enclosed *enclosed, Expr *ret_guard, Error *err) MUST_CHECK;

#endif
