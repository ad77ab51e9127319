/* Narrow barriers, pulses and switches consist of few functions. Corners (abs, if, ...) are not
 * among them, because they have guards. */
#include "core/expr/interval/sharp.h"

#include <math.h>

#include "core/base/arena.h"
#include "core/expr/calculus/diff.h"
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
    Arena memory;    /* owns the arrays */
} Moving;

/* Powers of powers, with sums in between, are as narrow as their power: ((u^2 + c)^2 + c)^2. */
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

/* The expression that represents a sharp function e = f(u). */
typedef enum PartKind {
    NOT_SHARP,
    ITSELF,
    SLOPE,      /* up to a constant factor */
    RECIPROCAL, /* 1/e: the slope of a norm, up to a bounded factor */
    SQUARE,     /* 1 + e^2: of sinh the square of the slope */
    BOUNDED,    /* e plus a bound of |e| */
} PartKind;

static PartKind function_part(ExprOp op)
{
    static const unsigned char KINDS[] = {
        [EXPR_EXP] = ITSELF,   [EXPR_POW] = ITSELF,  [EXPR_COSH] = ITSELF,
        [EXPR_ACOSH] = ITSELF, [EXPR_SQRT] = SLOPE,  [EXPR_CBRT] = SLOPE,
        [EXPR_LOG] = SLOPE,    [EXPR_LOG10] = SLOPE, [EXPR_ASINH] = SLOPE,
        [EXPR_ASIN] = SLOPE,   [EXPR_ACOS] = SLOPE,  [EXPR_ATANH] = SLOPE,
        [EXPR_TAN] = SLOPE,    [EXPR_SINH] = SQUARE, [EXPR_HYPOT] = RECIPROCAL,
        [EXPR_TANH] = BOUNDED, [EXPR_ERF] = BOUNDED, [EXPR_ATAN] = BOUNDED,
        [EXPR_ATAN2] = BOUNDED};

    return (size_t)op < sizeof KINDS ? (PartKind)KINDS[op] : NOT_SHARP;
}

static bool sharp(const ExprPool *pool, const ExprNode *node, const Moving *moving, double degree)
{
    return node->op == EXPR_PRODUCT ? sharp_product(pool, node, moving, degree)
                                    : function_part(node->op) != NOT_SHARP;
}

static Status moving_init(const ExprPool *pool, const Expr *roots, size_t n_roots,
                          uint32_t n_moving, Moving *ret, Error *err)
{
    Status status = reach_init(pool, roots, n_roots, &ret->reach, err);
    bool *moves = ret->moves = ARENA_NEW(&ret->memory, ret->reach.n, bool);
    ret->degrees = arena_doubles(&ret->memory, ret->reach.n);
    if (status == OK)
        status = arena_status(&ret->memory, err);
    for (uint32_t i = 0; status == OK && i < ret->reach.n; i++) {
        const ExprNode node = expr_node(pool, ret->reach.order[i]);
        moves[i] = node.op == EXPR_SYMBOL && node.symbol < n_moving;
        for (uint32_t k = 0; k < node.n; k++)
            moves[i] = moves[i] || moves[ret->reach.slot[node.args[k].id]];
        ret->degrees[i] = moves[i] ? degree_of(pool, &node, ret) : 1;
    }
    return status;
}

static void moving_done(Moving *moving)
{
    arena_done(&moving->memory);
    reach_done(&moving->reach);
}

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
    const ExprOp op = expr_node(pool, e).op;

    if (op == EXPR_PRODUCT)
        return narrow_powers(pool, e, moving);
    switch (function_part(op)) {
    case SLOPE:
        return diff_slope(pool, e);
    case RECIPROCAL:
        return expr_div(pool, expr_const(pool, 1), e);
    case SQUARE:
        return expr_add(pool, expr_const(pool, 1), expr_mul(pool, e, e));
    case BOUNDED: /* values of tanh, erf, atan and atan2 are below 4 in magnitude */
        return expr_add(pool, e, expr_const(pool, 4));
    case NOT_SHARP:
    case ITSELF:
        break;
    }
    return e;
}

/* The part that a moving node contributes to a list; EXPR_NONE: none. */
typedef Expr Part(ExprPool *pool, const Moving *moving, uint32_t i);

static Expr sharp_node(ExprPool *pool, const Moving *moving, uint32_t i)
{
    const Expr e = moving->reach.order[i];
    const ExprNode node = expr_node(pool, e);

    return sharp(pool, &node, moving, moving->degrees[i]) ? e : EXPR_NONE;
}

static Expr sharp_part(ExprPool *pool, const Moving *moving, uint32_t i)
{
    const Expr e = sharp_node(pool, moving, i);
    return expr_is_none(e) ? e : part_of(pool, e, moving);
}

/* The guard of a corner. */
static Expr corner_guard(ExprPool *pool, const Moving *moving, uint32_t i)
{
    const ExprNode node = expr_node(pool, moving->reach.order[i]);
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

/* Lists each part once. */
static Status list_parts(ExprPool *pool, const Moving *moving, Part *part, Expr *ret_parts,
                         size_t room, size_t *ret_n, Error *err)
{
    for (uint32_t i = 0; i < moving->reach.n; i++) {
        const Expr e = moving->moves[i] ? part(pool, moving, i) : EXPR_NONE;
        if (expr_is_none(e) || listed(ret_parts, *ret_n < room ? *ret_n : room, e))
            continue;
        if (*ret_n < room)
            ret_parts[*ret_n] = e;
        (*ret_n)++;
    }
    return expr_pool_status(pool, err);
}

Status sharp_nodes(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_parts, size_t room, size_t *ret_n, Error *err)
{
    Moving moving = {0};
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);

    *ret_n = 0;
    if (status == OK)
        status = list_parts(pool, &moving, room > 0 ? sharp_part : sharp_node, ret_parts, room,
                            ret_n, err);
    moving_done(&moving);
    return status;
}

Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err)
{
    Moving moving = {0};
    Status status = moving_init(pool, roots, n_roots, n_moving, &moving, err);

    *ret_n = 0;
    if (status == OK)
        status = list_parts(pool, &moving, corner_guard, ret_guards, room, ret_n, err);
    moving_done(&moving);
    return status;
}
