/* Derivatives of one operation. Private to core/expr. */
#ifndef CORE_EXPR_DIFF_H
#define CORE_EXPR_DIFF_H

#include "core/expr/graph/reach.h"

/* The derivative of a function of EXPR_FUNCTION_LIST except min and max by its k-th operand. */
Expr diff_partial(ExprPool *pool, Expr e, size_t k);

/* The same without constant factors, for a function of one operand. */
Expr diff_slope(ExprPool *pool, Expr e);

/* The condition under which min, max or if is operand *ret_first, not operand *ret_second. */
Expr diff_branch(ExprPool *pool, Expr e, size_t *ret_first, size_t *ret_second);
/* The choice between the images of these two operands, by slot of the reach. */
Expr diff_choice(ExprPool *pool, Expr e, const Reach *reach, const Expr *images);

/* Forward mode along one direction, over a growing part of a pool. {.pool = pool} is an empty one.
 * After an extension the caller sets the derivatives of symbols before those of their users. */
typedef struct Forward {
    ExprPool *pool;
    Reach reach;
    Expr *d; /* by slot: the derivative, or EXPR_NONE; of an EXPR_SOLVE the place in `vectors` */
    size_t capacity;
    Expr *vectors;
    size_t n_vectors, vectors_capacity;
    Expr zero;
} Forward;

/* Adds the nodes below the roots. If memory is out: false, and the pool fails. */
bool forward_extend(Forward *forward, const Expr *roots, size_t n_roots);
/* The derivative of a node whose operands have theirs; zero for a constant and for a symbol. */
Expr forward_derivative(Forward *forward, Expr e);
void forward_done(Forward *forward);

/* Order n of the system behind an EXPR_SOLVE. */
static inline size_t diff_solve_order(const ExprPool *pool, Expr solve)
{
    return pool_node(pool, solve)->n - 1;
}

#endif
