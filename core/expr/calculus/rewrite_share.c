/* Names for common parts of expressions, so that a text writes nothing twice. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/function.h"

/* Whether a part may have a name: it is a computed number. */
static bool can_be_named(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    const ExprOp op = pool_op(pool, e);

    if (op == EXPR_SUM) /* a number times a symbol is as short as a name */
        return node->n > 1 || node->value != 0 ||
               pool_op(pool, pool_arg(pool, e, 0)) != EXPR_SYMBOL;
    return op != EXPR_CONST && op != EXPR_SYMBOL && op != EXPR_FACTOR && op != EXPR_SOLVE &&
           !function_is_condition(op);
}

/* Number of uses of each node, by other nodes and as a root. */
static uint32_t *count_uses(const Rewrite *rewrite, const Expr *roots, size_t n_roots)
{
    const ExprPool *pool = rewrite->pool;
    const Reach *reach = &rewrite->reach;
    uint32_t *uses = alloc_array(reach->n, sizeof *uses);

    for (size_t i = 0; uses && i < reach->n; i++)
        for (uint32_t k = 0; k < pool_node(pool, reach->order[i])->n; k++)
            uses[reach->slot[pool_arg(pool, reach->order[i], k).id]]++;
    for (size_t i = 0; uses && i < n_roots; i++)
        if (!expr_is_none(roots[i]))
            uses[reach->slot[roots[i].id]]++;
    return uses;
}

Status expr_share(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_symbol,
                  Expr *ret_roots, Expr **ret_parts, size_t *ret_n, Error *err)
{
    Rewrite rewrite;
    uint32_t *uses = NULL;
    Expr *parts = NULL;
    size_t n = 0;
    bool ok = rewrite_init(&rewrite, pool, roots, n_roots);

    if (ok) {
        uses = count_uses(&rewrite, roots, n_roots);
        parts = alloc_array(rewrite.reach.n, sizeof *parts);
        ok = uses && parts;
        if (!ok)
            pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    }
    /* from the leaves up: a node with several uses gets a name, which the nodes above it use */
    for (size_t i = 0; ok && i < rewrite.reach.n; i++) {
        Expr e = rewrite.reach.order[i], now = rewrite_node(&rewrite, e);
        if (uses[i] > 1 && can_be_named(pool, now)) {
            parts[n] = now;
            now = expr_symbol(pool, first_symbol + (uint32_t)n++);
        }
        rewrite.to[i] = now;
        ok = pool->status == OK;
    }
    for (size_t i = 0; ok && i < n_roots; i++)
        ret_roots[i] = expr_is_none(roots[i]) ? EXPR_NONE : rewrite_of(&rewrite, roots[i]);
    rewrite_done(&rewrite);
    free(uses);
    /* the caller owns the parts, except after a failure */
    Status status = expr_pool_status(pool, err);
    if (status != OK) {
        free(parts);
        return status;
    }
    *ret_parts = parts;
    *ret_n = n;
    return OK;
}
