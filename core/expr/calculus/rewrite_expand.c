/* Products of sums multiplied out, within limits. */
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"

enum {
    EXPAND_MAX_TERMS = 64, /* a product with more terms stays a product */
    EXPAND_MAX_POWER = 4,  /* a higher power of a sum stays a power */
};

size_t expr_count_terms(const ExprPool *pool, Expr e)
{
    if (expr_is_none(e))
        return 0;
    ExprNode node = expr_node(pool, e);
    return node.op == EXPR_SUM ? node.n + (node.value != 0) : 1;
}

/* Term k of e and its coefficient. */
static Expr term_of(ExprPool *pool, Expr e, size_t k, double *ret_coef)
{
    ExprNode node = expr_node(pool, e);

    *ret_coef = 1;
    if (node.op != EXPR_SUM)
        return e;
    if (k < node.n) {
        *ret_coef = node.coefs[k];
        return node.args[k];
    }
    *ret_coef = node.value;
    return expr_const(pool, 1);
}

Expr expr_multiply_out(ExprPool *pool, Expr a, Expr b)
{
    const size_t n = expr_count_terms(pool, a), m = expr_count_terms(pool, b);

    if (n * m <= 1)
        return expr_mul(pool, a, b);
    SumBuild sum = sum_begin(pool);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double ca, cb;
            Expr ta = term_of(pool, a, i, &ca), tb = term_of(pool, b, j, &cb);
            sum_push_product(pool, &sum, ca, cb, expr_mul(pool, ta, tb));
        }
    return sum_end(pool, &sum);
}

/* A product whose operands are already expanded. */
static Expr expand_product(Rewrite *rewrite, Expr e)
{
    ExprPool *pool = rewrite->pool;
    const uint32_t n = expr_node(pool, e).n;
    Expr result = expr_const(pool, 1);

    for (uint32_t k = 0; k < n && !expr_is_none(result); k++) {
        Expr base = rewrite_of(rewrite, expr_node(pool, e).args[k]);
        double power = expr_node(pool, e).coefs[k];
        /* multiply a low power of a sum out, one factor at a time */
        bool is_short =
            expr_node(pool, base).op == EXPR_SUM && power >= 1 && power <= EXPAND_MAX_POWER;
        if (!is_short)
            base = expr_pow(pool, base, expr_const(pool, power));
        for (int times = is_short ? (int)power : 1; times > 0; times--)
            result =
                expr_count_terms(pool, result) * expr_count_terms(pool, base) > EXPAND_MAX_TERMS
                    ? expr_mul(pool, result, base)
                    : expr_multiply_out(pool, result, base);
    }
    return result;
}

void expr_expand(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret)
{
    Rewrite rewrite;
    bool ok = rewrite_init(&rewrite, pool, roots, n_roots);

    for (size_t i = 0; i < rewrite.reach.n && ok; i++) {
        Expr e = rewrite.reach.order[i];
        rewrite.to[i] = expr_node(pool, e).op == EXPR_PRODUCT ? expand_product(&rewrite, e)
                                                              : rewrite_node(&rewrite, e);
        ok = pool->status == OK;
    }
    rewrite_end(&rewrite, ok, roots, n_roots, ret);
}
