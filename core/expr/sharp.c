/* Narrow barriers, pulses and switches are made of few functions; corners (abs, if, ...) are not
 * among them, for these have guards. */
#include "core/expr/sharp.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/reach.h"

/* A power at least so high makes a narrow ridge of a smooth one. */
static const double HIGH = 8;

static bool sharp_product(const ExprPool *pool, const ExprNode *node)
{
    for (uint32_t k = 0; k < node->n; k++) {
        const bool plain = expr_node(pool, node->args[k]).op == EXPR_SYMBOL;
        if (!plain && (node->coefs[k] < 0 || node->coefs[k] >= HIGH))
            return true;
    }
    return false;
}

static bool sharp(const ExprPool *pool, const ExprNode *node)
{
    static const bool FUNCTIONS[] = {
        [EXPR_EXP] = true, [EXPR_TANH] = true,  [EXPR_ERF] = true,   [EXPR_ATAN] = true,
        [EXPR_POW] = true, [EXPR_ASINH] = true, [EXPR_SQRT] = true,  [EXPR_CBRT] = true,
        [EXPR_LOG] = true, [EXPR_LOG10] = true, [EXPR_HYPOT] = true, [EXPR_ATAN2] = true};
    if (node->op == EXPR_PRODUCT)
        return sharp_product(pool, node);
    return (size_t)node->op < sizeof FUNCTIONS / sizeof *FUNCTIONS && FUNCTIONS[node->op];
}

Status sharp_nodes(const ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_nodes, size_t room, size_t *ret_n, Error *err)
{
    Reach reach;
    Status status = reach_init(pool, roots, n_roots, &reach, err);
    if (status != OK)
        return status;
    bool *moves = alloc_array(reach.n + 1, sizeof *moves);
    if (!moves) {
        reach_done(&reach);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *ret_n = 0;
    for (uint32_t i = 0; i < reach.n; i++) {
        const ExprNode node = expr_node(pool, reach.order[i]);
        moves[i] = node.op == EXPR_SYMBOL && node.symbol < n_moving;
        for (uint32_t k = 0; k < node.n; k++)
            moves[i] = moves[i] || moves[reach.slot[node.args[k].id]];
        if (!moves[i] || !sharp(pool, &node))
            continue;
        if (*ret_n < room)
            ret_nodes[*ret_n] = reach.order[i];
        (*ret_n)++;
    }
    free(moves);
    reach_done(&reach);
    return OK;
}
