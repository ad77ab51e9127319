/* The builders of linear systems, which are solved at run time. */
#include "core/base/memory.h"
#include "core/expr/graph/build.h"

#include <stdlib.h>
#include <string.h>

static bool any_none(const Expr *e, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (expr_is_none(e[k]))
            return true;
    return false;
}

static Expr factor(ExprPool *pool, size_t n, size_t scaling, const Expr *matrix)
{
    if (pool->status != OK || any_none(matrix, n * n))
        return EXPR_NONE;
    return pool_intern(pool, &(Shape){.op = EXPR_FACTOR,
                                      .n = (uint32_t)(n * n),
                                      .args = matrix,
                                      .symbol = (uint32_t)scaling});
}

Expr expr_factor(ExprPool *pool, size_t n, const Expr *matrix)
{
    return factor(pool, n, 0, matrix);
}

Expr expr_factor_saddle(ExprPool *pool, size_t n, size_t r, const Expr *matrix)
{
    return factor(pool, n, 1 + r, matrix);
}

static bool all_zero(const ExprPool *pool, const Expr *e, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!expr_is_zero(pool, e[k]))
            return false;
    return true;
}

void expr_solve(ExprPool *pool, Expr factor, size_t n, const Expr *rhs, Expr *ret_x)
{
    Expr solution = EXPR_NONE;

    if (pool->status == OK && !expr_is_none(factor) && !any_none(rhs, n)) {
        /* a zero right side has the zero solution; ret_x may be rhs */
        if (all_zero(pool, rhs, n)) {
            memmove(ret_x, rhs, n * sizeof *rhs);
            return;
        }
        Expr *args = alloc_array(n + 1, sizeof *args);
        if (args) {
            args[0] = factor;
            memcpy(args + 1, rhs, n * sizeof *rhs);
            solution =
                pool_intern(pool, &(Shape){.op = EXPR_SOLVE, .n = (uint32_t)(n + 1), .args = args});
            free(args);
        } else {
            pool_fail(pool, ERR_NO_MEMORY, "out of memory");
        }
    }
    for (size_t k = 0; k < n; k++) {
        ret_x[k] = expr_is_none(solution) ? EXPR_NONE
                                          : pool_intern(pool, &(Shape){.op = EXPR_ELEMENT,
                                                                       .n = 1,
                                                                       .args = &solution,
                                                                       .symbol = (uint32_t)k});
    }
}

Expr expr_rcond(ExprPool *pool, Expr factor)
{
    if (expr_is_none(factor))
        return EXPR_NONE;
    return pool_intern(pool, &(Shape){.op = EXPR_RCOND, .n = 1, .args = &factor});
}
