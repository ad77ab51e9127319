/* L D L^T of a symmetric positive definite matrix, unrolled into the graph.
 *
 * No pivoting for size is needed for such a matrix; the order of elimination is chosen for
 * sparsity. */
#ifndef CORE_MOTION_ALGEBRA_LDL_H
#define CORE_MOTION_ALGEBRA_LDL_H

#include "core/expr/expr.h"

typedef struct Ldl {
    size_t n;
    size_t *order; /* n: the row eliminated k-th */
    Expr *l;       /* n x n, unit lower triangle below the diagonal, in the permuted order */
    Expr *d;       /* n: reciprocals of the pivots, in the permuted order */
    Expr *ratio;   /* n: pivot / its diagonal entry before elimination */
} Ldl;

Ldl *ldl_new(ExprPool *pool, size_t n, const Expr *matrix); /* NULL when out of memory */
void ldl_free(Ldl *ldl);                                    /* NULL is fine */
/* x = matrix^-1 b; x may be b. False when out of memory. */
bool ldl_solve(ExprPool *pool, const Ldl *ldl, const Expr *b, Expr *ret_x);

#endif
