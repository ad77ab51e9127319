/* Jumps: what an expression changes by where a condition or a sign in it changes. */
#include "core/expr/calculus.h"
#include "core/expr/rewrite.h"

/* What sign() and the comparisons turn over at; EXPR_NONE of other nodes. */
static Expr step_guard(ExprPool *pool, Expr e)
{
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_SIGN)
        return pool_arg(pool, e, 0);
    if (op == EXPR_LT || op == EXPR_LE || op == EXPR_EQ)
        return expr_sub(pool, pool_arg(pool, e, 0), pool_arg(pool, e, 1));
    return EXPR_NONE;
}

static bool listed(ExprPool *pool, const Expr *list, size_t n, Expr guard)
{
    const Expr opposite = expr_neg(pool, guard);

    for (size_t i = 0; i < n; i++)
        if (expr_same(list[i], guard) || expr_same(list[i], opposite))
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
    for (uint32_t i = 0; i < reach.n; i++) {
        const Expr guard = step_guard(pool, reach.order[i]);
        if (expr_is_none(guard) || listed(pool, ret_guards, *ret_n < room ? *ret_n : room, guard))
            continue;
        if (*ret_n < room)
            ret_guards[*ret_n] = guard;
        (*ret_n)++;
    }
    reach_done(&reach);
    return expr_pool_status(pool, err);
}

/* The node as it is where the guard has this sign. */
static Expr decide(const Rewrite *rewrite, Expr e, Expr guard, double sign)
{
    ExprPool *pool = rewrite->pool;
    const Expr own = step_guard(pool, e), zero = expr_const(pool, 0);
    const bool same = expr_same(own, guard), opposite = expr_same(own, expr_neg(pool, guard));

    if (expr_is_none(own) || !(same || opposite))
        return rewrite_node(rewrite, e);
    const Expr side = expr_const(pool, same ? sign : -sign);
    if (pool_op(pool, e) == EXPR_SIGN)
        return side;
    return expr_call(pool, pool_op(pool, e), (const Expr[]){side, zero}, 2);
}

static Expr beside(ExprPool *pool, Expr e, Expr guard, double sign)
{
    Rewrite rewrite;
    Expr ret = EXPR_NONE;
    bool ok = rewrite_init(&rewrite, pool, &e, 1);

    for (uint32_t i = 0; i < rewrite.reach.n && ok; i++) {
        rewrite.to[i] = decide(&rewrite, rewrite.reach.order[i], guard, sign);
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, &e, 1, &ret);
    return ret;
}

Expr expr_jump(ExprPool *pool, Expr e, Expr guard)
{
    const Expr jump = expr_sub(pool, beside(pool, e, guard, 1), beside(pool, e, guard, -1));
    Expr expanded = jump;

    if (!expr_is_none(jump))
        expr_expand(pool, &jump, 1, &expanded);
    return expr_is_none(expanded) ? jump : expanded;
}
