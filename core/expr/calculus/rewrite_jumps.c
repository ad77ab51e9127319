/* Jumps: the change of an expression at a zero of the guard of a condition or sign in it. */
#include <math.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"

enum { MOST_MULTIPLE = 1 << 20 };

/* if(x < 0, y, 1) of atan2(y, x), without positive factors of x and y. */
static Expr cut_guard(ExprPool *pool, Expr e, double *ret_side)
{
    double factor;
    const Expr y = sum_split_content(pool, pool_arg(pool, e, 0), ret_side);
    const Expr rest = sum_split_content(pool, pool_arg(pool, e, 1), &factor);
    const Expr x = factor < 0 ? expr_neg(pool, rest) : rest, zero = expr_const(pool, 0);

    if (expr_never_negative(pool, x) || expr_never_negative(pool, y) ||
        expr_never_negative(pool, expr_neg(pool, y)))
        return EXPR_NONE;
    const Expr left = expr_call(pool, EXPR_LT, (const Expr[]){x, zero}, 2);
    return expr_call(pool, EXPR_IF, (const Expr[]){left, y, expr_const(pool, 1)}, 3);
}

/* The guard of sign(), a comparison or atan2(), at its cut, divided by a factor, whose sign is
 * *ret_side; EXPR_NONE for other nodes. */
static Expr step_guard(ExprPool *pool, Expr e, double *ret_side)
{
    const ExprOp op = pool_op(pool, e);
    Expr guard;

    *ret_side = 1;
    if (op == EXPR_SIGN) {
        guard = pool_arg(pool, e, 0);
    } else if (op == EXPR_LT || op == EXPR_LE || op == EXPR_EQ) {
        guard = expr_sub(pool, pool_arg(pool, e, 0), pool_arg(pool, e, 1));
    } else if (op == EXPR_ATAN2) {
        return cut_guard(pool, e, ret_side);
    } else {
        return EXPR_NONE;
    }
    return sum_split_content(pool, guard, ret_side);
}

/* The sign of the integer by which one guard is a multiple of the other by its form; else 0. */
static double side_of(ExprPool *pool, Expr guard, Expr other)
{
    const double a = pool_op(pool, guard) == EXPR_SUM ? pool_coef(pool, guard, 0) : 1,
                 b = pool_op(pool, other) == EXPR_SUM ? pool_coef(pool, other, 0) : 1;
    const bool larger = fabs(a) > fabs(b);
    const double factor = larger ? a / b : b / a;

    if (expr_same(guard, other))
        return 1;
    if (factor != floor(factor) || fabs(factor) > MOST_MULTIPLE)
        return 0;
    const bool multiple =
        expr_same(expr_scale(pool, factor, larger ? other : guard), larger ? guard : other);
    return !multiple ? 0 : factor > 0 ? 1 : -1;
}

bool expr_same_guard(ExprPool *pool, Expr a, Expr b)
{
    return side_of(pool, a, b) != 0;
}

static bool listed(ExprPool *pool, const Expr *list, size_t n, Expr guard)
{
    for (size_t i = 0; i < n; i++)
        if (expr_same_guard(pool, list[i], guard))
            return true;
    return false;
}

Status expr_steps(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret_guards, size_t room,
                  size_t *ret_n, Error *err)
{
    Reach reach;
    Status status = reach_init(pool, roots, n_roots, &reach, err);

    *ret_n = 0;
    if (status != OK)
        return status;
    /* each guard once */
    for (uint32_t i = 0; i < reach.n; i++) {
        double side;
        const Expr guard = step_guard(pool, reach.order[i], &side);
        if (expr_is_none(guard) || listed(pool, ret_guards, *ret_n < room ? *ret_n : room, guard))
            continue;
        if (*ret_n < room)
            ret_guards[*ret_n] = guard;
        (*ret_n)++;
    }
    reach_done(&reach);
    return expr_pool_status(pool, err);
}

Status expr_is_cut(ExprPool *pool, Expr e, Expr guard, bool *ret, Error *err)
{
    Reach reach;
    Status status = reach_init(pool, &e, 1, &reach, err);

    *ret = true;
    if (status != OK)
        return status;
    for (uint32_t i = 0; i < reach.n && *ret; i++) {
        double side;
        const Expr own = step_guard(pool, reach.order[i], &side);
        *ret = expr_is_none(own) || pool_op(pool, reach.order[i]) == EXPR_ATAN2 ||
               !expr_same_guard(pool, own, guard);
    }
    reach_done(&reach);
    return expr_pool_status(pool, err);
}

/* Rewrites another step as if its own guard, at 0, were positive or negative. */
static Expr decide_tie(ExprPool *pool, Expr e, double tie)
{
    const ExprOp op = pool_op(pool, e), below = tie > 0 ? EXPR_LT : EXPR_LE;

    if (op == EXPR_LT || op == EXPR_LE)
        return expr_call(pool, below, (const Expr[]){pool_arg(pool, e, 0), pool_arg(pool, e, 1)},
                         2);
    if (op != EXPR_SIGN)
        return e;
    const Expr zero = expr_const(pool, 0);
    const Expr is_below = expr_call(pool, below, (const Expr[]){pool_arg(pool, e, 0), zero}, 2);
    return expr_call(pool, EXPR_IF,
                     (const Expr[]){is_below, expr_const(pool, -1), expr_const(pool, 1)}, 3);
}

/* The node for this sign of the guard. */
static Expr decide(const Rewrite *rewrite, Expr e, Expr guard, double sign, double tie)
{
    ExprPool *pool = rewrite->pool;
    double side;
    const Expr own = step_guard(pool, e, &side), zero = expr_const(pool, 0);

    if (expr_is_none(own))
        return rewrite_node(rewrite, e);
    side *= side_of(pool, own, guard);
    if (side == 0)
        return decide_tie(pool, rewrite_node(rewrite, e), tie);
    const Expr value = expr_const(pool, side > 0 ? sign : -sign);
    if (pool_op(pool, e) == EXPR_ATAN2)
        return expr_mul(pool, value, expr_pi(pool));
    if (pool_op(pool, e) == EXPR_SIGN)
        return value;
    return expr_call(pool, pool_op(pool, e), (const Expr[]){value, zero}, 2);
}

static Expr beside(ExprPool *pool, Expr e, Expr guard, double sign, double tie)
{
    Rewrite rewrite;
    Expr ret = EXPR_NONE;
    bool ok = rewrite_init(&rewrite, pool, &e, 1);

    for (uint32_t i = 0; i < rewrite.reach.n && ok; i++) {
        rewrite.to[i] = decide(&rewrite, rewrite.reach.order[i], guard, sign, tie);
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, &e, 1, &ret);
    return ret;
}

Expr expr_jump(ExprPool *pool, Expr e, Expr guard, double tie)
{
    const Expr jump =
        expr_sub(pool, beside(pool, e, guard, 1, tie), beside(pool, e, guard, -1, tie));
    Expr expanded = jump;

    if (!expr_is_none(jump))
        expr_expand(pool, &jump, 1, &expanded);
    return expr_is_none(expanded) ? jump : expanded;
}
