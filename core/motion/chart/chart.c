#include "core/motion/chart/chart.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/identities.h"

static Status no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory for a chart");
}

/* The map ------------------------------------------------------------------------------------- */

Status chart_map_init(ChartMap *map, ExprPool *pool, const Model *model, Expr own_time, Error *err)
{
    const size_t n = model->n, m = model->chart.n;
    const bool own = !expr_is_none(own_time);
    const Expr t = own ? own_time : model->t;

    *map = (ChartMap){.n = n, .m = m};
    if (m == 0 || m > n)
        return error_set(err, ERR_INVALID, "the model has no chart");
    map->Q = alloc_array(3 * n + n * m, sizeof *map->Q);
    if (!map->Q)
        return no_memory(err);
    map->Q_t = map->Q + n;
    map->v = map->Q_t + n;
    map->J = map->v + n;
    /* the document writes the map in t' = t - clock */
    Expr chart_time = own ? t : expr_sub(pool, t, expr_const(pool, model->chart.clock));
    expr_substitute(pool, model->chart.map, n, &model->t, &chart_time, 1, map->Q);
    for (size_t i = 0; i < n; i++) {
        Expr *row = map->J + i * m;
        expr_gradient(pool, map->Q[i], model->chart.x, m, row);
        map->Q_t[i] = expr_diff(pool, map->Q[i], t);
        map->v[i] = expr_add(pool, expr_dot(pool, m, row, model->chart.xdot), map->Q_t[i]);
    }
    return OK;
}

void chart_map_done(ChartMap *map)
{
    free(map->Q);
    *map = (ChartMap){0};
}

size_t chart_identity(const Model *model, size_t k)
{
    for (size_t i = 0; i < model->n; i++)
        if (expr_same(model->chart.map[i], model->chart.x[k]) &&
            strcmp(model->coordinate_names[i], model->chart.names[k]) == 0)
            return i;
    return SIZE_MAX;
}

const char *chart_name(const Model *model, size_t k, Arena *arena)
{
    const char *name = model->chart.names[k];

    for (size_t i = 0; i < model->n; i++)
        if (strcmp(model->coordinate_names[i], name) == 0 && chart_identity(model, k) != i)
            return arena_printf(arena, "%s'", name);
    return arena_strdup(arena, name);
}

/* The model in the chart ---------------------------------------------------------------------- */

void chart_pull(const Chart *chart, const Expr *exprs, size_t count, Expr *ret)
{
    expr_substitute(chart->pool, exprs, count, chart->from, chart->to, 2 * chart->map.n + 1, ret);
}

/* Zeros that only random states show are looked for in the chart's pool. */
static bool vanishes(const Chart *chart, Expr e)
{
    Model view = *chart->model;

    view.pool = chart->pool;
    return expr_is_zero(chart->pool, e) || identity_zero(&view, &e, 1);
}

static bool is_built_in(const Chart *chart, const Constraint *constraint, Expr phi)
{
    if (chart->map.m == chart->map.n)
        return false;
    return constraint->kind == CONSTRAINT_HOLONOMIC || vanishes(chart, phi);
}

/* phi' of all rows in use, then of those that are left: A' = phi'_xdot and psi'. */
static bool write_constraints(Chart *chart, Expr *phi)
{
    const size_t m = chart->map.m, r = chart->options->n_rows;
    ExprPool *pool = chart->pool;

    for (size_t k = 0; k < r; k++)
        phi[k] = chart->model->constraints[chart->options->rows[k]].phi;
    chart_pull(chart, phi, r, phi);
    if (!lagrangian_shorten(pool, &chart->symbols, phi, r))
        return false;
    for (size_t k = 0; k < r; k++) {
        const Constraint *constraint = &chart->model->constraints[chart->options->rows[k]];
        chart->built_in[k] = is_built_in(chart, constraint, phi[k]);
        if (!chart->built_in[k]) {
            expr_gradient(pool, phi[k], chart->symbols.v, m, chart->A + chart->n_left * m);
            chart->phi[chart->n_left] = phi[k];
            chart->left[chart->n_left++] = k;
        }
    }
    Expr *moving = alloc_array(2 * (m + 1), sizeof *moving), *rates = moving + m + 1;
    if (!moving)
        return false;
    memcpy(moving, chart->symbols.q, m * sizeof *moving);
    memcpy(rates, chart->symbols.v, m * sizeof *rates);
    moving[m] = chart->symbols.t;
    rates[m] = expr_const(pool, 1);
    expr_directional(pool, chart->phi, chart->n_left, moving, rates, m + 1, chart->psi);
    free(moving);
    return true;
}

