/* Systems with a symmetric matrix: L D L^T unrolled into the graph if the matrix is positive
 * definite, otherwise a factorization with pivots at run time.
 *
 * A positive definite matrix needs no pivots; its order of elimination is chosen for sparsity. */
#ifndef CORE_MOTION_ALGEBRA_SYMMETRIC_H
#define CORE_MOTION_ALGEBRA_SYMMETRIC_H

#include "core/base/arena.h"
#include "core/expr/graph/expr.h"

typedef struct Symmetric {
    ExprPool *pool;
    size_t n;
    /* Private. */
    bool pivoted;
    Expr factor;   /* pivoted: at run time; else: */
    size_t *order; /* n: the row eliminated k-th */
    Expr *l;       /* n x n, unit lower triangle below the diagonal, in the permuted order */
    Expr *d;       /* n: reciprocals of the pivots, in the permuted order */
    Expr *ratio;   /* n: pivot / its diagonal entry before elimination */
    Expr *y;       /* n: work */
} Symmetric;

/* Lives in the arena. If the arena is full, the system has no rows. */
void symmetric_init(Symmetric *s, ExprPool *pool, size_t n, const Expr *matrix, bool pivoted,
                    Arena *arena);
/* x = matrix^-1 b; x may be b. */
void symmetric_solve(const Symmetric *s, const Expr *b, Expr *ret_x);
/* Appends to a list of *n quantities that are 0 or less if the matrix is singular: n pivots
 * relative to their diagonal entries before the elimination, or the reciprocal condition. */
void symmetric_regularity(const Symmetric *s, Expr *list, size_t *n);

#endif
