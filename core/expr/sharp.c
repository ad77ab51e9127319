/* Narrow barriers, pulses and switches are made of few functions; corners (abs, if, ...) are not
 * among them, for these have guards. */
#include "core/expr/sharp.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/reach.h"

/* A power at least so high makes a narrow ridge of a smooth one. */
static const double HIGH = 8;

static bool plain(const ExprPool *pool, Expr e)
{
    return expr_node(pool, e).op == EXPR_SYMBOL;
}

/* What is under the roots, and which of it a symbol below n_moving is under. */
typedef struct Moving {
    Reach reach;
    bool *moves;     /* [reach.n] */
    double *degrees; /* [reach.n]: of polynomials in what is no symbol; 1 elsewhere */
} Moving;

/* Powers of powers, with sums in between, are as narrow as the power that they nearly are: about
 * u = 0 ((u^2 + c)^2 + c)^2 is u^8. */
static double degree_of(const ExprPool *pool, const ExprNode *node, const Moving *moving)
{
    double most = 1, sum = 0;
    for (uint32_t k = 0; k < node->n; k++) {
        const uint32_t slot = moving->reach.slot[node->args[k].id];
        most = fmax(most, moving->degrees[slot]);
        if (node->op == EXPR_PRODUCT && moving->moves[slot] && !plain(pool, node->args[k]))
            sum += fabs(node->coefs[k]) * moving->degrees[slot];
    }
    return fmax(most, sum);
}

/* Of a product the powers of its factors, and its own degree where it raises that. */
static bool sharp_product(const ExprPool *pool, const ExprNode *node, const Moving *moving,
                          double degree)
{
    uint32_t raises = 0;
    for (uint32_t k = 0; k < node->n; k++) {
        const Expr factor = node->args[k];
        if (!moving->moves[moving->reach.slot[factor.id]])
            continue;
        if (node->coefs[k] < 0 || node->coefs[k] >= HIGH)
            return true;
        if (!plain(pool, factor))
            raises += node->coefs[k] > 1 ? 2 : 1;
    }
    return raises > 1 && degree >= HIGH;
}

static bool sharp(const ExprPool *pool, const ExprNode *node, const Moving *moving, double degree)
{
    static const bool FUNCTIONS[] = {
        [EXPR_EXP] = true,  [EXPR_TANH] = true,  [EXPR_ERF] = true,   [EXPR_ATAN] = true,
        [EXPR_POW] = true,  [EXPR_ASINH] = true, [EXPR_SQRT] = true,  [EXPR_CBRT] = true,
        [EXPR_LOG] = true,  [EXPR_LOG10] = true, [EXPR_HYPOT] = true, [EXPR_ATAN2] = true,
        [EXPR_TAN] = true,  [EXPR_SINH] = true,  [EXPR_COSH] = true,  [EXPR_ASIN] = true,
        [EXPR_ACOS] = true, [EXPR_ACOSH] = true, [EXPR_ATANH] = true};
    if (node->op == EXPR_PRODUCT)
        return sharp_product(pool, node, moving, degree);
    return (size_t)node->op < sizeof FUNCTIONS / sizeof *FUNCTIONS && FUNCTIONS[node->op];
}

static Status moving_init(const ExprPool *pool, const Expr *roots, size_t n_roots,
                          uint32_t n_moving, Moving *ret, Error *err)
{
    Status status = reach_init(pool, roots, n_roots, &ret->reach, err);
    if (status != OK)
        return status;
    bool *moves = ret->moves = alloc_array(ret->reach.n + 1, sizeof *moves);
    double *degrees = ret->degrees = alloc_array(ret->reach.n + 1, sizeof *degrees);
    if (!moves || !degrees) {
        free(moves);
        free(degrees);
        reach_done(&ret->reach);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < ret->reach.n; i++) {
        const ExprNode node = expr_node(pool, ret->reach.order[i]);
        moves[i] = node.op == EXPR_SYMBOL && node.symbol < n_moving;
        for (uint32_t k = 0; k < node.n; k++)
            moves[i] = moves[i] || moves[ret->reach.slot[node.args[k].id]];
        degrees[i] = moves[i] ? degree_of(pool, &node, ret) : 1;
    }
    return OK;
}

static void moving_done(Moving *moving)
{
    free(moving->moves);
    free(moving->degrees);
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
        if (!moving.moves[i] || !sharp(pool, &node, &moving, moving.degrees[i]))
            continue;
        if (*ret_n < room)
            ret_nodes[*ret_n] = moving.reach.order[i];
        (*ret_n)++;
    }
    moving_done(&moving);
    return OK;
}

bool sharp_bends(const ExprPool *pool, Expr e)
{
    static const bool FUNCTIONS[] = {
        [EXPR_SQRT] = true,  [EXPR_CBRT] = true,  [EXPR_HYPOT] = true, [EXPR_LOG] = true,
        [EXPR_LOG10] = true, [EXPR_ASINH] = true, [EXPR_ASIN] = true,  [EXPR_ACOS] = true};
    const ExprOp op = expr_node(pool, e).op;
    return (size_t)op < sizeof FUNCTIONS / sizeof *FUNCTIONS && FUNCTIONS[op];
}

static Expr root(ExprPool *pool, Expr e)
{
    return expr_call(pool, EXPR_SQRT, &e, 1);
}

Expr sharp_slope(ExprPool *pool, Expr e)
{
    const ExprNode node = expr_node(pool, e);
    const Expr u = node.args[0], one = expr_const(pool, 1);
    Expr size = e;

    if (node.op == EXPR_CBRT)
        size = expr_mul(pool, e, e);
    else if (node.op == EXPR_LOG || node.op == EXPR_LOG10)
        size = u;
    else if (node.op == EXPR_ASINH)
        size = root(pool, expr_add(pool, one, expr_mul(pool, u, u)));
    else if (node.op == EXPR_ASIN || node.op == EXPR_ACOS)
        size = root(pool, expr_sub(pool, one, expr_mul(pool, u, u)));
    return expr_div(pool, one, size);
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