static bool allocate(Chart *chart)
{
    const size_t n = chart->map.n, m = chart->map.m, r = chart->options->n_rows;

    chart->built_in = alloc_array(r, sizeof *chart->built_in);
    chart->left = alloc_array(r, sizeof *chart->left);
    const BlockPart parts[] = {
        {&chart->from, 2 * n + 1}, {&chart->to, 2 * n + 1}, {&chart->phi, r},
        {&chart->psi, r},          {&chart->A, r * m},      {&chart->F, m},
        {&chart->elements.p, m},   {&chart->elements.l, m}, {&chart->elements.M, m * m}};
    chart->storage = alloc_block(sizeof *chart->storage, parts, sizeof parts / sizeof *parts);
    return chart->built_in && chart->left && chart->storage;
}

Status chart_init(Chart *chart, ExprPool *pool, const Model *model, const MotionOptions *options,
                  Expr own_time, Error *err)
{
    const size_t n = model->n;
    const bool own = !expr_is_none(own_time);

    *chart = (Chart){.model = model,
                     .options = options,
                     .pool = pool,
                     .symbols = {.t = own ? own_time : model->t,
                                 .q = model->chart.x,
                                 .v = model->chart.xdot,
                                 .n = model->chart.n,
                                 .params = model->params,
                                 .n_params = model->n_params}};
    Status status = chart_map_init(&chart->map, pool, model, own_time, err);
    if (status != OK)
        return status;
    if (!allocate(chart))
        return no_memory(err);
    memcpy(chart->from, model->q, n * sizeof *chart->from);
    memcpy(chart->from + n, model->v, n * sizeof *chart->from);
    memcpy(chart->to, chart->map.Q, n * sizeof *chart->to);
    memcpy(chart->to + n, chart->map.v, n * sizeof *chart->to);
    chart->from[2 * n] = model->t;
    chart->to[2 * n] =
        own ? expr_add(pool, own_time, expr_const(pool, model->chart.clock)) : model->t;
    Expr *phi = alloc_array(options->n_rows, sizeof *phi);
    bool ok = phi && write_constraints(chart, phi);
    free(phi);
    return ok ? expr_pool_status(pool, err) : no_memory(err);
}

Status chart_dynamics(Chart *chart, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m;
    ExprPool *pool = chart->pool;
    Expr *force = alloc_array(2 * n, sizeof *force), *column = force + n;

    if (!force)
        return no_memory(err);
    chart_pull(chart, &chart->model->L, 1, &chart->L);
    bool ok = lagrangian_shorten(pool, &chart->symbols, &chart->L, 1) &&
              lagrangian_derive(pool, &chart->symbols, chart->L, &chart->elements);
    chart_pull(chart, chart->model->F, n, force);
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++)
            column[i] = chart->map.J[i * m + k];
        chart->F[k] = expr_dot(pool, n, column, force);
    }
    ok = ok && lagrangian_shorten(pool, &chart->symbols, chart->F, m);
    free(force);
    return ok ? expr_pool_status(pool, err) : no_memory(err);
}

void chart_done(Chart *chart)
{
    chart_map_done(&chart->map);
    free(chart->built_in);
    free(chart->left);
    free(chart->storage);
    *chart = (Chart){0};
}
