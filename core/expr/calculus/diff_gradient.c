/* Reverse mode: one sweep from the root down to all symbols. */
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/diff.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"
#include "core/expr/graph/reach.h"

/* Limit on nested branches. */
enum { MOST_BRANCHES = 8 };

/* The contribution of a user of a node to its adjoint; the list of shares becomes one sum. */
typedef struct Share {
    double coef;
    Expr e;
    uint32_t component; /* of an EXPR_SOLVE; else 0 */
    uint32_t next;      /* 0 ends the list */
} Share;

typedef struct Sweep {
    ExprPool *pool;
    Reach reach;
    bool *active;    /* by slot: depends on one of the symbols */
    uint32_t *first; /* by slot: its shares */
    Expr *adjoints;  /* by slot: of the symbols, set by the sweep */
    Share *shares;
    size_t n_shares, shares_capacity;
    Arena memory; /* owns the arrays by slot */
} Sweep;

static bool is_active(const Sweep *sweep, Expr e)
{
    return sweep->active[sweep->reach.slot[e.id]];
}

static void add_component(Sweep *sweep, Expr to, uint32_t component, double coef, Expr e)
{
    if (expr_is_none(e) || expr_is_zero(sweep->pool, e))
        return;
    if (!grow_array(&sweep->shares, &sweep->shares_capacity, sweep->n_shares + 2, sizeof(Share))) {
        pool_fail(sweep->pool, ERR_NO_MEMORY, "out of memory");
        return;
    }
    uint32_t *first = &sweep->first[sweep->reach.slot[to.id]];
    uint32_t place = (uint32_t)++sweep->n_shares;
    sweep->shares[place] = (Share){coef, e, component, *first};
    *first = place;
}

static void add_share(Sweep *sweep, Expr to, double coef, Expr e)
{
    add_component(sweep, to, 0, coef, e);
}

static Expr adjoint_of(const Sweep *sweep, Expr e, uint32_t component)
{
    ExprPool *pool = sweep->pool;
    SumBuild sum = sum_begin(pool);
    const Share *share;

    for (uint32_t s = sweep->first[sweep->reach.slot[e.id]]; s != 0; s = share->next) {
        share = &sweep->shares[s];
        if (share->component == component)
            sum_push(pool, &sum, share->coef, share->e);
    }
    return sum_end(pool, &sum);
}

static void sum_reverse(Sweep *sweep, Expr e, Expr adjoint)
{
    ExprPool *pool = sweep->pool;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        if (is_active(sweep, pool_arg(pool, e, k)))
            add_share(sweep, pool_arg(pool, e, k), pool_coef(pool, e, k), adjoint);
}

/* if(c, a, 0) or if(c, 0, a): the index of a among the operands, or 0. */
static size_t only_branch(ExprPool *pool, Expr e)
{
    if (pool_op(pool, e) != EXPR_IF)
        return 0;
    return expr_is_zero(pool, pool_arg(pool, e, 2)) ? 1
                                                    : 2 * expr_is_zero(pool, pool_arg(pool, e, 1));
}

/* A branch times the factor, inside the branch's condition. If the branch is not taken, the factor
 * may be undefined, and the product must be 0, not 0 times log(-1). */
static Expr branch_times(ExprPool *pool, Expr e, Expr factor)
{
    Expr around[MOST_BRANCHES], inner = e;
    size_t n = 0;

    while (n < MOST_BRANCHES && only_branch(pool, inner) != 0) {
        around[n++] = inner;
        inner = pool_arg(pool, inner, only_branch(pool, inner));
    }
    Expr product = expr_mul(pool, inner, factor);
    while (n-- > 0) {
        const size_t k = only_branch(pool, around[n]);
        const Expr zero = expr_const(pool, 0.0);
        const Expr branches[] = {pool_arg(pool, around[n], 0), k == 1 ? product : zero,
                                 k == 1 ? zero : product};
        product = expr_call(pool, EXPR_IF, branches, 3);
    }
    return product;
}

