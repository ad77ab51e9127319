/* Functions with corners frozen into modes, each with the guard whose sign it is.
 *
 * Within a step across a corner, up to its root, the modes keep the branch before it. In max(0, -y)
 * the branch -y is negative beyond the corner, where its root and its power 1.5 do not exist.
 * Therefore u becomes |u| under roots and powers if a corner keeps u from being negative. The same
 * holds for a guard on the side on which its mode is positive, in if(y < 0, (-y)^1.5, 0). Other
 * roots of negative values stay undefined. */
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"

/* The known sign of an expression. */
typedef enum Sign {
    ANY,
    NEVER_NEGATIVE,
    KEPT, /* a corner keeps it from being negative */
} Sign;

typedef struct Freeze {
    Rewrite rewrite;
    Sign *signs; /* by slot */
    bool known;  /* the guards are known: this is the second pass */
    bool again;  /* a root of a guard needs a second pass */
    uint32_t first_mode;
    ExprSwitch *switches;
    size_t n, capacity;
    uint32_t *by_guard; /* by the guard's id: 1 + the place of its switch, or 0 */
    size_t n_by_guard, by_guard_capacity;
} Freeze;

static Expr find_mode(const Freeze *freeze, Expr guard)
{
    uint32_t place = guard.id < freeze->n_by_guard ? freeze->by_guard[guard.id] : 0;
    return place ? freeze->switches[place - 1].mode : EXPR_NONE;
}

static Expr add_switch(Freeze *freeze, Expr guard)
{
    ExprPool *pool = freeze->rewrite.pool;
    Expr mode = expr_symbol(pool, freeze->first_mode + (uint32_t)freeze->n);
    size_t ids = pool->n_nodes + 1;

    if (!grow_array(&freeze->switches, &freeze->capacity, freeze->n + 1, sizeof(ExprSwitch)) ||
        !grow_array(&freeze->by_guard, &freeze->by_guard_capacity, ids, sizeof(uint32_t)))
        return pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    for (; freeze->n_by_guard < ids; freeze->n_by_guard++)
        freeze->by_guard[freeze->n_by_guard] = 0;
    freeze->switches[freeze->n++] = (ExprSwitch){guard, mode};
    freeze->by_guard[guard.id] = (uint32_t)freeze->n;
    return mode;
}

/* The symbol for the sign of a guard: known, the negative of a known one, or new. */
static Expr mode_of(Freeze *freeze, Expr guard)
{
    ExprPool *pool = freeze->rewrite.pool;
    double value;

    if (pool->status != OK)
        return EXPR_NONE;
    if (expr_is_const(pool, guard, &value))
        return expr_const(pool, value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0);
    Expr mode = find_mode(freeze, guard);
    if (!expr_is_none(mode))
        return mode;
    mode = find_mode(freeze, expr_neg(pool, guard));
    return expr_is_none(mode) ? add_switch(freeze, guard) : expr_neg(pool, mode);
}

/* The rewritten operands of a node with two, and their difference. */
static Expr switch_difference(const Freeze *freeze, Expr e, Expr *ret_a, Expr *ret_b)
{
    ExprPool *pool = freeze->rewrite.pool;

    *ret_a = rewrite_of(&freeze->rewrite, pool_arg(pool, e, 0));
    *ret_b = rewrite_of(&freeze->rewrite, pool_arg(pool, e, 1));
    return expr_sub(pool, *ret_a, *ret_b);
}

/* min, max: with guard a - b, the branch that the mode selects. */
static Expr freeze_selection(Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    bool is_min = pool_op(pool, e) == EXPR_MIN;
    Expr a, b, mode, zero = expr_const(pool, 0.0);

    mode = mode_of(freeze, switch_difference(freeze, e, &a, &b));
    Expr below = expr_call(pool, EXPR_LT, (const Expr[]){mode, zero}, 2);
    return expr_call(pool, EXPR_IF, (const Expr[]){below, is_min ? a : b, is_min ? b : a}, 3);
}

/* a < b: the same comparison of the mode with 0. */
static Expr freeze_comparison(Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    Expr a, b, mode;

    mode = mode_of(freeze, switch_difference(freeze, e, &a, &b));
    return expr_call(pool, pool_op(pool, e), (const Expr[]){mode, expr_const(pool, 0.0)}, 2);
}

