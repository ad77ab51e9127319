/* The derivatives of the functions of the language, one function each (Abramowitz and Stegun,
 * chapters 4 and 7). */
#include <math.h>

#include "core/expr/calculus/diff.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"

/* Derivative by the k-th operand; `e` is the node itself, u its operands. */
typedef Expr Partial(ExprPool *pool, Expr e, const Expr *u, size_t k);

static Expr partial_number(ExprPool *pool, double value)
{
    return expr_const(pool, value);
}

static Expr call1(ExprPool *pool, ExprOp op, Expr u)
{
    return expr_call(pool, op, &u, 1);
}

static Expr partial_power(ExprPool *pool, Expr u, double exponent)
{
    ProductBuild product = product_begin(pool);
    product_push(pool, &product, u, exponent);
    return product_end(pool, &product);
}

/* p + q u^2 */
static Expr with_square(ExprPool *pool, double p, double q, Expr u)
{
    SumBuild sum = sum_begin(pool);
    sum.value = p;
    sum_push(pool, &sum, q, partial_power(pool, u, 2.0));
    return sum_end(pool, &sum);
}

static Expr d_sin(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return call1(pool, EXPR_COS, u[0]);
}

static Expr d_cos(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return expr_neg(pool, call1(pool, EXPR_SIN, u[0]));
}

static Expr d_tan(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)u, (void)k;
    return with_square(pool, 1.0, 1.0, e);
}

static Expr d_asin(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, call1(pool, EXPR_SQRT, with_square(pool, 1.0, -1.0, u[0])), -1.0);
}

static Expr d_acos(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    return expr_neg(pool, d_asin(pool, e, u, k));
}

static Expr d_atan(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, with_square(pool, 1.0, 1.0, u[0]), -1.0);
}

static Expr d_sinh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return call1(pool, EXPR_COSH, u[0]);
}

static Expr d_cosh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return call1(pool, EXPR_SINH, u[0]);
}

static Expr d_tanh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)u, (void)k;
    return with_square(pool, 1.0, -1.0, e);
}

static Expr d_asinh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, call1(pool, EXPR_SQRT, with_square(pool, 1.0, 1.0, u[0])), -1.0);
}

static Expr d_acosh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, call1(pool, EXPR_SQRT, with_square(pool, -1.0, 1.0, u[0])), -1.0);
}

static Expr d_atanh(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, with_square(pool, 1.0, -1.0, u[0]), -1.0);
}

static Expr d_exp(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)pool, (void)u, (void)k;
    return e;
}

static Expr d_log(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return partial_power(pool, u[0], -1.0);
}

static Expr d_log10(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return expr_scale(pool, 1.0 / log(10.0), partial_power(pool, u[0], -1.0));
}

static Expr d_sqrt(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)u, (void)k;
    return expr_scale(pool, 0.5, partial_power(pool, e, -1.0));
}

static Expr d_cbrt(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)u, (void)k;
    return expr_scale(pool, 1.0 / 3.0, partial_power(pool, e, -2.0));
}

static Expr d_erf(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    const double two_over_sqrt_pi = 1.12837916709551257390;
    (void)e, (void)k;
    return expr_scale(pool, two_over_sqrt_pi,
                      call1(pool, EXPR_EXP, with_square(pool, 0.0, -1.0, u[0])));
}

static Expr d_abs(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)k;
    return call1(pool, EXPR_SIGN, u[0]);
}

static Expr d_sign(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e, (void)u, (void)k;
    return partial_number(pool, 0.0);
}

/* atan2(y, x): x / (x^2 + y^2) and -y / (x^2 + y^2) */
static Expr d_atan2(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    (void)e;
    Expr squares = expr_add(pool, partial_power(pool, u[0], 2.0), partial_power(pool, u[1], 2.0));
    return expr_scale(pool, k == 0 ? 1.0 : -1.0, expr_div(pool, u[1 - k], squares));
}

/* u^w: w u^(w-1) and u^w log(u); 0^w does not change with w */
static Expr d_pow(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    if (k == 0) {
        Expr less = expr_sub(pool, u[1], partial_number(pool, 1.0));
        return expr_mul(pool, u[1], expr_pow(pool, u[0], less));
    }
    if (expr_is_zero(pool, u[0]))
        return u[0];
    return expr_mul(pool, e, call1(pool, EXPR_LOG, u[0]));
}

static Expr d_hypot(ExprPool *pool, Expr e, const Expr *u, size_t k)
{
    return expr_div(pool, u[k], e);
}

static Partial *const PARTIALS[] = {
    [EXPR_SIN] = d_sin,     [EXPR_COS] = d_cos,     [EXPR_TAN] = d_tan,     [EXPR_ASIN] = d_asin,
    [EXPR_ACOS] = d_acos,   [EXPR_ATAN] = d_atan,   [EXPR_SINH] = d_sinh,   [EXPR_COSH] = d_cosh,
    [EXPR_TANH] = d_tanh,   [EXPR_ASINH] = d_asinh, [EXPR_ACOSH] = d_acosh, [EXPR_ATANH] = d_atanh,
    [EXPR_EXP] = d_exp,     [EXPR_LOG] = d_log,     [EXPR_LOG10] = d_log10, [EXPR_SQRT] = d_sqrt,
    [EXPR_CBRT] = d_cbrt,   [EXPR_ERF] = d_erf,     [EXPR_ABS] = d_abs,     [EXPR_SIGN] = d_sign,
    [EXPR_ATAN2] = d_atan2, [EXPR_POW] = d_pow,     [EXPR_HYPOT] = d_hypot,
};

Expr diff_partial(ExprPool *pool, Expr e, size_t k)
{
    Expr args[2] = {{0}};
    const Node *node = pool_node(pool, e);

    for (size_t i = 0; i < node->n; i++)
        args[i] = pool->args[node->first + i];
    return PARTIALS[node->op](pool, e, args, k);
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
