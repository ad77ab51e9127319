/* A model in the coordinates of its chart: the map, the constraints, the Lagrangian, the forces
 * (docs/explanation/formulations/intrinsic.md, moving-frame.md). */
#include "core/motion/chart/chart.h"

#include <stdint.h>
#include <string.h>

#include "core/model/identities.h"
#include "core/model/rates.h"

Status chart_map_init(ChartMap *map, ExprPool *pool, const Model *model, Expr own_time,
                      Arena *arena, Error *err)
{
    const size_t n = model->n, m = model->given.chart.n;
    const bool own = !expr_is_none(own_time);
    const Expr t = own ? own_time : model->sym.t;

    *map = (ChartMap){.n = n, .m = m};
    if (m == 0 || m > n)
        return error_set(err, ERR_INVALID, "the model has no chart");
    map->Q = ARENA_NEW(arena, n, Expr);
    map->Q_t = ARENA_NEW(arena, n, Expr);
    map->v = ARENA_NEW(arena, n, Expr);
    map->J = ARENA_NEW(arena, n * m, Expr);
    if (arena_failed(arena))
        return arena_status(arena, err);
    /* the document writes the map in t' = t - clock */
    Expr chart_time = own ? t : expr_sub(pool, t, expr_const(pool, model->given.chart.clock));
    expr_substitute(pool, model->given.chart.map, n, &model->sym.t, &chart_time, 1, map->Q);
    for (size_t i = 0; i < n; i++) {
        Expr *row = map->J + i * m;
        expr_gradient(pool, map->Q[i], model->given.chart.x, m, row);
        map->Q_t[i] = expr_diff(pool, map->Q[i], t);
        map->v[i] = expr_add(pool, expr_dot(pool, m, row, model->given.chart.xdot), map->Q_t[i]);
    }
    return OK;
}

size_t chart_identity(const Model *model, size_t k)
{
    for (size_t i = 0; i < model->n; i++)
        if (expr_same(model->given.chart.map[i], model->given.chart.x[k]) &&
            strcmp(model->names.coordinates[i], model->given.chart.names[k]) == 0)
            return i;
    return SIZE_MAX;
}

const char *chart_name(const Model *model, size_t k, Arena *arena)
{
    const char *name = model->given.chart.names[k];

    for (size_t i = 0; i < model->n; i++)
        if (strcmp(model->names.coordinates[i], name) == 0 && chart_identity(model, k) != i)
            return arena_printf(arena, "%s'", name);
    return arena_strdup(arena, name);
}

void chart_pull(const Chart *chart, const Expr *exprs, size_t count, Expr *ret)
{
    expr_substitute(chart->pool, exprs, count, chart->from, chart->to, 2 * chart->map.n + 1, ret);
}

/* Whether e is zero. Random states, too, are tried in the chart's pool. */
static bool chart_vanishes(const Chart *chart, Expr e)
{
    Model view = *chart->model;

    view.pool = chart->pool;
    return expr_is_zero(chart->pool, e) || identity_zero(&view, &e, 1);
}

static bool is_built_in(const Chart *chart, const Constraint *constraint, Expr phi)
{
    if (chart->map.m == chart->map.n)
        return false;
    return constraint->kind == CONSTRAINT_HOLONOMIC || chart_vanishes(chart, phi);
}

void chart_rate(const Chart *chart, const Expr *exprs, size_t count, Expr *ret)
{
    const Direction motion = {
        .n = chart->map.m, .q = chart->symbols.q, .qdot = chart->symbols.v, .t = chart->symbols.t};

    rates_along(chart->pool, &motion, exprs, count, ret);
}

