/* Inside core/stability/: the potential energy V at an equilibrium at known numbers, without
 * constraints, the directions in which its second derivatives vanish, and its sign along these. */
#ifndef CORE_STABILITY_FLAT_FLAT_H
#define CORE_STABILITY_FLAT_FLAT_H

#include "core/stability/find/enclosed.h"

enum { FLAT_MOST_COORDINATES = 32, FLAT_MOST_ORDER = 8 };

typedef struct Flat {
    Enclosed *e;
    const Model *model;
    size_t n, m; /* m: directions in which the second derivatives vanish */
    ExprPool *pool;
    Expr *known;   /* of e, by numbers */
    Expr V;        /* of q and the parameters, at rest */
    Expr *V_qq;    /* n x n */
    double *basis; /* [m][n], of simple numbers */
    size_t *pivot; /* m: coordinates that are 1 in one direction each, and 0 in the others */
    Arena scratch; /* owns the arrays */
} Flat;

/* arena_done(&flat->scratch) in any case. */
Status flat_init(Flat *flat, Enclosed *e, Error *err) MUST_CHECK;

/* Sets m, basis and pivot; m = 0 if some second derivative is not known. */
Status flat_find_basis(Flat *flat, Error *err) MUST_CHECK;

/* With numbers in place of the parameters and coordinates. */
Expr flat_at_place(const Flat *flat, Expr e);

/* The value at the place, 0 if e vanishes. *ret_known is false if neither is proved. */
Status flat_number(const Flat *flat, Expr e, double *ret, bool *ret_known, Error *err) MUST_CHECK;

/* The lowest order above 2 at which derivatives of V are not proved to vanish in all directions,
 * or FLAT_MOST_ORDER + 1 if there is none. */
Status flat_lowest_order(Flat *flat, size_t *ret_order, Error *err) MUST_CHECK;

/* Whether the expression is analytic there. */
Status flat_is_analytic(Flat *flat, Expr e, bool *ret, Error *err) MUST_CHECK;

/* Whether L is analytic there and T a positive form in v: nothing gyroscopic. */
Status flat_is_natural(Flat *flat, bool *ret, Error *err) MUST_CHECK;

enum { REAL_ROOTS_MOST = 12 }; /* coefficients, and so roots */

typedef struct RealRoots {
    size_t n;
    Expr root[REAL_ROOTS_MOST];
    unsigned multiplicity[REAL_ROOTS_MOST];
    /* EXACT_POSITIVE: positive at all other places, and these are all roots; EXACT_NEGATIVE:
     * somewhere negative; EXACT_NO_SIGN: it vanishes, or has other roots */
    ExactSign sign;
} RealRoots;

/* Those of the sum of coefs[k] u^k, k < n <= REAL_ROOTS_MOST, numbers of flat's pool. Roots are
 * searched among fractions and their square roots; each is proved by the exact tests. */
Status real_roots(const Flat *flat, const Expr *coefs, size_t n, RealRoots *ret,
                  Error *err) MUST_CHECK;

/* The order up to which the function is known. */
enum { POLYGON_ORDER = FLAT_MOST_ORDER + 1, POLYGON_SIZE = POLYGON_ORDER + 1 };

/* The sign near 0 of the sum of coefs[i][j] x^i y^j, i + j <= POLYGON_ORDER, with any terms of
 * higher order, on one side (+-1) of a line through 0. The line is the same for all functions
 * with lowest forms that vanish along the same lines. EXACT_POSITIVE: at all (x, y) near 0
 * except 0, and on the line, too. EXACT_NEGATIVE: somewhere arbitrarily near 0. */
Status polygon_sign(const Flat *flat, const Expr *coefs, int side, ExactSign *ret,
                    Error *err) MUST_CHECK;

#endif
