#include "core/motion/chaplygin/reduction.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

void reduction_free(Reduction *reduction)
{
    if (!reduction)
        return;
    explicit_free(reduction->lift);
    free(reduction->x);
    free(reduction);
}

static Reduction *allocate(ExprPool *pool, const Model *model, size_t r)
{
    const size_t n = model->n, m = n - r;
    Reduction *red = alloc_array(1, sizeof *red);

    if (!red)
        return NULL;
    *red = (Reduction){.model = model, .pool = pool, .m = m, .r = r};
    const BlockPart parts[] = {{&red->x, m},  {&red->xdot, m},  {&red->y, r},    {&red->ydot, r},
                               {&red->K, r},  {&red->C, r * m}, {&red->F, m},    {&red->JK, m},
                               {&red->Pi, m}, {&red->l, m},     {&red->G, m * m}};
    if (!alloc_block(sizeof *red->x, parts, sizeof parts / sizeof *parts)) {
        free(red);
        return NULL;
    }
    return red;
}

void reduction_lift(const Reduction *red, const Expr *roots, size_t n, Expr *ret)
{
    expr_substitute(red->pool, roots, n, red->ydot, red->lift->ydot, red->r, ret);
}

/* Operands in all: how long an expression is when shared parts count once. */
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

/* Multiplies out where the result is shorter: terms that cancel or join then show. */
static bool expand_shorter(ExprPool *pool, Expr *e)
{
    Expr expanded;

    expr_expand(pool, e, 1, &expanded);
    bool *reached = alloc_array((size_t)expr_pool_size(pool) + 1, sizeof *reached);
    if (!reached)
        return false;
    if (!expr_is_none(expanded) && length(pool, expanded, reached) < length(pool, *e, reached))
        *e = expanded;
    free(reached);
    return true;
}

static void name_symbols(Reduction *red)
{
    for (size_t i = 0; i < red->m; i++) {
        red->x[i] = red->model->q[red->lift->base[i]];
        red->xdot[i] = red->model->v[red->lift->base[i]];
    }
    for (size_t nu = 0; nu < red->r; nu++) {
        red->y[nu] = red->model->q[red->lift->dependent[nu]];
        red->ydot[nu] = red->model->v[red->lift->dependent[nu]];
    }
}

/* G and l of L_red, which depends on y only where that makes no difference. */
static bool lagrange(Reduction *red)
{
    const size_t m = red->m;
    ExprPool *pool = red->pool;
    Expr *work = alloc_array(4 * m + 1, sizeof *work);
    if (!work)
        return false;

    Expr *p = work, *symbols = p + m, *rates = symbols + m + 1;
    for (size_t i = 0; i < m; i++) {
        symbols[i] = red->x[i];
        rates[i] = red->xdot[i];
    }
    symbols[m] = red->model->t;
    expr_gradient(pool, red->L, red->xdot, m, p);
    expr_gradient(pool, red->L, red->x, m, red->l);
    for (size_t i = 0; i < m; i++) {
        expr_gradient(pool, p[i], red->xdot, m, red->G + i * m);
        for (size_t j = 0; j < i; j++)
            red->G[i * m + j] = red->G[j * m + i];
        Expr rate = expr_diff(pool, p[i], red->model->t);
        if (m)
            expr_directional(pool, &p[i], 1, symbols, rates, m, &p[i]);
        rate = expr_add(pool, rate, p[i]);
        red->l[i] = expr_sub(pool, rate, red->l[i]);
    }
    free(work);
    return true;
}

