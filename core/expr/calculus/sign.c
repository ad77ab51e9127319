/* Signs, powers and analyticity of expressions, derived from their form. */
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/graph/reach.h"

bool expr_never_negative(const ExprPool *pool, Expr e)
{
    return !expr_is_none(e) && (pool_node(pool, e)->flags & NODE_NONNEGATIVE);
}

static double sum_power(const Reach *reach, const ExprPool *pool, Expr e, const double *powers)
{
    double least = pool_node(pool, e)->value != 0 ? 0 : INFINITY;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        least = fmin(least, powers[reach->slot[pool_arg(pool, e, k).id]]);
    return least;
}

static double product_power(const Reach *reach, const ExprPool *pool, Expr e, const double *powers)
{
    double power = 0;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const double exponent = pool_coef(pool, e, k);
        const double of_factor = powers[reach->slot[pool_arg(pool, e, k).id]];
        if (exponent < 0 && of_factor > 0)
            return -INFINITY; /* v^2/w */
        power += of_factor > 0 ? exponent * of_factor : 0;
    }
    return power;
}

static double node_power(const Reach *reach, const ExprPool *pool, Expr e, const double *powers)
{
    const Node *node = pool_node(pool, e);
    const double first = node->n ? powers[reach->slot[pool_arg(pool, e, 0).id]] : 0;

    if (node->op == EXPR_CONST)
        return node->value == 0 ? INFINITY : 0;
    if (node->op == EXPR_SUM)
        return sum_power(reach, pool, e, powers);
    if (node->op == EXPR_PRODUCT)
        return product_power(reach, pool, e, powers);
    if (node->op == EXPR_SQRT)
        return first / 2;
    if (node->op == EXPR_HYPOT)
        return fmin(first, powers[reach->slot[pool_arg(pool, e, 1).id]]);
    return node->op == EXPR_ABS ? first : 0;
}

double expr_least_power(const ExprPool *pool, Expr e, const Expr *symbols, size_t n)
{
    Reach reach = {0};
    double result = 0;

    if (!expr_is_none(e) && reach_init(pool, &e, 1, &reach, NULL) == OK) {
        double *powers = alloc_array(reach.n, sizeof *powers);
        for (uint32_t i = 0; powers && i < reach.n; i++) {
            powers[i] = node_power(&reach, pool, reach.order[i], powers);
            for (size_t k = 0; k < n; k++)
                if (expr_same(reach.order[i], symbols[k]))
                    powers[i] = 1;
        }
        result = powers ? powers[reach.n - 1] : 0;
        free(powers);
    }
    reach_done(&reach);
    return result;
}

/* Appends expressions that are nonzero where the node is analytic; false: nothing is known. */
static bool node_is_analytic(const ExprPool *pool, Expr e, Expr *ret_guards, size_t room, size_t *n)
{
    static const bool ENTIRE[] = {
        [EXPR_CONST] = true, [EXPR_SYMBOL] = true, [EXPR_SUM] = true,   [EXPR_SIN] = true,
        [EXPR_COS] = true,   [EXPR_EXP] = true,    [EXPR_SINH] = true,  [EXPR_COSH] = true,
        [EXPR_TANH] = true,  [EXPR_ATAN] = true,   [EXPR_ASINH] = true, [EXPR_ERF] = true};
    const ExprOp op = pool_op(pool, e);
    const bool is_product = op == EXPR_PRODUCT, is_root = op == EXPR_SQRT || op == EXPR_CBRT;

    /* divisors, then arguments of roots and logarithms */
    for (uint32_t k = 0; is_product && k < pool_node(pool, e)->n; k++)
        if (pool_coef(pool, e, k) < 0) {
            if (*n < room)
                ret_guards[*n] = pool_arg(pool, e, k);
            (*n)++;
        }
    if (is_root || op == EXPR_LOG || op == EXPR_HYPOT) {
        if (*n < room)
            ret_guards[*n] = op == EXPR_HYPOT ? e : pool_arg(pool, e, 0);
        (*n)++;
        return true;
    }
    return is_product || ((size_t)op < sizeof ENTIRE / sizeof *ENTIRE && ENTIRE[op]);
}

bool expr_is_analytic(const ExprPool *pool, Expr e, Expr *ret_guards, size_t room, size_t *ret_n)
{
    Reach reach = {0};
    bool result = !expr_is_none(e) && reach_init(pool, &e, 1, &reach, NULL) == OK;

    *ret_n = 0;
    for (uint32_t i = 0; result && i < reach.n; i++)
        result = node_is_analytic(pool, reach.order[i], ret_guards, room, ret_n);
    reach_done(&reach);
    return result && *ret_n <= room;
}
