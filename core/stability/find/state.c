/* The conditions of an equilibrium and their derivatives at a state. */
#include "core/stability/find/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/invariants/analysis.h"

void equilibrium_done(Equilibrium *x)
{
    arena_done(&x->memory);
    *x = (Equilibrium){0};
}

Status equilibrium_init(Equilibrium *x, const AnalysisContext *context, Local *local, Drift *drift,
                        Balance *balance, Error *err)
{
    const size_t n = local->n, s = drift ? drift->s : 0, m = n + s;
    const size_t conditions = n + local->dim - local->d;

    *x = (Equilibrium){.context = context,
                       .local = local,
                       .drift = drift,
                       .balance = balance,
                       .n = n,
                       .s = s,
                       .n_conditions = conditions};
    Arena *memory = &x->memory;
    x->q = arena_doubles(memory, 2 * n); /* q and v are one state */
    x->v = x->q + n;
    x->c = arena_doubles(memory, s);
    x->family.idle = ARENA_NEW(memory, s, bool);
    x->acceleration = arena_doubles(memory, n);
    x->work.conditions = arena_doubles(memory, conditions);
    x->work.slopes = arena_doubles(memory, conditions * m);
    x->work.directions = arena_doubles(memory, (2 * n + s) * m + conditions);
    x->work.along = arena_doubles(memory, 2 * n * m);
    x->work.held = arena_doubles(memory, 2 * m);
    x->family.null = arena_doubles(memory, m * m);
    x->distance = arena_doubles(memory, m);
    x->basis = arena_doubles(memory, 2 * n * local->d);
    x->jacobian = arena_doubles(memory, 4 * n * n);
    x->jacobian_error = arena_doubles(memory, 4 * n * n);
    return equilibrium_scales_init(&x->scales, context, s, conditions, memory, err);
}

double equilibrium_size(const Equilibrium *x)
{
    double size = 0;

    for (size_t k = 0; k < x->n_conditions; k++)
        size = hypot(size, x->scales.weight[k] * x->work.conditions[k]);
    return size;
}

double equilibrium_evaluate(Equilibrium *x, double t)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->n;
    const double *u = NULL, *w = NULL;
    double *out = x->work.conditions, *rates = x->work.along;

    /* v = u(q, c), with which w = u_q v */
    memset(x->v, 0, n * sizeof *x->v);
    if (x->drift) {
        u = drift_velocity(x->drift, (DriftState){x->q, x->v, x->c}, &w);
        memcpy(x->v, u, n * sizeof *x->v);
        drift_velocity(x->drift, (DriftState){x->q, x->v, x->c}, &w);
        memcpy(x->acceleration, w, n * sizeof *w);
    }
    /* vdot - w, then f and phi */
    linearised_state_rates(x->local->linearised, t, x->q, rates);
    for (size_t i = 0; i < n; i++)
        *out++ = rates[n + i] - x->acceleration[i];
    const ModelPoint point = model_point(context->eval, t, x->q, x->v);
    for (size_t k = 0; k < context->n_rows; k++)
        if (context->model->constraints[context->rows[k]].kind == CONSTRAINT_HOLONOMIC)
            *out++ = point.f[context->rows[k]];
    for (size_t k = 0; k < context->n_rows; k++)
        *out++ = point.phi[context->rows[k]];
    return equilibrium_size(x);
}

