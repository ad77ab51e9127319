/* The size of an expression before cancellation: a running error analysis in symbols (Higham,
 * Accuracy and Stability of Numerical Algorithms, section 3.3). */
#include <math.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/diff.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"

/* A factor 1/u has the same relative error as u: it counts size(u)/|u| times. */
static Expr magnitude_of_product(const Rewrite *sizes, Expr e)
{
    ExprPool *pool = sizes->pool;
    ProductBuild product = product_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        Expr u = pool_arg(pool, e, k);
        const double exponent = pool_coef(pool, e, k);
        product_push(pool, &product, rewrite_of(sizes, u), fabs(exponent));
        if (exponent < 0)
            product_push(pool, &product, expr_abs(pool, u), 2 * exponent);
    }
    return product_end(pool, &product);
}

/* |e| times the relative errors of its factors. */
static Expr error_of_product(const Rewrite *sizes, Expr e)
{
    ExprPool *pool = sizes->pool;
    SumBuild sum = sum_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const double exponent = pool_coef(pool, e, k);
        ProductBuild rest = product_begin(pool);
        for (uint32_t j = 0; j < pool_node(pool, e)->n; j++)
            if (j != k || exponent != 1)
                product_push(pool, &rest, expr_abs(pool, pool_arg(pool, e, j)),
                             pool_coef(pool, e, j) - (j == k));
        const Expr others = product_end(pool, &rest);
        sum_push(pool, &sum, fabs(exponent),
                 expr_mul(pool, others, rewrite_of(sizes, pool_arg(pool, e, k))));
    }
    return sum_end(pool, &sum);
}

/* |f| plus the effect on f of operand errors as large as the operands' sizes. */
static Expr of_function(const Rewrite *sizes, Expr e)
{
    ExprPool *pool = sizes->pool;
    Expr size = expr_abs(pool, e);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        Expr slope = expr_abs(pool, diff_partial(pool, e, k));
        size = expr_add(pool, size, expr_mul(pool, slope, rewrite_of(sizes, pool_arg(pool, e, k))));
    }
    return size;
}

static Expr size_of(const Rewrite *sizes, Expr e)
{
    const ExprOp op = pool_op(sizes->pool, e);

    if (op == EXPR_SUM)
        return rewrite_sum(sizes, e, true);
    if (op == EXPR_MIN || op == EXPR_MAX || op == EXPR_IF)
        return diff_choice(sizes->pool, e, &sizes->reach, sizes->to);
    if (function_name(op))
        return of_function(sizes, e);
    if (op == EXPR_CONST || op == EXPR_SYMBOL || op == EXPR_ELEMENT)
        return expr_abs(sizes->pool, e);
    return e; /* conditions and the systems behind EXPR_ELEMENT have no size */
}

typedef Expr ProductRule(const Rewrite *sizes, Expr e);

static Expr sizes_through(ExprPool *pool, Expr e, ProductRule *of_product)
{
    Rewrite sizes;
    bool ok = rewrite_init(&sizes, pool, &e, 1);
    for (uint32_t i = 0; i < sizes.reach.n && ok; i++) {
        const Expr node = sizes.reach.order[i];
        sizes.to[i] =
            pool_op(pool, node) == EXPR_PRODUCT ? of_product(&sizes, node) : size_of(&sizes, node);
        ok = pool->status == OK;
    }
    rewrite_end(&sizes, ok, &e, 1, &e);
    return e;
}

Expr expr_magnitude(ExprPool *pool, Expr e)
{
    return sizes_through(pool, e, magnitude_of_product);
}

Expr expr_rounding(ExprPool *pool, Expr e)
{
    return sizes_through(pool, e, error_of_product);
}