/* phi' of all rows in use, A' = phi'_xdot and psi' of those left. False if out of memory. */
static bool write_constraints(Chart *chart)
{
    const size_t m = chart->map.m, r = chart->options->n_rows;
    ExprPool *pool = chart->pool;
    Expr *phi = ARENA_NEW(&chart->arena, r, Expr);
    if (!phi)
        return false;

    for (size_t k = 0; k < r; k++)
        phi[k] = chart->model->constraints[chart->options->rows[k]].phi;
    chart_pull(chart, phi, r, phi);
    if (!lagrangian_shorten(pool, &chart->symbols, phi, r))
        return false;
    /* keep those that the chart does not satisfy by itself */
    for (size_t k = 0; k < r; k++) {
        const Constraint *constraint = &chart->model->constraints[chart->options->rows[k]];
        chart->built_in[k] = is_built_in(chart, constraint, phi[k]);
        if (!chart->built_in[k]) {
            expr_gradient(pool, phi[k], chart->symbols.v, m, chart->A + chart->n_left * m);
            chart->phi[chart->n_left] = phi[k];
            chart->left[chart->n_left++] = k;
        }
    }
    chart_rate(chart, chart->phi, chart->n_left, chart->psi);
    return true;
}

static Status chart_allocate(Chart *chart, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m, r = chart->options->n_rows;
    Arena *arena = &chart->arena;

    chart->built_in = ARENA_NEW(arena, r, bool);
    chart->left = arena_sizes(arena, r);
    chart->from = ARENA_NEW(arena, 2 * n + 1, Expr);
    chart->to = ARENA_NEW(arena, 2 * n + 1, Expr);
    chart->phi = ARENA_NEW(arena, r, Expr);
    chart->psi = ARENA_NEW(arena, r, Expr);
    chart->A = ARENA_NEW(arena, r * m, Expr);
    chart->F = ARENA_NEW(arena, m, Expr);
    chart->elements.p = ARENA_NEW(arena, m, Expr);
    chart->elements.l = ARENA_NEW(arena, m, Expr);
    chart->elements.M = ARENA_NEW(arena, m * m, Expr);
    return arena_status(arena, err);
}

static Status chart_status(const Chart *chart, bool ok, Error *err)
{
    return ok ? expr_pool_status(chart->pool, err)
              : error_set(err, ERR_NO_MEMORY, "out of memory for a chart");
}

Status chart_init(Chart *chart, ExprPool *pool, const Model *model, const MotionOptions *options,
                  Expr own_time, Error *err)
{
    const size_t n = model->n;
    const bool own = !expr_is_none(own_time);

    *chart = (Chart){.model = model,
                     .options = options,
                     .pool = pool,
                     .symbols = {.t = own ? own_time : model->sym.t,
                                 .q = model->given.chart.x,
                                 .v = model->given.chart.xdot,
                                 .n = model->given.chart.n,
                                 .params = model->sym.params,
                                 .n_params = model->n_params}};
    Status status = chart_map_init(&chart->map, pool, model, own_time, &chart->arena, err);
    if (status == OK)
        status = chart_allocate(chart, err);
    if (status != OK)
        return status;
    /* q, v and t of the model as functions of the chart */
    memcpy(chart->from, model->sym.q, n * sizeof *chart->from);
    memcpy(chart->from + n, model->sym.v, n * sizeof *chart->from);
    memcpy(chart->to, chart->map.Q, n * sizeof *chart->to);
    memcpy(chart->to + n, chart->map.v, n * sizeof *chart->to);
    chart->from[2 * n] = model->sym.t;
    chart->to[2 * n] =
        own ? expr_add(pool, own_time, expr_const(pool, model->given.chart.clock)) : model->sym.t;
    return chart_status(chart, write_constraints(chart), err);
}

Status chart_dynamics(Chart *chart, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m;
    ExprPool *pool = chart->pool;
    Expr *force = ARENA_NEW(&chart->arena, n, Expr), *column = ARENA_NEW(&chart->arena, n, Expr);
    if (arena_failed(&chart->arena))
        return arena_status(&chart->arena, err);

    chart_pull(chart, &chart->model->L, 1, &chart->L);
    bool ok = lagrangian_shorten(pool, &chart->symbols, &chart->L, 1) &&
              lagrangian_derive(pool, &chart->symbols, chart->L, &chart->elements);
    chart_pull(chart, chart->model->F, n, force);
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++)
            column[i] = chart->map.J[i * m + k];
        chart->F[k] = expr_dot(pool, n, column, force);
    }
    return chart_status(chart, ok && lagrangian_shorten(pool, &chart->symbols, chart->F, m), err);
}

void chart_done(Chart *chart)
{
    arena_done(&chart->arena);
    *chart = (Chart){0};
}
