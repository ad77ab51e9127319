/* The derivatives of functions by their operands, and the branches of choices. */
#include "core/expr/calculus/diff.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"

/* p + q x^2 */
static Expr with_square(ExprPool *pool, double p, double q, Expr x)
{
    SumBuild sum = sum_begin(pool);
    sum.value = p;
    sum_push(pool, &sum, q, product_power(pool, x, 2.0));
    return sum_end(pool, &sum);
}

Expr diff_slope(ExprPool *pool, Expr e)
{
    const Slope *slope = function_slope(pool_op(pool, e));
    Expr base = slope->of_value ? e : pool_arg(pool, e, 0);

    if (slope->p != 0.0 || slope->q != 0.0)
        base = with_square(pool, slope->p, slope->q, base);
    if (slope->outer != EXPR_CONST)
        base = expr_call(pool, slope->outer, &base, 1);
    return slope->exponent == 1.0 ? base : product_power(pool, base, slope->exponent);
}

/* atan2(y, x): x / (x^2 + y^2) and -y / (x^2 + y^2) */
static Expr partial_of_atan2(ExprPool *pool, Expr y, Expr x, size_t k)
{
    Expr squares = expr_add(pool, product_power(pool, y, 2.0), product_power(pool, x, 2.0));
    return k == 0 ? expr_div(pool, x, squares) : expr_neg(pool, expr_div(pool, y, squares));
}

/* u^w: w u^(w-1) and u^w log(u); 0^w does not change with w */
static Expr partial_of_pow(ExprPool *pool, Expr e, Expr u, Expr w, size_t k)
{
    if (k == 0)
        return expr_mul(pool, w, expr_pow(pool, u, expr_sub(pool, w, expr_const(pool, 1.0))));
    return expr_is_zero(pool, u) ? u : expr_mul(pool, e, expr_call(pool, EXPR_LOG, &u, 1));
}

Expr diff_partial(ExprPool *pool, Expr e, size_t k)
{
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_HYPOT)
        return expr_div(pool, pool_arg(pool, e, k), e);
    if (op == EXPR_ATAN2)
        return partial_of_atan2(pool, pool_arg(pool, e, 0), pool_arg(pool, e, 1), k);
    if (op == EXPR_POW)
        return partial_of_pow(pool, e, pool_arg(pool, e, 0), pool_arg(pool, e, 1), k);
    const double factor = function_slope(op)->factor;
    const Expr slope = diff_slope(pool, e);
    return factor == 1.0 ? slope : expr_scale(pool, factor, slope);
}

Expr diff_branch(ExprPool *pool, Expr e, size_t *ret_first, size_t *ret_second)
{
    ExprOp op = pool_op(pool, e);
    Expr a = pool_arg(pool, e, 0);

    if (op == EXPR_IF) {
        *ret_first = 1;
        *ret_second = 2;
        return a;
    }
    Expr b = pool_arg(pool, e, 1);
    *ret_first = op == EXPR_MIN ? 0 : 1;
    *ret_second = 1 - *ret_first;
    return expr_call(pool, EXPR_LE, (const Expr[]){a, b}, 2);
}

Expr diff_choice(ExprPool *pool, Expr e, const Reach *reach, const Expr *images)
{
    size_t first, second;
    const Expr condition = diff_branch(pool, e, &first, &second);
    const Expr parts[] = {condition, images[reach->slot[pool_arg(pool, e, first).id]],
                          images[reach->slot[pool_arg(pool, e, second).id]]};

    return expr_call(pool, EXPR_IF, parts, 3);
}
