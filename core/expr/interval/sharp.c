/* Narrow barriers, pulses and switches consist of few functions. Corners (abs, if, ...) are not
 * among them, because they have guards. */
#include "core/expr/interval/sharp.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/graph/reach.h"
#include "core/expr/interval/interval.h"

static bool plain(const ExprPool *pool, Expr e)
{
    return expr_node(pool, e).op == EXPR_SYMBOL;
}

/* The nodes below the roots, and those that depend on a symbol below n_moving. */
typedef struct Moving {
    Reach reach;
    bool *moves;     /* [reach.n] */
    double *degrees; /* [reach.n]: degrees as polynomials in nodes other than symbols; else 1 */
} Moving;

/* Powers of powers, with sums in between, are as narrow as the power that they approximate: near u
 * = 0 ((u^2 + c)^2 + c)^2 is u^8. */
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

/* A product is sharp by the power of a factor, or by its own degree if it raises that. */
static bool sharp_product(const ExprPool *pool, const ExprNode *node, const Moving *moving,
                          double degree)
{
    uint32_t raises = 0;
    for (uint32_t k = 0; k < node->n; k++) {
        const Expr factor = node->args[k];
        if (!moving->moves[moving->reach.slot[factor.id]])
            continue;
        if (node->coefs[k] < 0 || node->coefs[k] >= HIGH_POWER)
            return true;
        if (!plain(pool, factor))
            raises += node->coefs[k] > 1 ? 2 : 1;
    }
    return raises > 1 && degree >= HIGH_POWER;
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
    /* a node moves if an operand does */
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

/* 1 + sign u^2 */
static Expr one_and_square(ExprPool *pool, double sign, Expr u)
{
    return expr_add(pool, expr_const(pool, 1), expr_scale(pool, sign, expr_mul(pool, u, u)));
}

static Expr reciprocal(ExprPool *pool, Expr e)
{
    return expr_div(pool, expr_const(pool, 1), e);
}

static Expr reciprocal_root(ExprPool *pool, Expr e)
{
    return reciprocal(pool, expr_call(pool, EXPR_SQRT, &e, 1));
}

/* Slopes of e = f(u), up to constant factors. */
static Expr slope_of_root(ExprPool *pool, Expr e, Expr u)
{
    (void)u;
    return reciprocal(pool, e);
}

static Expr slope_of_cbrt(ExprPool *pool, Expr e, Expr u)
{
    (void)u;
    return reciprocal(pool, expr_mul(pool, e, e));
}

static Expr slope_of_log(ExprPool *pool, Expr e, Expr u)
{
    (void)e;
    return reciprocal(pool, u);
}

static Expr slope_of_asinh(ExprPool *pool, Expr e, Expr u)
{
    (void)e;
    return reciprocal_root(pool, one_and_square(pool, 1, u));
}

static Expr slope_of_asin(ExprPool *pool, Expr e, Expr u)
{
    (void)e;
    return reciprocal_root(pool, one_and_square(pool, -1, u));
}

static Expr slope_of_atanh(ExprPool *pool, Expr e, Expr u)
{
    (void)e;
    return reciprocal(pool, one_and_square(pool, -1, u));
}

/* Of sinh the square of the slope. */
static Expr slope_of_tan(ExprPool *pool, Expr e, Expr u)
{
    (void)u;
    return one_and_square(pool, 1, e);
}

/* Values of tanh, erf, atan and atan2 are below 4 in magnitude. */
static Expr less_a_bound(ExprPool *pool, Expr e, Expr u)
{
    (void)u;
    return expr_add(pool, e, expr_const(pool, 4));
}

typedef Expr Part(ExprPool *pool, Expr e, Expr u);

static Part *const PARTS[] = {
    [EXPR_SQRT] = slope_of_root, [EXPR_HYPOT] = slope_of_root, [EXPR_CBRT] = slope_of_cbrt,
    [EXPR_LOG] = slope_of_log,   [EXPR_LOG10] = slope_of_log,  [EXPR_ASINH] = slope_of_asinh,
    [EXPR_ASIN] = slope_of_asin, [EXPR_ACOS] = slope_of_asin,  [EXPR_ATANH] = slope_of_atanh,
    [EXPR_SINH] = slope_of_tan,  [EXPR_TAN] = slope_of_tan,    [EXPR_TANH] = less_a_bound,
    [EXPR_ERF] = less_a_bound,   [EXPR_ATAN] = less_a_bound,   [EXPR_ATAN2] = less_a_bound,
};

/* A product without its simple factors, if one of its powers is narrow. */
static Expr narrow_powers(ExprPool *pool, Expr e, const Moving *moving)
{
    const uint32_t n = expr_node(pool, e).n;
    Expr powers = expr_const(pool, 1);

    for (uint32_t k = 0; k < n; k++) {
        const ExprNode node = expr_node(pool, e); /* the pool may have moved its arrays */
        const Expr factor = node.args[k];
        const double power = node.coefs[k];
        const bool moves = moving->moves[moving->reach.slot[factor.id]];
        if (moves && (power < 0 || power >= HIGH_POWER || (power > 1 && !plain(pool, factor))))
            powers = expr_mul(pool, powers, expr_pow(pool, factor, expr_const(pool, power)));
    }
    return expr_is_const(pool, powers, NULL) ? e : powers;
}

/* The part of a sharp node; see sharp_nodes(). */
static Expr part_of(ExprPool *pool, Expr e, const Moving *moving)
{
    const ExprNode node = expr_node(pool, e);

    if (node.op == EXPR_PRODUCT)
        return narrow_powers(pool, e, moving);
    if ((size_t)node.op < sizeof PARTS / sizeof *PARTS && PARTS[node.op])
        return PARTS[node.op](pool, e, node.args[0]);
    return e;
}

static bool listed(const Expr *list, size_t n, Expr e)
{
    for (size_t i = 0; i < n; i++)
        if (expr_same(list[i], e))
            return true;
    return false;
}

Status sharp_nodes(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_parts, size_t room, size_t *ret_n, Error *err)
{
    Moving moving;

    *ret_n = 0;
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);
    if (status != OK)
        return status;
    /* each sharp node once */
    for (uint32_t i = 0; i < moving.reach.n; i++) {
        const Expr e = moving.reach.order[i];
        const ExprNode node = expr_node(pool, e);
        if (!moving.moves[i] || !sharp(pool, &node, &moving, moving.degrees[i]))
            continue;
        const Expr part = room > 0 ? part_of(pool, e, &moving) : e;
        if (listed(ret_parts, *ret_n < room ? *ret_n : room, part))
            continue;
        if (*ret_n < room)
            ret_parts[*ret_n] = part;
        (*ret_n)++;
    }
    moving_done(&moving);
    return expr_pool_status(pool, err);
}

/* The guard of a corner; EXPR_NONE for other nodes. */
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

Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err)
{
    Moving moving;

    *ret_n = 0;
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);
    if (status != OK)
        return status;
    /* each guard once */
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