/* F_red, JK and their difference. */
static bool forces(Reduction *red)
{
    const size_t m = red->m, r = red->r;
    const Model *model = red->model;
    ExprPool *pool = red->pool;
    Expr *F = alloc_array(model->n, sizeof *F);
    if (!F)
        return false;

    reduction_lift(red, model->F, model->n, F);
    for (size_t i = 0; i < m; i++) {
        red->F[i] = F[red->lift->base[i]];
        red->JK[i] = expr_const(pool, 0);
        for (size_t nu = 0; nu < r; nu++) {
            Expr along = expr_mul(pool, red->lift->a[nu * m + i], F[red->lift->dependent[nu]]);
            red->F[i] = expr_add(pool, red->F[i], along);
            Expr term = expr_mul(pool, red->K[nu], red->C[nu * m + i]);
            red->JK[i] = expr_sub(pool, red->JK[i], term);
        }
        if (!expand_shorter(pool, &red->JK[i])) {
            free(F);
            return false;
        }
        red->Pi[i] = expr_sub(pool, red->F[i], red->JK[i]);
    }
    free(F);
    return true;
}

Status reduction_new(ExprPool *pool, const Model *model, const MotionOptions *options, bool expand,
                     Reduction **ret_reduction, Error *err)
{
    Reduction *red = allocate(pool, model, options->n_rows);
    Status status = red ? explicit_new(pool, model, options, &red->lift, err)
                        : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK) {
        reduction_free(red);
        return status;
    }

    name_symbols(red);
    reduction_lift(red, &model->L, 1, &red->L);
    for (size_t nu = 0; nu < red->r; nu++)
        red->K[nu] = model->p[red->lift->dependent[nu]];
    reduction_lift(red, red->K, red->r, red->K);
    if ((expand && !expand_shorter(pool, &red->L)) ||
        !explicit_curvature(pool, model, red->lift, red->C) || !forces(red) || !lagrange(red))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status != OK) {
        reduction_free(red);
        return status;
    }
    *ret_reduction = red;
    return OK;
}

bool mass_solver_init(MassSolver *solver, const Reduction *red, bool pivoted)
{
    *solver = (MassSolver){.pool = red->pool, .m = red->m};
    if (red->m == 0)
        return true;
    if (pivoted)
        solver->factor = expr_factor(red->pool, red->m, red->G);
    else
        solver->ldl = ldl_new(red->pool, red->m, red->G);
    return pivoted || solver->ldl;
}

void mass_solver_done(MassSolver *solver)
{
    ldl_free(solver->ldl);
    solver->ldl = NULL;
}

bool mass_solver_solve(const MassSolver *solver, const Expr *b, Expr *ret)
{
    if (solver->m == 0)
        return true;
    if (solver->ldl)
        return ldl_solve(solver->pool, solver->ldl, b, ret);
    expr_solve(solver->pool, solver->factor, solver->m, b, ret);
    return true;
}

Expr reduction_contraction(const Reduction *red, const MassSolver *solver)
{
    const size_t m = red->m;
    Expr *slopes = alloc_array(m * m + m, sizeof *slopes), *column = slopes + m * m;
    Expr sum = expr_const(red->pool, 0);
    if (!slopes)
        return EXPR_NONE;

    for (size_t i = 0; i < m; i++)
        expr_gradient(red->pool, red->Pi[i], red->xdot, m, slopes + i * m);
    for (size_t j = 0; j < m; j++) {
        bool zero = true;
        for (size_t i = 0; i < m; i++) {
            column[i] = slopes[i * m + j];
            zero = zero && expr_is_zero(red->pool, column[i]);
        }
        if (zero)
            continue;
        if (!mass_solver_solve(solver, column, column)) {
            sum = EXPR_NONE;
            break;
        }
        sum = expr_sub(red->pool, sum, column[j]);
    }
    free(slopes);
    return sum;
}

Expr reduction_multiplier_rate(const Reduction *red, Multiplier multiplier, Expr contraction)
{
    const double m = (double)red->m;

    switch (multiplier) {
    case MULTIPLIER_TIME:
        return expr_scale(red->pool, 1 / m, contraction);
    case MULTIPLIER_BASE:
        return expr_scale(red->pool, 1 / (m - 1), contraction);
    case MULTIPLIER_NONE:
    case MULTIPLIER_ONE:
        break;
    }
    return expr_const(red->pool, 0);
}
