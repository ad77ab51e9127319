/* The scale of an equation e = 0: the sizes of the terms that cancel in a solution. */
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/diff.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"

/* By slot of the reach: the size of a node as a term, and in `sums` the size of its terms. */
typedef struct Terms {
    Rewrite sums;
    Expr *sizes;
} Terms;

static Expr size_of(const Terms *terms, Expr e)
{
    return terms->sizes[terms->sums.reach.slot[e.id]];
}

static bool is_factor(const ExprPool *pool, Expr e)
{
    return pool_op(pool, e) == EXPR_SUM && pool_node(pool, e)->n == 1 &&
           pool_node(pool, e)->value == 0;
}

/* The sizes of the factors with the k-th exponent reduced by one (k = n: none). */
static Expr product_without(const Terms *terms, Expr e, uint32_t k)
{
    ExprPool *pool = terms->sums.pool;
    ProductBuild product = product_begin(pool);

    for (uint32_t j = 0; j < pool_node(pool, e)->n; j++) {
        const Expr u = pool_arg(pool, e, j);
        const double given = pool_coef(pool, e, j), exponent = j == k ? given - 1 : given;
        if (exponent != 0)
            product_push(pool, &product, exponent > 0 ? size_of(terms, u) : expr_abs(pool, u),
                         exponent);
    }
    return product_end(pool, &product);
}

/* The size of a node as a term. Sines and cosines count as 1: a zero is accidental. */
static Expr size_as_term(const Terms *terms, Expr e)
{
    ExprPool *pool = terms->sums.pool;
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_SIN || op == EXPR_COS)
        return expr_const(pool, 1);
    if (op == EXPR_PRODUCT)
        return product_without(terms, e, pool_node(pool, e)->n);
    if (is_factor(pool, e))
        return expr_scale(pool, fabs(pool_coef(pool, e, 0)), size_of(terms, pool_arg(pool, e, 0)));
    return expr_abs(pool, e);
}

static Expr terms_of_sum(const Terms *terms, Expr e)
{
    ExprPool *pool = terms->sums.pool;
    SumBuild sum = sum_begin(pool);

    if (is_factor(pool, e)) {
        sum_push(pool, &sum, fabs(pool_coef(pool, e, 0)),
                 rewrite_of(&terms->sums, pool_arg(pool, e, 0)));
        return sum_end(pool, &sum);
    }
    sum.value = fabs(pool_node(pool, e)->value);
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        sum_push(pool, &sum, fabs(pool_coef(pool, e, k)), size_of(terms, pool_arg(pool, e, k)));
    return sum_end(pool, &sum);
}

/* One factor vanishes while the others have their sizes. */
static Expr terms_of_product(const Terms *terms, Expr e)
{
    ExprPool *pool = terms->sums.pool;
    SumBuild sum = sum_begin(pool);
    bool any = false;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const Expr u = pool_arg(pool, e, k), within = rewrite_of(&terms->sums, u);
        if (pool_coef(pool, e, k) < 0 || expr_same(within, size_of(terms, u)))
            continue;
        any = true;
        sum_push(pool, &sum, pool_coef(pool, e, k),
                 expr_mul(pool, product_without(terms, e, k), within));
    }
    if (!any)
        sum_push(pool, &sum, 1, size_of(terms, e));
    return sum_end(pool, &sum);
}

/* f(u) with u a sum: the change of f by the terms that cancel in u. */
static Expr terms_of_function(const Terms *terms, Expr e)
{
    ExprPool *pool = terms->sums.pool;
    const Expr u = pool_arg(pool, e, 0), within = rewrite_of(&terms->sums, u);
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_ABS)
        return within;
    if (op == EXPR_SIN || op == EXPR_COS || op == EXPR_SIGN || pool_node(pool, e)->n != 1 ||
        expr_same(within, size_of(terms, u)))
        return size_of(terms, e);
    return expr_add(pool, size_of(terms, e),
                    expr_mul(pool, expr_abs(pool, diff_partial(pool, e, 0)), within));
}

static Expr terms_of(const Terms *terms, Expr e)
{
    ExprPool *pool = terms->sums.pool;
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_SUM)
        return terms_of_sum(terms, e);
    if (op == EXPR_PRODUCT)
        return terms_of_product(terms, e);
    if (op == EXPR_MIN || op == EXPR_MAX || op == EXPR_IF)
        return diff_choice(pool, e, &terms->sums.reach, terms->sums.to);
    return function_name(op) ? terms_of_function(terms, e) : size_of(terms, e);
}

Expr expr_residual_scale(ExprPool *pool, Expr e)
{
    Terms terms = {0};
    bool ok = rewrite_init(&terms.sums, pool, &e, 1);
    terms.sizes = ok ? alloc_array(terms.sums.reach.n, sizeof *terms.sizes) : NULL;
    if (ok && !terms.sizes)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    ok = ok && terms.sizes;
    for (uint32_t i = 0; ok && i < terms.sums.reach.n; i++) {
        const Expr node = terms.sums.reach.order[i];
        terms.sizes[i] = size_as_term(&terms, node);
        terms.sums.to[i] = terms_of(&terms, node);
        ok = pool->status == OK;
    }
    free(terms.sizes);
    rewrite_end(&terms.sums, ok, &e, 1, &e);
    return e;
}
