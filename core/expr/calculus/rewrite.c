/* The common step of all rewriting passes: a node with new operands, in canonical form. */
#include "core/expr/calculus/rewrite.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/graph/build.h"

bool rewrite_init(Rewrite *rewrite, ExprPool *pool, const Expr *roots, size_t n_roots)
{
    Error error;

    *rewrite = (Rewrite){.pool = pool};
    if (pool->status != OK)
        return false;
    if (reach_init(pool, roots, n_roots, &rewrite->reach, &error) == OK)
        rewrite->to = alloc_array(rewrite->reach.n, sizeof *rewrite->to);
    if (!rewrite->to)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    return pool->status == OK;
}

void rewrite_done(Rewrite *rewrite)
{
    reach_done(&rewrite->reach);
    free(rewrite->to);
}

void rewrite_end(Rewrite *rewrite, bool ok, const Expr *roots, size_t n_roots, Expr *ret)
{
    for (size_t i = 0; i < n_roots; i++)
        ret[i] = ok && !expr_is_none(roots[i]) ? rewrite_of(rewrite, roots[i]) : EXPR_NONE;
    rewrite_done(rewrite);
}

static bool has_changed(const Rewrite *rewrite, Expr e)
{
    const ExprPool *pool = rewrite->pool;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        Expr arg = pool_arg(pool, e, k);
        if (!expr_same(arg, rewrite_of(rewrite, arg)))
            return true;
    }
    return false;
}

Expr rewrite_sum(const Rewrite *rewrite, Expr e, bool sizes)
{
    ExprPool *pool = rewrite->pool;
    const double value = pool_node(pool, e)->value;
    SumBuild sum = sum_begin(pool);

    sum.value = sizes ? fabs(value) : value;
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const double coef = pool_coef(pool, e, k);
        sum_push(pool, &sum, sizes ? fabs(coef) : coef, rewrite_of(rewrite, pool_arg(pool, e, k)));
    }
    return sum_end(pool, &sum);
}

static Expr rewrite_product(const Rewrite *rewrite, Expr e)
{
    ExprPool *pool = rewrite->pool;
    ProductBuild product = product_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        product_push(pool, &product, rewrite_of(rewrite, pool_arg(pool, e, k)),
                     pool_coef(pool, e, k));
    return product_end(pool, &product);
}

/* A node of any other operation, from operands in `args`. */
static Expr rewrite_call(const Rewrite *rewrite, Expr e, const Expr *args)
{
    ExprPool *pool = rewrite->pool;
    const Node *node = pool_node(pool, e);

    for (uint32_t k = 0; k < node->n; k++)
        if (expr_is_none(args[k]))
            return EXPR_NONE;
    if (node->op == EXPR_FACTOR || node->op == EXPR_SOLVE || node->op == EXPR_ELEMENT ||
        node->op == EXPR_RCOND)
        return pool_intern(
            pool,
            &(Shape){.op = (ExprOp)node->op, .n = node->n, .args = args, .symbol = node->symbol});
    return expr_call(pool, (ExprOp)node->op, args, node->n);
}

Expr rewrite_node(const Rewrite *rewrite, Expr e)
{
    ExprPool *pool = rewrite->pool;
    ExprOp op = pool_op(pool, e);
    uint32_t n = pool_node(pool, e)->n;
    Expr few[4], *args = few, result;

    if (!has_changed(rewrite, e))
        return e;
    if (op == EXPR_SUM)
        return rewrite_sum(rewrite, e, false);
    if (op == EXPR_PRODUCT)
        return rewrite_product(rewrite, e);
    /* other operations get their operands in an array */
    if (n > sizeof few / sizeof few[0])
        args = alloc_array(n, sizeof *args);
    if (!args)
        return pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    for (uint32_t k = 0; k < n; k++)
        args[k] = rewrite_of(rewrite, pool_arg(pool, e, k));
    result = rewrite_call(rewrite, e, args);
    if (args != few)
        free(args);
    return result;
}