static Expr adjoint_times(ExprPool *pool, Expr adjoint, Expr factor)
{
    const size_t n = pool_op(pool, adjoint) == EXPR_SUM && pool_node(pool, adjoint)->value == 0
                         ? pool_node(pool, adjoint)->n
                         : 0;
    size_t branches = 0;
    SumBuild sum = sum_begin(pool);

    while (branches < n && only_branch(pool, pool_arg(pool, adjoint, (uint32_t)branches)) != 0)
        branches++;
    if (n == 0 || branches < n)
        return branch_times(pool, adjoint, factor);
    for (uint32_t k = 0; k < n && pool->status == OK; k++) {
        const double coef = pool_coef(pool, adjoint, k);
        sum_push(pool, &sum, coef, branch_times(pool, pool_arg(pool, adjoint, k), factor));
    }
    return sum_end(pool, &sum);
}

static void product_reverse(Sweep *sweep, Expr e, Expr adjoint)
{
    ExprPool *pool = sweep->pool;

    for (uint32_t k = 0; k < pool_node(pool, e)->n && pool->status == OK; k++) {
        Expr factor = pool_arg(pool, e, k);
        if (!is_active(sweep, factor))
            continue;
        /* d(u^c r) = c u^c r / u du: the product with one factor u less */
        ProductBuild share = product_begin(pool);
        product_push(pool, &share, e, 1.0);
        product_push(pool, &share, factor, -1.0);
        add_share(sweep, factor, pool_coef(pool, e, k),
                  adjoint_times(pool, adjoint, product_end(pool, &share)));
    }
}

static void function_reverse(Sweep *sweep, Expr e, Expr adjoint)
{
    ExprPool *pool = sweep->pool;

    for (uint32_t k = 0; k < pool_node(pool, e)->n && pool->status == OK; k++) {
        Expr arg = pool_arg(pool, e, k);
        if (is_active(sweep, arg))
            add_share(sweep, arg, 1.0, adjoint_times(pool, adjoint, diff_partial(pool, e, k)));
    }
}

static void branch_reverse(Sweep *sweep, Expr e, Expr adjoint)
{
    ExprPool *pool = sweep->pool;
    size_t first, second;
    Expr condition = diff_branch(pool, e, &first, &second);
    Expr zero = expr_const(pool, 0.0);
    Expr taken[] = {condition, adjoint, zero}, other[] = {condition, zero, adjoint};

    add_share(sweep, pool_arg(pool, e, first), 1.0, expr_call(pool, EXPR_IF, taken, 3));
    add_share(sweep, pool_arg(pool, e, second), 1.0, expr_call(pool, EXPR_IF, other, 3));
}

/* The factor of the transposed matrix: the same node if the matrix is symmetric. */
static Expr transposed_factor(ExprPool *pool, Expr factor, size_t n, Expr *scratch)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            scratch[i * n + j] = pool_arg(pool, factor, j * n + i);
    const uint32_t scaling = pool_node(pool, factor)->symbol;
    return scaling ? expr_factor_saddle(pool, n, scaling - 1, scratch)
                   : expr_factor(pool, n, scratch);
}

/* M x = b with adjoint a of x: b gets w = M^-T a, and M_ij gets -w_i x_j. */
static void solve_reverse(Sweep *sweep, Expr solve)
{
    ExprPool *pool = sweep->pool;
    const size_t n = diff_solve_order(pool, solve);
    Expr factor = pool_arg(pool, solve, 0);
    Expr *matrix = ARENA_NEW(&sweep->memory, n * n + n, Expr);
    if (!matrix) {
        expr_pool_no_memory(pool);
        return;
    }

    /* w = M^-T a */
    Expr *w = matrix + n * n;
    const Expr transposed = transposed_factor(pool, factor, n, matrix);
    for (size_t i = 0; i < n; i++)
        w[i] = adjoint_of(sweep, solve, (uint32_t)i);
    expr_solve(pool, transposed, n, w, w);
    for (size_t i = 0; i < n && pool->status == OK; i++) {
        Expr b = pool_arg(pool, solve, 1 + i);
        if (is_active(sweep, b))
            add_share(sweep, b, 1.0, w[i]);
        /* row i of -w x^T */
        for (size_t j = 0; j < n && pool->status == OK; j++) {
            Expr entry = pool_arg(pool, factor, i * n + j);
            if (!is_active(sweep, entry))
                continue;
            Expr x = pool_intern(
                pool, &(Shape){.op = EXPR_ELEMENT, .n = 1, .args = &solve, .symbol = (uint32_t)j});
            add_share(sweep, entry, -1.0, expr_mul(pool, w[i], x));
        }
    }
}

