/* Derivatives of one operation. Private to core/expr. */
#ifndef CORE_EXPR_DIFF_H
#define CORE_EXPR_DIFF_H

#include "core/expr/pool.h"

/* The derivative of the function `e` (of EXPR_FUNCTION_LIST, but not min and max) by its k-th
 * operand. */
Expr diff_partial(ExprPool *pool, Expr e, size_t k);

/* For min, max and if: the condition under which operand *ret_first is the value; else
 * *ret_second is. */
Expr diff_branch(ExprPool *pool, Expr e, size_t *ret_first, size_t *ret_second);

/* Order n of the system behind an EXPR_SOLVE. */
static inline size_t diff_solve_order(const ExprPool *pool, Expr solve)
{
    return pool_node(pool, solve)->n - 1;
}

#endif
