#include "core/expr/rebuild.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/build.h"

bool rebuild_init(Rebuild *rebuild, ExprPool *pool, const Expr *roots, size_t n_roots)
{
    Error error;

    *rebuild = (Rebuild){.pool = pool};
    if (pool->status != OK)
        return false;
    if (reach_init(pool, roots, n_roots, &rebuild->reach, &error) == OK)
        rebuild->to = alloc_array(rebuild->reach.n, sizeof *rebuild->to);
    if (!rebuild->to)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    return pool->status == OK;
}

void rebuild_done(Rebuild *rebuild)
{
    reach_done(&rebuild->reach);
    free(rebuild->to);
}

static bool has_changed(const Rebuild *rebuild, Expr e)
{
    const ExprPool *pool = rebuild->pool;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        Expr arg = pool_arg(pool, e, k);
        if (!expr_same(arg, rebuild_of(rebuild, arg)))
            return true;
    }
    return false;
}

static Expr rebuild_sum(const Rebuild *rebuild, Expr e)
{
    ExprPool *pool = rebuild->pool;
    SumBuild sum = sum_begin(pool);

    sum.value = pool_node(pool, e)->value;
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        sum_push(pool, &sum, pool_coef(pool, e, k), rebuild_of(rebuild, pool_arg(pool, e, k)));
    return sum_end(pool, &sum);
}

static Expr rebuild_product(const Rebuild *rebuild, Expr e)
{
    ExprPool *pool = rebuild->pool;
    ProductBuild product = product_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        product_push(pool, &product, rebuild_of(rebuild, pool_arg(pool, e, k)),
                     pool_coef(pool, e, k));
    return product_end(pool, &product);
}

/* A node of any other operation, from operands in `args`. */
static Expr rebuild_call(const Rebuild *rebuild, Expr e, const Expr *args)
{
    ExprPool *pool = rebuild->pool;
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

Expr rebuild_node(const Rebuild *rebuild, Expr e)
{
    ExprPool *pool = rebuild->pool;
    ExprOp op = pool_op(pool, e);
    uint32_t n = pool_node(pool, e)->n;
    Expr few[4], *args = few, result;

    if (!has_changed(rebuild, e))
        return e;
    if (op == EXPR_SUM)
        return rebuild_sum(rebuild, e);
    if (op == EXPR_PRODUCT)
        return rebuild_product(rebuild, e);
    if (n > sizeof few / sizeof few[0])
        args = alloc_array(n, sizeof *args);
    if (!args)
        return pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    for (uint32_t k = 0; k < n; k++)
        args[k] = rebuild_of(rebuild, pool_arg(pool, e, k));
    result = rebuild_call(rebuild, e, args);
    if (args != few)
        free(args);
    return result;
}
