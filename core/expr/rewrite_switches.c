/* Functions with corners frozen into modes, each with the guard whose sign it is. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/expr/rewrite.h"

typedef struct Freeze {
    Rewrite rewrite;
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

/* The symbol for the sign of the guard: of a known switch, of one with the opposite guard, or a
 * new one. */
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

/* The operands of a node with two, as they have become. */
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

static Expr freeze_node(Freeze *freeze, Expr e)
{
    ExprPool *pool = freeze->rewrite.pool;
    ExprOp op = pool_op(pool, e);

    if (op == EXPR_MIN || op == EXPR_MAX)
        return freeze_selection(freeze, e);
    if (op == EXPR_LT || op == EXPR_LE || op == EXPR_EQ)
        return freeze_comparison(freeze, e);
    if (op != EXPR_ABS && op != EXPR_SIGN)
        return rewrite_node(&freeze->rewrite, e);

    Expr u = rewrite_of(&freeze->rewrite, pool_arg(pool, e, 0));
    Expr mode = mode_of(freeze, u);
    return op == EXPR_SIGN ? mode : expr_mul(pool, mode, u);
}

Status expr_freeze_switches(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_mode,
                            Expr *ret_roots, ExprSwitch **ret_switches, size_t *ret_n, Error *err)
{
    Freeze freeze = {.first_mode = first_mode};
    bool ok = rewrite_init(&freeze.rewrite, pool, roots, n_roots);
    const Reach *reach = &freeze.rewrite.reach;

    for (size_t i = 0; i < reach->n && ok; i++) {
        freeze.rewrite.to[i] = freeze_node(&freeze, reach->order[i]);
        ok = pool->status == OK;
    }
    Status status = expr_pool_status(pool, err);
    if (status == OK) {
        for (size_t i = 0; i < n_roots; i++)
            ret_roots[i] =
                expr_is_none(roots[i]) ? EXPR_NONE : rewrite_of(&freeze.rewrite, roots[i]);
        *ret_switches = freeze.switches;
        *ret_n = freeze.n;
        freeze.switches = NULL;
    }
    free(freeze.switches);
    free(freeze.by_guard);
    rewrite_done(&freeze.rewrite);
    return status;
}
