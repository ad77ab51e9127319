/* c |w| + c w is 2 c w on one side of w = 0 and nothing on the other. As a sum its terms cancel there but for rounding, which no root
 * or power can be taken of, and an interval of it does not know that they do: max(0, w) is what it is meant to be. */
#include <stddef.h>

#include "core/expr/build.h"
#include "core/expr/calculus.h"
#include "core/expr/rewrite.h"

/* c max(0, w) for c/2 (|w| + w), EXPR_NONE where the sum is something else. */
static Expr one_side_of(ExprPool *pool, Expr e)
{
    const size_t n = pool_op(pool, e) == EXPR_SUM ? pool_node(pool, e)->n : 0;

    for (uint32_t k = 0; k < n && pool->status == OK; k++) {
        const Expr size = pool_arg(pool, e, k);
        const double times = pool_coef(pool, e, k);
        if (pool_op(pool, size) != EXPR_ABS)
            continue;
        const Expr w = pool_arg(pool, size, 0), u = expr_scale(pool, times, w);
        const Expr rest = expr_sub(pool, e, expr_scale(pool, times, size));
        const bool same = expr_same(rest, u);
        if (!same && !expr_same(rest, expr_neg(pool, u)))
            continue;
        const Expr sides[2] = {expr_const(pool, 0), same ? w : expr_neg(pool, w)};
        return expr_scale(pool, 2 * times, expr_call(pool, EXPR_MAX, sides, 2));
    }
    return EXPR_NONE;
}

static bool has_sizes(const Reach *reach, const ExprPool *pool)
{
    for (uint32_t i = 0; i < reach->n; i++)
        if (pool_op(pool, reach->order[i]) == EXPR_ABS)
            return true;
    return false;
}

Expr expr_fold_sides(ExprPool *pool, Expr e)
{
    Rewrite rewrite;

    if (expr_is_none(e))
        return EXPR_NONE;
    bool ok = rewrite_init(&rewrite, pool, &e, 1);
    if (ok && !has_sizes(&rewrite.reach, pool)) {
        rewrite_done(&rewrite);
        return e;
    }
    for (uint32_t i = 0; i < rewrite.reach.n && ok; i++) {
        const Expr node = rewrite_node(&rewrite, rewrite.reach.order[i]);
        const Expr side = expr_is_none(node) ? EXPR_NONE : one_side_of(pool, node);
        rewrite.to[i] = expr_is_none(side) ? node : side;
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, &e, 1, &e);
    return e;
}
