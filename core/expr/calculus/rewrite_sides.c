/* Expressions that stand for max(0, w).
 *
 * c |w| + c w is 2 c w on one side of w = 0 and zero on the other. There the terms of the sum
 * cancel only up to rounding, so roots and powers of it may be undefined. Interval arithmetic does
 * not see the cancellation.
 *
 * if(w > 0, w^1.5, 0) has the derivative 1.5*sqrt(w) times 1 or 0, which is NaN for negative w. So
 * if a root or power is taken of a multiple of w in that branch, all multiples of w there become
 * multiples of max(0, w), which equals w there. */
#include <stddef.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"

static Expr positive_part(ExprPool *pool, Expr w)
{
    return expr_call(pool, EXPR_MAX, (const Expr[]){expr_const(pool, 0), w}, 2);
}

/* c max(0, w) for c/2 (|w| + w); EXPR_NONE for other sums. */
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
        return expr_scale(pool, 2 * times, positive_part(pool, same ? w : expr_neg(pool, w)));
    }
    return EXPR_NONE;
}

/* Whether e is a multiple of g, term by term. */
static bool is_multiple(ExprPool *pool, Expr e, Expr g, double *ret_factor)
{
    const bool sum = pool_op(pool, g) == EXPR_SUM, other = pool_op(pool, e) == EXPR_SUM;
    const uint32_t n = sum ? pool_node(pool, g)->n : 1;
    double factor = 0;

    if (n == 0 || n != (other ? pool_node(pool, e)->n : 1))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const Expr a = other ? pool_arg(pool, e, k) : e, b = sum ? pool_arg(pool, g, k) : g;
        const double x = other ? pool_coef(pool, e, k) : 1, y = sum ? pool_coef(pool, g, k) : 1;
        factor = k == 0 ? x / y : factor;
        if (!expr_same(a, b) || x != factor * y)
            return false;
    }
    *ret_factor = factor;
    return (other ? pool_node(pool, e)->value : 0) ==
           factor * (sum ? pool_node(pool, g)->value : 0);
}

/* Whether a root or power is taken of a positive multiple of w. */
static bool takes_root(const Reach *reach, ExprPool *pool, Expr w)
{
    double factor = 0;

    for (uint32_t i = 0; i < reach->n; i++) {
        const ExprOp op = pool_op(pool, reach->order[i]);
        if ((op == EXPR_SQRT || op == EXPR_POW) &&
            is_multiple(pool, pool_arg(pool, reach->order[i], 0), w, &factor) && factor > 0)
            return true;
    }
    return false;
}

/* A branch that is taken only for w >= 0. */
static Expr bounded_branch(ExprPool *pool, Expr branch, Expr w)
{
    Rewrite rewrite;
    double factor = 0;
    bool ok = rewrite_init(&rewrite, pool, &branch, 1);

    if (ok && !takes_root(&rewrite.reach, pool, w)) {
        rewrite_done(&rewrite);
        return branch;
    }
    /* replace multiples of w by multiples of max(0, w) */
    const Expr bounded = ok ? positive_part(pool, w) : EXPR_NONE;
    for (uint32_t i = 0; i < rewrite.reach.n && ok; i++) {
        const Expr node = rewrite.reach.order[i];
        const bool is_const = pool_op(pool, node) == EXPR_CONST;
        rewrite.to[i] = !is_const && is_multiple(pool, node, w, &factor)
                            ? expr_scale(pool, factor, bounded)
                            : rewrite_node(&rewrite, node);
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, &branch, 1, &branch);
    return branch;
}

/* if(a < b, e, f): e is taken for b - a >= 0, f for a - b >= 0. */
static Expr bounded_choice(ExprPool *pool, Expr e, bool under_root)
{
    const Expr condition = pool_arg(pool, e, 0), yes = pool_arg(pool, e, 1);
    const Expr no = pool_arg(pool, e, 2);
    const ExprOp op = pool_op(pool, condition);
    double factor = 0;

    if (op != EXPR_LT && op != EXPR_LE)
        return EXPR_NONE;
    const Expr g = expr_sub(pool, pool_arg(pool, condition, 0), pool_arg(pool, condition, 1));
    if (expr_is_none(g) || pool_op(pool, g) == EXPR_CONST)
        return EXPR_NONE;
    const Expr w = expr_neg(pool, g), zero = expr_const(pool, 0);
    /* if(w > 0, c w, 0) under a root; elsewhere the if marks a jump of the slope, which max()
     * hides */
    if (under_root && expr_same(no, zero) && is_multiple(pool, yes, w, &factor))
        return expr_scale(pool, factor, positive_part(pool, w));
    if (under_root && expr_same(yes, zero) && is_multiple(pool, no, g, &factor))
        return expr_scale(pool, factor, positive_part(pool, g));
    const Expr branches[3] = {condition, bounded_branch(pool, yes, w), bounded_branch(pool, no, g)};
    if (expr_same(branches[1], yes) && expr_same(branches[2], no))
        return EXPR_NONE;
    return expr_call(pool, EXPR_IF, branches, 3);
}

/* Whether a root or power is taken of e itself. */
static bool is_under_root(const Reach *reach, const ExprPool *pool, Expr e)
{
    for (uint32_t i = 0; i < reach->n; i++) {
        const ExprOp op = pool_op(pool, reach->order[i]);
        if ((op == EXPR_SQRT || op == EXPR_POW) && expr_same(pool_arg(pool, reach->order[i], 0), e))
            return true;
    }
    return false;
}

static bool has_sides(const Reach *reach, const ExprPool *pool)
{
    for (uint32_t i = 0; i < reach->n; i++)
        if (pool_op(pool, reach->order[i]) == EXPR_ABS || pool_op(pool, reach->order[i]) == EXPR_IF)
            return true;
    return false;
}

Expr expr_fold_sides(ExprPool *pool, Expr e)
{
    Rewrite rewrite;

    if (expr_is_none(e))
        return EXPR_NONE;
    bool ok = rewrite_init(&rewrite, pool, &e, 1);
    if (ok && !has_sides(&rewrite.reach, pool)) {
        rewrite_done(&rewrite);
        return e;
    }
    for (uint32_t i = 0; i < rewrite.reach.n && ok; i++) {
        const Expr node = rewrite_node(&rewrite, rewrite.reach.order[i]);
        Expr side = expr_is_none(node) ? EXPR_NONE : one_side_of(pool, node);
        /* the original node has its users in reach, the rewritten one has not */
        if (!expr_is_none(node) && pool_op(pool, node) == EXPR_IF)
            side = bounded_choice(pool, node,
                                  is_under_root(&rewrite.reach, pool, rewrite.reach.order[i]));
        rewrite.to[i] = expr_is_none(side) ? node : side;
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, &e, 1, &e);
    return e;
}
