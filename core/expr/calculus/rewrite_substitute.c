/* Replacement of symbols by expressions, and sizes of the terms of an expression. */
#include <math.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"

void expr_substitute(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                     const Expr *replacements, size_t n, Expr *ret)
{
    Rewrite rewrite;
    bool ok = rewrite_init(&rewrite, pool, roots, n_roots);
    const Expr zero = replacements ? EXPR_NONE : expr_const(pool, 0);

    for (size_t i = 0; i < n && ok; i++) {
        const Expr to = replacements ? replacements[i] : zero;
        if (expr_is_none(symbols[i]) || !reach_has(&rewrite.reach, symbols[i]))
            continue;
        rewrite.to[rewrite.reach.slot[symbols[i].id]] = to;
        ok = !expr_is_none(to);
    }
    for (size_t i = 0; i < rewrite.reach.n && ok; i++) {
        if (expr_is_none(rewrite.to[i])) /* not one of the symbols */
            rewrite.to[i] = rewrite_node(&rewrite, rewrite.reach.order[i]);
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, roots, n_roots, ret);
}

bool expr_substitute_finite(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret)
{
    const bool good = pool->status == OK;

    expr_substitute(pool, roots, n_roots, symbols, replacements, n, ret);
    return !good || !pool_recover(pool);
}

Expr expr_terms_size(ExprPool *pool, Expr e)
{
    if (expr_is_none(e))
        return EXPR_NONE;

    bool is_sum = pool_op(pool, e) == EXPR_SUM;
    SumBuild size = sum_begin(pool);
    size.value = is_sum ? fabs(pool_node(pool, e)->value) : 0.0;
    if (!is_sum)
        sum_push(pool, &size, 1.0, expr_abs(pool, e));
    for (uint32_t k = 0; is_sum && k < pool_node(pool, e)->n; k++) {
        Expr term = pool_arg(pool, e, k);
        sum_push(pool, &size, fabs(pool_coef(pool, e, k)), expr_abs(pool, term));
    }
    return sum_end(pool, &size);
}
