/* Chaplygin's reduced equations on the base (S. A. Chaplygin, 1897; time-dependent and affine:
 * B. Jovanovic), their mass matrix and his multiplier. */
#include "core/motion/chaplygin/reduction.h"

#include <string.h>

void reduction_lift(const Reduction *red, const Expr *roots, size_t n, Expr *ret)
{
    expr_substitute(red->pool, roots, n, red->ydot, red->lift.ydot, red->r, ret);
}

/* The length of an expression: its operands, with shared parts counted once. */
static size_t length(const ExprPool *pool, Expr e, bool *reached)
{
    size_t count = 0;

    memset(reached, 0, e.id + 1);
    reached[e.id] = true;
    for (uint32_t id = e.id; id > 0; id--) {
        if (!reached[id])
            continue;
        ExprNode node = expr_node(pool, (Expr){id});
        count += node.n;
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
    }
    return count;
}

/* Multiplies out if the result is shorter, because terms then cancel or join. */
static void expand_shorter(const Reduction *red, Expr *e)
{
    ExprPool *pool = red->pool;
    Expr expanded;

    expr_expand(pool, e, 1, &expanded);
    const ArenaMark mark = arena_mark(red->arena);
    bool *reached = ARENA_NEW(red->arena, (size_t)expr_pool_size(pool) + 1, bool);
    if (reached && !expr_is_none(expanded) &&
        length(pool, expanded, reached) < length(pool, *e, reached))
        *e = expanded;
    arena_release(red->arena, mark);
}

static void name_symbols(Reduction *red)
{
    for (size_t i = 0; i < red->m; i++) {
        red->x[i] = red->model->sym.q[red->lift.base[i]];
        red->xdot[i] = red->model->sym.v[red->lift.base[i]];
    }
    for (size_t nu = 0; nu < red->r; nu++) {
        red->y[nu] = red->model->sym.q[red->lift.dependent[nu]];
        red->ydot[nu] = red->model->sym.v[red->lift.dependent[nu]];
    }
}

/* G and l of L_red, whose value does not depend on y. */
static void take_lagrangian(Reduction *red)
{
    const size_t m = red->m;
    ExprPool *pool = red->pool;
    Expr *p = ARENA_NEW(red->arena, m, Expr);
    if (!p)
        return;

    expr_gradient(pool, red->L, red->xdot, m, p);
    expr_gradient(pool, red->L, red->x, m, red->l);
    for (size_t i = 0; i < m; i++) {
        expr_gradient(pool, p[i], red->xdot, m, red->G + i * m);
        for (size_t j = 0; j < i; j++)
            red->G[i * m + j] = red->G[j * m + i];
        /* l = p_x xdot + p_t - L_x */
        Expr rate = expr_diff(pool, p[i], red->model->sym.t);
        expr_directional(pool, &p[i], 1, red->x, red->xdot, m, &p[i]);
        rate = expr_add(pool, rate, p[i]);
        red->l[i] = expr_sub(pool, rate, red->l[i]);
    }
}

/* F_red, JK and their difference. */
static void take_forces(Reduction *red)
{
    const size_t m = red->m, r = red->r;
    const Model *model = red->model;
    ExprPool *pool = red->pool;
    Expr *F = ARENA_NEW(red->arena, model->n, Expr);
    if (!F)
        return;

    reduction_lift(red, model->F, model->n, F);
    /* forces along the lifted base direction, and the curvature terms */
    for (size_t i = 0; i < m; i++) {
        red->F[i] = F[red->lift.base[i]];
        red->JK[i] = expr_const(pool, 0);
        for (size_t nu = 0; nu < r; nu++) {
            Expr along = expr_mul(pool, red->lift.a[nu * m + i], F[red->lift.dependent[nu]]);
            red->F[i] = expr_add(pool, red->F[i], along);
            Expr term = expr_mul(pool, red->K[nu], red->C[nu * m + i]);
            red->JK[i] = expr_sub(pool, red->JK[i], term);
        }
        expand_shorter(red, &red->JK[i]);
        red->Pi[i] = expr_sub(pool, red->F[i], red->JK[i]);
    }
}

static Status reduction_allocate(Reduction *red, Error *err)
{
    const size_t m = red->m, r = red->r;

    red->x = ARENA_NEW(red->arena, m, Expr);
    red->xdot = ARENA_NEW(red->arena, m, Expr);
    red->y = ARENA_NEW(red->arena, r, Expr);
    red->ydot = ARENA_NEW(red->arena, r, Expr);
    red->K = ARENA_NEW(red->arena, r, Expr);
    red->C = ARENA_NEW(red->arena, r * m, Expr);
    red->F = ARENA_NEW(red->arena, m, Expr);
    red->JK = ARENA_NEW(red->arena, m, Expr);
    red->Pi = ARENA_NEW(red->arena, m, Expr);
    red->l = ARENA_NEW(red->arena, m, Expr);
    red->G = ARENA_NEW(red->arena, m * m, Expr);
    return arena_status(red->arena, err);
}

Status reduction_init(Reduction *red, ExprPool *pool, const Model *model,
                      const MotionOptions *options, bool expand, Arena *arena, Error *err)
{
    const size_t r = options->n_rows;

    *red = (Reduction){.model = model, .pool = pool, .arena = arena, .m = model->n - r, .r = r};
    Status status = reduction_allocate(red, err);
    if (status == OK)
        status = explicit_init(&red->lift, pool, model, options, arena, err);
    if (status != OK)
        return status;

    /* L and K on the constraints */
    name_symbols(red);
    reduction_lift(red, &model->L, 1, &red->L);
    for (size_t nu = 0; nu < r; nu++)
        red->K[nu] = model->p[red->lift.dependent[nu]];
    reduction_lift(red, red->K, r, red->K);
    if (expand)
        expand_shorter(red, &red->L);
    explicit_curvature(&red->lift, red->C, arena);
    take_forces(red);
    take_lagrangian(red);
    status = arena_status(arena, err);
    return status == OK ? expr_pool_status(pool, err) : status;
}

void reduction_solver(const Reduction *red, bool pivoted, Symmetric *ret)
{
    symmetric_init(ret, red->pool, red->m, red->G, pivoted, red->arena);
}

Expr reduction_contraction(const Reduction *red, const Symmetric *solver)
{
    const size_t m = red->m;
    Expr *slopes = ARENA_NEW(red->arena, m * m, Expr), *column = ARENA_NEW(red->arena, m, Expr);
    Expr sum = expr_const(red->pool, 0);
    if (arena_failed(red->arena))
        return EXPR_NONE;

    for (size_t i = 0; i < m; i++)
        expr_gradient(red->pool, red->Pi[i], red->xdot, m, slopes + i * m);
    /* the trace column by column: only entry j of G^-1 times column j is needed */
    for (size_t j = 0; j < m; j++) {
        bool zero = true;
        for (size_t i = 0; i < m; i++) {
            column[i] = slopes[i * m + j];
            zero = zero && expr_is_zero(red->pool, column[i]);
        }
        if (zero)
            continue;
        symmetric_solve(solver, column, column);
        sum = expr_sub(red->pool, sum, column[j]);
    }
    return sum;
}

Expr reduction_multiplier_rate(const Reduction *red, Multiplier multiplier, Expr contraction)
{
    const double m = (double)red->m;

    if (multiplier == MULTIPLIER_TIME)
        return expr_scale(red->pool, 1 / m, contraction);
    if (multiplier == MULTIPLIER_BASE)
        return expr_scale(red->pool, 1 / (m - 1), contraction);
    return expr_const(red->pool, 0);
}
