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

/* What is under the roots, and which of it a symbol below n_moving is under. */
typedef struct Moving {
    Reach reach;
    bool *moves; /* [reach.n] */
} Moving;

static Status moving_init(const ExprPool *pool, const Expr *roots, size_t n_roots,
                          uint32_t n_moving, Moving *ret, Error *err)
{
    Status status = reach_init(pool, roots, n_roots, &ret->reach, err);
    if (status != OK)
        return status;
    bool *moves = ret->moves = alloc_array(ret->reach.n + 1, sizeof *moves);
    if (!moves) {
        reach_done(&ret->reach);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < ret->reach.n; i++) {
        const ExprNode node = expr_node(pool, ret->reach.order[i]);
        moves[i] = node.op == EXPR_SYMBOL && node.symbol < n_moving;
        for (uint32_t k = 0; k < node.n; k++)
            moves[i] = moves[i] || moves[ret->reach.slot[node.args[k].id]];
    }
    return OK;
}

static void moving_done(Moving *moving)
{
    free(moving->moves);
    reach_done(&moving->reach);
}

Status sharp_nodes(const ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_nodes, size_t room, size_t *ret_n, Error *err)
{
    Moving moving;

    *ret_n = 0;
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);
    if (status != OK)
        return status;
    for (uint32_t i = 0; i < moving.reach.n; i++) {
        const ExprNode node = expr_node(pool, moving.reach.order[i]);
        if (!moving.moves[i] || !sharp(pool, &node))
            continue;
        if (*ret_n < room)
            ret_nodes[*ret_n] = moving.reach.order[i];
        (*ret_n)++;
    }
    moving_done(&moving);
    return OK;
}

/* EXPR_NONE: the node is no corner. */
static Expr corner_guard(ExprPool *pool, Expr e)
{
    const ExprNode node = expr_node(pool, e);
    if (node.op == EXPR_ABS || node.op == EXPR_SIGN)
        return node.args[0];
    if (node.op == EXPR_MIN || node.op == EXPR_MAX || node.op == EXPR_LT || node.op == EXPR_LE ||
        node.op == EXPR_EQ)
        return expr_sub(pool, node.args[0], node.args[1]);
    return EXPR_NONE;
}

static bool listed(const Expr *list, size_t n, Expr e)
{
    for (size_t i = 0; i < n; i++)
        if (expr_same(list[i], e))
            return true;
    return false;
}

Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err)
{
    Moving moving;

    *ret_n = 0;
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);
    if (status != OK)
        return status;
    for (uint32_t i = 0; i < moving.reach.n; i++) {
        const Expr guard = moving.moves[i] ? corner_guard(pool, moving.reach.order[i]) : EXPR_NONE;
        if (expr_is_none(guard) || listed(ret_guards, *ret_n < room ? *ret_n : room, guard))
            continue;
        if (*ret_n < room)
            ret_guards[*ret_n] = guard;
        (*ret_n)++;
    }
    moving_done(&moving);
    return expr_pool_status(pool, err);
}