static Sign sign_of(const Freeze *freeze, Expr e)
{
    return freeze->signs[freeze->rewrite.reach.slot[e.id]];
}

static bool is_even(double exponent)
{
    return fmod(exponent, 2) == 0;
}

/* Sign of a product, or of a sum with positive coefficients. */
static Sign sign_of_terms(const Freeze *freeze, Expr e)
{
    const ExprPool *pool = freeze->rewrite.pool;
    const ExprNode node = expr_node(pool, e);
    Sign least = KEPT, most = ANY;

    for (uint32_t k = 0; k < node.n; k++) {
        Sign sign = sign_of(freeze, node.args[k]);
        if (node.op == EXPR_PRODUCT && is_even(node.coefs[k]))
            sign = NEVER_NEGATIVE;
        if (node.op == EXPR_SUM && !(node.coefs[k] > 0))
            sign = ANY;
        least = sign < least ? sign : least;
        most = sign > most ? sign : most;
    }
    return least == ANY || !(node.value >= 0) ? ANY : most;
}

/* |u| - u, |u| + u and multiples of these. */
static bool is_one_sided(const Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    const size_t n = pool_op(pool, e) == EXPR_SUM ? pool_node(pool, e)->n : 0;

    for (uint32_t k = 0; k < n && pool->status == OK; k++) {
        const Expr size = pool_arg(pool, e, k);
        const double times = pool_coef(pool, e, k);
        if (pool_op(pool, size) != EXPR_ABS || !(times > 0))
            continue;
        const Expr u = expr_scale(pool, times, pool_arg(pool, size, 0));
        const Expr rest = expr_sub(pool, e, expr_scale(pool, times, size));
        if (expr_same(rest, u) || expr_same(rest, expr_neg(pool, u)))
            return true;
    }
    return false;
}

static Sign find_sign(const Freeze *freeze, Expr e)
{
    const ExprPool *pool = freeze->rewrite.pool;
    const ExprNode node = expr_node(pool, e);
    double value;

    if (expr_is_const(pool, e, &value))
        return value >= 0 ? NEVER_NEGATIVE : ANY;
    if (node.op == EXPR_SUM || node.op == EXPR_PRODUCT) {
        const Sign sign = sign_of_terms(freeze, e);
        return sign == ANY && is_one_sided(freeze, e) ? KEPT : sign;
    }
    if (node.op == EXPR_SQRT || node.op == EXPR_POW)
        return sign_of(freeze, node.args[0]);
    if (node.op != EXPR_MIN && node.op != EXPR_MAX)
        return node.op == EXPR_ABS ? KEPT : ANY;
    const bool a = sign_of(freeze, node.args[0]) != ANY, b = sign_of(freeze, node.args[1]) != ANY;
    return (node.op == EXPR_MAX ? a || b : a && b) ? KEPT : ANY;
}

/* The other factors of a product that has a factor kept from being negative by a corner: they give
 * its sign. 1 if there are no others; EXPR_NONE if there is no such factor. */
static Expr other_factors(const Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    Expr rest = expr_const(pool, 1);
    bool kept = false;

    if (sign_of(freeze, e) == KEPT)
        return rest;
    /* a constant factor, then the factors of unknown sign */
    if (pool_op(pool, e) == EXPR_SUM && pool_node(pool, e)->n == 1 &&
        pool_node(pool, e)->value == 0) {
        rest = expr_const(pool, pool_coef(pool, e, 0));
        e = pool_arg(pool, e, 0);
        kept = sign_of(freeze, e) == KEPT;
    }
    if (pool_op(pool, e) != EXPR_PRODUCT)
        return kept ? rest : EXPR_NONE;
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const Expr factor = pool_arg(pool, e, k);
        kept = kept || sign_of(freeze, factor) == KEPT;
        if (sign_of(freeze, factor) == ANY && !is_even(pool_coef(pool, e, k)))
            rest = expr_mul(pool, rest, rewrite_of(&freeze->rewrite, factor));
    }
    return kept ? rest : EXPR_NONE;
}