/* Passes a node's adjoint on to its operands. Conditions and factors pass nothing on. */
static void node_reverse(Sweep *sweep, Expr e)
{
    ExprOp op = pool_op(sweep->pool, e);

    if (op == EXPR_SOLVE) {
        solve_reverse(sweep, e);
        return;
    }
    /* the adjoint is complete; each operand gets a share */
    Expr adjoint = adjoint_of(sweep, e, 0);
    if (expr_is_none(adjoint))
        return;
    sweep->adjoints[sweep->reach.slot[e.id]] = adjoint;
    if (op == EXPR_SUM)
        sum_reverse(sweep, e, adjoint);
    else if (op == EXPR_PRODUCT)
        product_reverse(sweep, e, adjoint);
    else if (op == EXPR_MIN || op == EXPR_MAX || op == EXPR_IF)
        branch_reverse(sweep, e, adjoint);
    else if (op >= FUNCTION_FIRST && op <= FUNCTION_LAST)
        function_reverse(sweep, e, adjoint);
    else if (op == EXPR_ELEMENT)
        add_component(sweep, pool_arg(sweep->pool, e, 0), pool_node(sweep->pool, e)->symbol, 1.0,
                      adjoint);
}

/* Marks nodes that depend on the symbols. */
static void mark_active(Sweep *sweep, const Expr *wrt, size_t n)
{
    const ExprPool *pool = sweep->pool;

    for (size_t i = 0; i < n; i++)
        if (!expr_is_none(wrt[i]) && reach_has(&sweep->reach, wrt[i]))
            sweep->active[sweep->reach.slot[wrt[i].id]] = true;
    for (size_t i = 0; i < sweep->reach.n; i++) {
        const Node *node = pool_node(pool, sweep->reach.order[i]);
        ExprOp op = (ExprOp)node->op;
        if (op == EXPR_SIGN || op == EXPR_RCOND || function_is_condition(op))
            continue;
        for (uint32_t k = 0; k < node->n && !sweep->active[i]; k++)
            sweep->active[i] = is_active(sweep, pool->args[node->first + k]);
    }
}

static bool sweep_init(Sweep *sweep, ExprPool *pool, Expr e)
{
    Error error;

    if (pool->status != OK || expr_is_none(e))
        return false;
    Status status = reach_init(pool, &e, 1, &sweep->reach, &error);
    sweep->active = ARENA_NEW(&sweep->memory, sweep->reach.n, bool);
    sweep->first = ARENA_NEW(&sweep->memory, sweep->reach.n, uint32_t);
    sweep->adjoints = ARENA_NEW(&sweep->memory, sweep->reach.n, Expr);
    if (status != OK || arena_failed(&sweep->memory))
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    return pool->status == OK;
}

void expr_gradient(ExprPool *pool, Expr e, const Expr *wrt, size_t n, Expr *ret)
{
    Sweep sweep = {.pool = pool};
    bool ok = sweep_init(&sweep, pool, e);
    Expr zero = expr_const(pool, 0.0);

    if (ok) {
        mark_active(&sweep, wrt, n);
        add_share(&sweep, e, 1.0, expr_const(pool, 1.0));
    }
    /* users before operands: a node's shares are complete when the sweep reaches it */
    for (size_t i = sweep.reach.n; i > 0 && ok; i--) {
        if (sweep.active[i - 1] && sweep.first[i - 1] != 0)
            node_reverse(&sweep, sweep.reach.order[i - 1]);
        ok = pool->status == OK;
    }
    for (size_t i = 0; i < n; i++) {
        Expr derivative = zero;
        if (ok && !expr_is_none(wrt[i]) && reach_has(&sweep.reach, wrt[i]))
            derivative = sweep.adjoints[sweep.reach.slot[wrt[i].id]];
        ret[i] = !ok || expr_is_none(wrt[i]) ? EXPR_NONE
                 : expr_is_none(derivative)  ? zero
                                             : derivative;
    }
    reach_done(&sweep.reach);
    arena_done(&sweep.memory);
    free(sweep.shares);
}

void expr_jacobian(ExprPool *pool, const Expr *e, size_t m, const Expr *wrt, size_t n, Expr *ret)
{
    for (size_t i = 0; i < m; i++)
        expr_gradient(pool, e[i], wrt, n, ret + i * n);
}