Status equilibrium_differentiate(Equilibrium *x, double t, Error *err)
{
    const size_t n = x->n, m = n + x->s;
    double *dq = x->work.directions, *dv = dq + n * m, *dc = dv + n * m;
    const DirectionRows with_rest[] = {{dq, n}, {NULL, n}, {dc, x->s}};
    const DirectionRows all[] = {{dq, n}, {dv, n}, {dc, x->s}};

    /* unit directions of q and c; dv = u_q dq + u_c dc follows from them */
    memset(dq, 0, (2 * n + x->s) * m * sizeof *dq);
    for (size_t j = 0; j < n; j++)
        dq[j * m + j] = 1;
    for (size_t a = 0; a < x->s; a++)
        dc[a * m + n + a] = 1;
    if (x->drift) {
        drift_along(x->drift, (DriftState){x->q, x->v, x->c}, with_rest, 3, m, x->work.along);
        memcpy(dv, x->work.along, n * m * sizeof *dv);
    }
    /* d(vdot) - dw, then df and dphi */
    linearised_along(x->local->linearised, t, x->q, dq, m, x->work.along);
    memcpy(x->work.slopes, x->work.along + n * m, n * m * sizeof *x->work.slopes);
    if (x->drift) {
        drift_along(x->drift, (DriftState){x->q, x->v, x->c}, all, 3, m, x->work.along);
        for (size_t k = 0; k < n * m; k++)
            x->work.slopes[k] -= x->work.along[n * m + k];
    }
    Status status = tangent_space_along(x->local->space, (TangentState){t, x->q, x->v}, dq, m,
                                        x->work.slopes + n * m, err);
    if (status == OK) {
        const EquilibriumSlopes here = {.q = x->q, .v = x->v, .slopes = x->work.slopes, .dv = dv};
        equilibrium_scales_set(&x->scales, &here);
    }
    return status;
}

void equilibrium_place(const Equilibrium *x, double *ret)
{
    memcpy(ret, x->q, x->n * sizeof *ret);
    if (x->s)
        memcpy(ret + x->n, x->c, x->s * sizeof *ret);
}

double equilibrium_move(Equilibrium *x, double t, const double *from, const double *step,
                        double part)
{
    for (size_t i = 0; i < x->n; i++)
        x->q[i] = from[i] + part * step[i];
    for (size_t a = 0; a < x->s; a++)
        x->c[a] = from[x->n + a] + part * step[x->n + a];
    return equilibrium_evaluate(x, t);
}

Status equilibrium_judge(Equilibrium *x, double t, double *ret_residual, bool *ret_holds,
                         Error *err)
{
    equilibrium_evaluate(x, t);
    const BalanceState state = {.t = t,
                                .q = x->q,
                                .v = x->v,
                                .c = x->c,
                                .s = x->s,
                                .w = x->acceleration,
                                .unit = x->scales.unit,
                                .slopes = x->work.slopes,
                                .known = x->scales.size,
                                .m = x->n + x->s};
    return balance_measure(x->balance, &state, ret_residual, ret_holds, err);
}

Status equilibrium_problem(const Equilibrium *x, const ExprPool *pool, size_t more, Arena *arena,
                           KnownSymbols *ret_known, ExactProblem *ret, Error *err)
{
    const AnalysisContext *context = x->context;
    const Model *model = context->model;
    const size_t most = model->n_params + model->r + more;
    Expr *symbols = ARENA_NEW(arena, most, Expr);
    double *values = arena_doubles(arena, most);
    size_t n = model->n_params;
    const Status status = arena_status(arena, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < n; k++) {
        symbols[k] = model->sym.params[k];
        values[k] = context->params[k];
    }
    /* multipliers of unused rows; arrays of arenas are zeros */
    for (size_t a = 0; a < model->r; a++)
        if (!sizes_contain(context->rows, context->n_rows, a))
            symbols[n++] = model->sym.lambda[a];
    *ret_known = (KnownSymbols){symbols, values};
    *ret = (ExactProblem){.pool = pool,
                          .known = symbols,
                          .values = values,
                          .n_known = n,
                          .poll = context->poll,
                          .self = context->self};
    return OK;
}

void equilibrium_symbols(const Equilibrium *x, double *ret)
{
    const Model *model = x->context->model;

    ret[expr_node(model->pool, model->sym.t).symbol] = x->context->t0;
    for (size_t i = 0; i < x->n; i++)
        ret[expr_node(model->pool, model->sym.q[i]).symbol] = x->q[i];
    for (size_t k = 0; k < model->n_params; k++)
        ret[expr_node(model->pool, model->sym.params[k]).symbol] = x->context->params[k];
    for (size_t a = 0; a < x->s; a++)
        ret[model->sym.first_free + a] = x->c[a];
}

double equilibrium_number(double value, double distance)
{
    char text[40];

    if (fabs(value) <= distance)
        return 0;
    for (int digits = 1; digits < 15; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        const double rounded = strtod(text, NULL);
        if (fabs(rounded - value) <= distance)
            return rounded;
    }
    return value;
}