/* Positive if the radicand (`from`, rewritten `to`) is meant to be; EXPR_NONE: no corner tells. */
static Expr meant_sign(Freeze *freeze, Expr from, Expr to)
{
    ExprPool *pool = freeze->rewrite.pool;
    const Expr others = other_factors(freeze, from);
    Expr mode;

    if (!expr_is_none(others))
        return others;
    if (!freeze->known) {
        freeze->again = true;
        return EXPR_NONE;
    }
    mode = find_mode(freeze, to);
    if (!expr_is_none(mode))
        return mode;
    mode = find_mode(freeze, expr_neg(pool, to));
    return expr_is_none(mode) ? mode : expr_neg(pool, mode);
}

/* sqrt, and powers with a fractional exponent. */
static Expr freeze_root(Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    const Expr from = pool_arg(pool, e, 0), to = rewrite_of(&freeze->rewrite, from);
    const Expr meant = meant_sign(freeze, from, to);

    if (expr_is_none(meant) || pool->status != OK)
        return rewrite_node(&freeze->rewrite, e);
    const Expr size = expr_abs(pool, to);
    const Expr positive = expr_call(pool, EXPR_LT, (const Expr[]){expr_const(pool, 0), meant}, 2);
    Expr args[2] = {expr_call(pool, EXPR_IF, (const Expr[]){positive, size, to}, 3)};
    if (pool_op(pool, e) == EXPR_SQRT)
        return expr_call(pool, EXPR_SQRT, args, 1);
    args[1] = rewrite_of(&freeze->rewrite, pool_arg(pool, e, 1));
    return expr_call(pool, EXPR_POW, args, 2);
}

static Expr freeze_node(Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    ExprOp op = pool_op(pool, e);

    if (op == EXPR_MIN || op == EXPR_MAX)
        return freeze_selection(freeze, e);
    if (op == EXPR_LT || op == EXPR_LE || op == EXPR_EQ)
        return freeze_comparison(freeze, e);
    if (op == EXPR_SQRT || op == EXPR_POW)
        return freeze_root(freeze, e);
    if (op != EXPR_ABS && op != EXPR_SIGN)
        return rewrite_node(&freeze->rewrite, e);

    Expr u = rewrite_of(&freeze->rewrite, pool_arg(pool, e, 0));
    Expr mode = mode_of(freeze, u);
    return op == EXPR_SIGN ? mode : expr_mul(pool, mode, u);
}

static bool freeze_all(Freeze *freeze)
{
    ExprPool *pool = freeze->rewrite.pool;
    const Reach *reach = &freeze->rewrite.reach;

    for (size_t i = 0; i < reach->n && pool->status == OK; i++) {
        freeze->signs[i] = find_sign(freeze, reach->order[i]);
        freeze->rewrite.to[i] = freeze_node(freeze, reach->order[i]);
    }
    return pool->status == OK;
}

Status expr_freeze_switches(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_mode,
                            Expr *ret_roots, ExprSwitch **ret_switches, size_t *ret_n, Error *err)
{
    Freeze freeze = {.first_mode = first_mode};
    bool ok = rewrite_init(&freeze.rewrite, pool, roots, n_roots);

    freeze.signs = ok ? calloc(freeze.rewrite.reach.n + 1, sizeof *freeze.signs) : NULL;
    if (ok && !freeze.signs)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    /* two passes if a root depends on a guard */
    if (freeze.signs && freeze_all(&freeze) && freeze.again && freeze.n > 0) {
        freeze.known = true;
        freeze_all(&freeze);
    }
    /* on success the caller owns the switches */
    Status status = expr_pool_status(pool, err);
    if (status == OK) {
        for (size_t i = 0; i < n_roots; i++)
            ret_roots[i] =
                expr_is_none(roots[i]) ? EXPR_NONE : rewrite_of(&freeze.rewrite, roots[i]);
        *ret_switches = freeze.switches;
        *ret_n = freeze.n;
        freeze.switches = NULL;
    }
    free(freeze.signs);
    free(freeze.switches);
    free(freeze.by_guard);
    rewrite_done(&freeze.rewrite);
    return status;
}
