/* Derivatives of one operation. Private to core/expr. */
#ifndef CORE_EXPR_DIFF_H
#define CORE_EXPR_DIFF_H

#include "core/expr/graph/reach.h"

/* The derivative of the function `e` (of EXPR_FUNCTION_LIST, but not min and max) by its k-th
 * operand. */
Expr diff_partial(ExprPool *pool, Expr e, size_t k);

/* For min, max and if: the condition under which operand *ret_first is the value; else
 * *ret_second is. */
Expr diff_branch(ExprPool *pool, Expr e, size_t *ret_first, size_t *ret_second);

/* Forward mode along one direction, over a growing part of a pool. {.pool = pool} is an empty one.
 * Whoever extends it sets the derivatives of the symbols before those of their users. */
typedef struct Forward {
    ExprPool *pool;
    Reach reach;
    Expr
        *d; /* by slot: the derivative, EXPR_NONE so far; of an EXPR_SOLVE the place in `vectors` */
    size_t capacity;
    Expr *vectors;
    size_t n_vectors, vectors_capacity;
    Expr zero;
} Forward;

/* Takes in what is under the roots; false, and the pool failed, when memory is out. */
bool forward_extend(Forward *forward, const Expr *roots, size_t n_roots);
/* The derivative of a node whose operands have theirs; zero of a constant and of a symbol. */
Expr forward_derivative(Forward *forward, Expr e);
void forward_done(Forward *forward);

/* Order n of the system behind an EXPR_SOLVE. */
static inline size_t diff_solve_order(const ExprPool *pool, Expr solve)
{
    return pool_node(pool, solve)->n - 1;
}

#endif
