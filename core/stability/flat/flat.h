/* Inside core/stability/: the potential energy V at an equilibrium at known numbers, without
 * constraints, and the directions in which its second derivatives vanish. */
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

#endif
