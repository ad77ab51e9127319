/* Forward mode: the derivatives of a whole graph along one direction. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/diff.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"
#include "core/expr/graph/reach.h"

static Expr forward_of(const Forward *forward, Expr e)
{
    return forward->d[forward->reach.slot[e.id]];
}

static bool forward_constant(const Forward *forward, Expr e)
{
    return expr_same(forward_of(forward, e), forward->zero);
}

static Expr sum_forward(Forward *forward, Expr e)
{
    ExprPool *pool = forward->pool;
    SumBuild sum = sum_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        sum_push(pool, &sum, pool_coef(pool, e, k), forward_of(forward, pool_arg(pool, e, k)));
    return sum_end(pool, &sum);
}

static Expr product_forward(Forward *forward, Expr e)
{
    ExprPool *pool = forward->pool;
    SumBuild sum = sum_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n && pool->status == OK; k++) {
        Expr factor = pool_arg(pool, e, k);
        if (forward_constant(forward, factor))
            continue;
        /* d(u^c r) = c (u^c r / u) du */
        ProductBuild term = product_begin(pool);
        term.num = pool_coef(pool, e, k);
        product_push(pool, &term, e, 1.0);
        product_push(pool, &term, factor, -1.0);
        product_push(pool, &term, forward_of(forward, factor), 1.0);
        sum_push(pool, &sum, 1.0, product_end(pool, &term));
    }
    return sum_end(pool, &sum);
}

static Expr function_forward(Forward *forward, Expr e)
{
    ExprPool *pool = forward->pool;
    SumBuild sum = sum_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n && pool->status == OK; k++) {
        Expr arg = pool_arg(pool, e, k);
        if (forward_constant(forward, arg))
            continue;
        Expr partial = diff_partial(pool, e, k);
        sum_push(pool, &sum, 1.0, expr_mul(pool, partial, forward_of(forward, arg)));
    }
    return sum_end(pool, &sum);
}

/* d(x) of M x = b is solve(factor, db - dM x): writes the n components at `place` in vectors. */
static void solve_forward(Forward *forward, Expr e, size_t place)
{
    ExprPool *pool = forward->pool;
    size_t n = diff_solve_order(pool, e);
    Expr factor = pool_arg(pool, e, 0);
    Expr *rhs = forward->vectors + place;

    for (size_t i = 0; i < n; i++) {
        /* db_i - sum_j dM_ij x_j */
        SumBuild sum = sum_begin(pool);
        sum_push(pool, &sum, 1.0, forward_of(forward, pool_arg(pool, e, 1 + i)));
        for (size_t j = 0; j < n && pool->status == OK; j++) {
            Expr entry = pool_arg(pool, factor, i * n + j);
            if (forward_constant(forward, entry))
                continue;
            Expr x = pool_intern(
                pool, &(Shape){.op = EXPR_ELEMENT, .n = 1, .args = &e, .symbol = (uint32_t)j});
            sum_push(pool, &sum, -1.0, expr_mul(pool, forward_of(forward, entry), x));
        }
        rhs[i] = sum_end(pool, &sum);
    }
    expr_solve(pool, factor, n, rhs, rhs);
}

/* Makes room for the derivative of an EXPR_SOLVE; the slot holds its place, as an id. */
static Expr reserve_vector(Forward *forward, size_t n)
{
    size_t place = forward->n_vectors;

    if (!grow_array(&forward->vectors, &forward->vectors_capacity, place + n, sizeof(Expr)))
        return pool_fail(forward->pool, ERR_NO_MEMORY, "out of memory");
    forward->n_vectors += n;
    return (Expr){(uint32_t)place};
}

Expr forward_derivative(Forward *forward, Expr e)
{
    ExprPool *pool = forward->pool;
    ExprOp op = pool_op(pool, e);

    if (op == EXPR_SUM)
        return sum_forward(forward, e);
    if (op == EXPR_PRODUCT)
        return product_forward(forward, e);
    if (op == EXPR_MIN || op == EXPR_MAX || op == EXPR_IF)
        return diff_choice(pool, e, &forward->reach, forward->d);
    if (op >= FUNCTION_FIRST && op <= FUNCTION_LAST)
        return function_forward(forward, e);
    if (op == EXPR_SOLVE) {
        Expr place = reserve_vector(forward, diff_solve_order(pool, e));
        if (pool->status == OK)
            solve_forward(forward, e, place.id);
        return place;
    }
    if (op == EXPR_ELEMENT) {
        Expr place = forward_of(forward, pool_arg(pool, e, 0));
        return forward->vectors[place.id + pool_node(pool, e)->symbol];
    }
    return forward->zero; /* constants, other symbols, conditions, factors, their condition */
}

bool forward_extend(Forward *forward, const Expr *roots, size_t n_roots)
{
    ExprPool *pool = forward->pool;
    const uint32_t old = forward->reach.n;
    const size_t room = forward->reach.size;

    if (pool->status != OK)
        return false;
    if (expr_is_none(forward->zero))
        forward->zero = expr_const(pool, 0.0);
    if (reach_extend(pool, &forward->reach, roots, n_roots, NULL) != OK ||
        !grow_array(&forward->d, &forward->capacity, forward->reach.n, sizeof *forward->d)) {
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
        return false;
    }
    /* new nodes have no derivative yet */
    for (uint32_t i = old; i < forward->reach.n; i++)
        forward->d[i] = EXPR_NONE;
    pool->work += forward->reach.n - old + (forward->reach.size - room) / 8;
    return pool->status == OK;
}

void forward_done(Forward *forward)
{
    reach_done(&forward->reach);
    free(forward->d);
    free(forward->vectors);
}

/* Sets the derivatives of the symbols; false if a needed derivative is missing. */
static bool forward_seed(Forward *forward, const ExprChange *change)
{
    bool ok = true;

    for (size_t i = 0; i < change->n && ok; i++) {
        Expr symbol = change->symbols[i];
        if (expr_is_none(symbol) || !reach_has(&forward->reach, symbol))
            continue;
        forward->d[forward->reach.slot[symbol.id]] = change->rates[i];
        ok = !expr_is_none(change->rates[i]);
    }
    return ok;
}

void expr_along(ExprPool *pool, const Expr *roots, size_t n_roots, const ExprChange *changes,
                size_t n_changes, Expr *ret)
{
    Forward forward = {.pool = pool};
    bool ok = forward_extend(&forward, roots, n_roots);

    for (size_t i = 0; i < n_changes && ok; i++)
        ok = forward_seed(&forward, &changes[i]);
    for (size_t i = 0; i < forward.reach.n && ok; i++) {
        if (expr_is_none(forward.d[i])) /* not one of the symbols */
            forward.d[i] = forward_derivative(&forward, forward.reach.order[i]);
        ok = pool->status == OK;
    }
    for (size_t i = 0; i < n_roots; i++)
        ret[i] = ok && !expr_is_none(roots[i]) ? forward_of(&forward, roots[i]) : EXPR_NONE;
    forward_done(&forward);
}

void expr_directional(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                      const Expr *rates, size_t n, Expr *ret)
{
    expr_along(pool, roots, n_roots, &(ExprChange){symbols, rates, n}, 1, ret);
}

Expr expr_diff(ExprPool *pool, Expr e, Expr symbol)
{
    Expr one = expr_const(pool, 1.0), result;
    expr_directional(pool, &e, 1, &symbol, &one, 1, &result);
    return result;
}
