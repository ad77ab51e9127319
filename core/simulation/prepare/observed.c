#include "core/simulation/prepare/observed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

typedef struct Impact {
    Function values;
    SetTarget *targets;
    size_t n;
} Impact;

struct Observed {
    const Model *model;
    ExprPool *pool;
    ExprScope *scope;
    const double *params;
    Expr *lambda_rate; /* r symbols; NULL unless the motion keeps its multipliers */
    double *in;        /* t, q, v, vdot, lambda and, where kept, lambda_rate: of every function */
    Function columns, guards;
    Expr *column_exprs; /* n_columns */
    size_t n_columns;
    Directions slopes; /* of the columns, once observed_linearise() was called */
    bool guards_need_motion;
    Impact *impacts;
    size_t n_events;
};

void observed_free(Observed *o)
{
    if (!o)
        return;
    function_done(&o->columns);
    directions_done(&o->slopes);
    free(o->column_exprs);
    function_done(&o->guards);
    for (size_t k = 0; o->impacts && k < o->n_events; k++) {
        function_done(&o->impacts[k].values);
        free(o->impacts[k].targets);
    }
    free(o->impacts);
    free(o->in);
    free(o->lambda_rate);
    expr_scope_free(o->scope);
    expr_pool_free(o->pool);
    free(o);
}

static size_t n_inputs(const Observed *o)
{
    return 1 + 3 * o->model->n + (o->lambda_rate ? 2 : 1) * o->model->r;
}

static void list_inputs(const Observed *o, Expr *inputs)
{
    const Model *m = o->model;

    inputs[0] = m->t;
    memcpy(inputs + 1, m->q, m->n * sizeof *inputs);
    memcpy(inputs + 1 + m->n, m->v, m->n * sizeof *inputs);
    memcpy(inputs + 1 + 2 * m->n, m->vdot, m->n * sizeof *inputs);
    if (m->r)
        memcpy(inputs + 1 + 3 * m->n, m->lambda, m->r * sizeof *inputs);
    if (o->lambda_rate)
        memcpy(inputs + 1 + 3 * m->n + m->r, o->lambda_rate, m->r * sizeof *inputs);
}

static Status compile(Observed *o, const Expr *outputs, size_t n, Function *ret, Error *err)
{
    const Model *m = o->model;
    Expr *inputs = alloc_array(n_inputs(o), sizeof *inputs);
    if (!inputs)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    list_inputs(o, inputs);
    ProgramSpec spec = {.pool = o->pool,
                        .params = m->params,
                        .n_params = m->n_params,
                        .inputs = inputs,
                        .n_inputs = n_inputs(o),
                        .outputs = outputs,
                        .n_outputs = n};
    Status status = function_init(ret, &spec, o->params, err);
    free(inputs);
    return status;
}

/* Parses texts[n]; false when one of them has mistakes. */
static bool parse_all(Observed *o, const NamedText *texts, size_t n, ParseFlags flags,
                      Diagnostics *diag, Expr *ret)
{
    size_t before = diag->total;
    for (size_t i = 0; i < n; i++)
        ret[i] = expr_parse(o->pool, o->scope, texts[i].text, flags, texts[i].pointer, diag);
    return diag->total == before;
}

static Status build_columns(Observed *o, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    Expr *exprs = alloc_array(spec->n_observe, sizeof *exprs);
    Status status = OK;
    if (!exprs)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (parse_all(o, spec->observe, spec->n_observe, PARSE_EXPRESSION, diag, exprs))
        status = compile(o, exprs, spec->n_observe, &o->columns, err);
    o->column_exprs = exprs;
    o->n_columns = spec->n_observe;
    return status;
}

static Status guards_reach(Observed *o, const Expr *guards, size_t n, Error *err)
{
    const Model *m = o->model;
    const size_t n_rates = o->lambda_rate ? m->r : 0, n_symbols = m->first_free + n_rates;
    bool *used = alloc_array(n_symbols, sizeof *used);
    if (!used)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = expr_used_symbols(o->pool, guards, n, used, n_symbols, err);
    for (size_t i = 0; status == OK && i < m->n + m->r; i++) {
        Expr symbol = i < m->n ? m->vdot[i] : m->lambda[i - m->n];
        o->guards_need_motion = o->guards_need_motion || used[expr_node(o->pool, symbol).symbol];
    }
    for (size_t a = 0; status == OK && a < n_rates; a++)
        o->guards_need_motion = o->guards_need_motion || used[m->first_free + a];
    free(used);
    return status;
}

static Status build_guards(Observed *o, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    Expr *exprs = alloc_array(spec->n_events, sizeof *exprs);
    Status status = OK;
    bool ok = true;
    if (!exprs)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < spec->n_events; k++)
        ok = parse_all(o, &spec->events[k].when, 1, PARSE_EVENT, diag, &exprs[k]) && ok;
    if (ok)
        status = guards_reach(o, exprs, spec->n_events, err);
    if (ok && status == OK)
        status = compile(o, exprs, spec->n_events, &o->guards, err);
    free(exprs);
    return status;
}

/* "y" or "dot(y)", spaces allowed. */
static bool find_target(const Model *model, const char *text, SetTarget *ret)
{
    char name[128], rest[2];
    ret->velocity =
        sscanf(text, " dot ( %120[A-Za-z0-9_] ) %1s", name, rest) == 1 && strchr(text, ')') != NULL;
    if (!ret->velocity && sscanf(text, " %120[A-Za-z0-9_] %1s", name, rest) != 1)
        return false;
    for (size_t i = 0; i < model->n; i++)
        if (strcmp(model->coordinate_names[i], name) == 0) {
            ret->coordinate = i;
            return true;
        }
    return false;
}

static Status build_impact(Observed *o, const EventSpec *event, Impact *impact, Diagnostics *diag,
                           Error *err)
{
    const size_t before = diag->total, n = event->n_set;
    Expr *exprs = alloc_array(n, sizeof *exprs);
    impact->targets = alloc_array(n, sizeof *impact->targets);
    impact->n = n;
    if (!exprs || !impact->targets) {
        free(exprs);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        const NamedText *set = &event->set[i];
        SetTarget *target = &impact->targets[i];
        if (!find_target(o->model, set->name, target))
            diagnostics_add(diag, set->pointer, -1, "write a coordinate x or its velocity dot(x)",
                            "\"%s\" is nothing that an event can set", set->name);
        for (size_t j = 0; j < i; j++)
            if (diag->total == before && impact->targets[j].coordinate == target->coordinate &&
                impact->targets[j].velocity == target->velocity)
                diagnostics_add(diag, set->pointer, -1, NULL, "\"%s\" is set twice", set->name);
    }
    bool ok = parse_all(o, event->set, n, PARSE_EXPRESSION, diag, exprs) && diag->total == before;
    Status status = ok && n ? compile(o, exprs, n, &impact->values, err) : OK;
    free(exprs);
    return status;
}

/* Symbols for the rates of the multipliers, in a pool where no formulation takes any. */
static Status make_rates(Observed *o, Error *err)
{
    const Model *m = o->model;

    o->lambda_rate = alloc_array(m->r, sizeof *o->lambda_rate);
    if (!o->lambda_rate)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t a = 0; a < m->r; a++)
        o->lambda_rate[a] = expr_symbol(o->pool, m->first_free + (uint32_t)a);
    return OK;
}

Status observed_new(const Model *model, const JobSpec *spec, const double *params,
                    bool keeps_multipliers, Diagnostics *diag, Observed **ret_observed, Error *err)
{
    const size_t before = diag->total;
    Status status = OK;
    Observed *o = alloc_array(1, sizeof *o);
    if (!o)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    o->model = model;
    o->params = params;
    o->n_events = spec->n_events;
    o->pool = expr_pool_clone(model->pool);
    if (o->pool && keeps_multipliers)
        status = make_rates(o, err);
    o->scope = o->pool && status == OK ? model_scope(model, o->pool, true, o->lambda_rate) : NULL;
    o->impacts = alloc_array(spec->n_events, sizeof *o->impacts);
    o->in = alloc_array(n_inputs(o), sizeof *o->in);
    if (!o->scope || !o->impacts || !o->in)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && spec->n_observe)
        status = build_columns(o, spec, diag, err);
    if (status == OK && spec->n_events)
        status = build_guards(o, spec, diag, err);
    for (size_t k = 0; status == OK && k < spec->n_events; k++)
        status = build_impact(o, &spec->events[k], &o->impacts[k], diag, err);
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job's expressions have mistakes");
    if (status != OK) {
        observed_free(o);
        return status;
    }
    *ret_observed = o;
    return OK;
}

bool observed_guards_need_motion(const Observed *observed)
{
    return observed->guards_need_motion;
}

static const double *inputs(Observed *o, const ObservedState *state)
{
    const size_t n = o->model->n, bytes = n * sizeof(double);

    o->in[0] = state->t;
    memcpy(o->in + 1, state->q, bytes);
    memcpy(o->in + 1 + n, state->v, bytes);
    if (state->vdot)
        memcpy(o->in + 1 + 2 * n, state->vdot, bytes);
    if (state->lambda && o->model->r)
        memcpy(o->in + 1 + 3 * n, state->lambda, o->model->r * sizeof(double));
    if (state->lambda_rate && o->lambda_rate)
        memcpy(o->in + 1 + 3 * n + o->model->r, state->lambda_rate, o->model->r * sizeof(double));
    return o->in;
}

void observed_columns(Observed *o, const ObservedState *state, double *ret_values)
{
    function_eval_at(&o->columns, inputs(o, state), ret_values);
}

Status observed_linearise(Observed *o, const size_t *parameters, size_t n_parameters,
                          size_t columns, Error *err)
{
    Expr *state = alloc_array(n_inputs(o), sizeof *state);
    if (!state)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    list_inputs(o, state);
    DirectionSpec spec = {.pool = o->pool,
                          .model = o->model,
                          .next_symbol = o->model->first_free,
                          .state = state,
                          .n_state = n_inputs(o),
                          .directed = state + 1,
                          .n_directed = n_inputs(o) - 1,
                          .parameters = parameters,
                          .n_parameters = n_parameters,
                          .roots = o->column_exprs,
                          .n_roots = o->n_columns};
    directions_done(&o->slopes);
    Status status = directions_derive(&o->slopes, &spec, columns, o->params, err);
    free(state);
    return status;
}

void observed_columns_along(Observed *o, const ObservedState *state, const DirectionRows *parts,
                            size_t n_parts, size_t m, double *ret)
{
    directions_eval(&o->slopes, inputs(o, state), parts, n_parts, m, ret);
}

void observed_guards(Observed *o, const ObservedState *state, double *ret_values)
{
    function_eval_at(&o->guards, inputs(o, state), ret_values);
}

size_t observed_impact(Observed *o, size_t event, const ObservedState *state,
                       const SetTarget **ret_targets, const double **ret_values)
{
    Impact *impact = &o->impacts[event];

    if (impact->n == 0)
        return 0;
    function_eval_at(&impact->values, inputs(o, state), impact->values.out);
    *ret_targets = impact->targets;
    *ret_values = impact->values.out;
    return impact->n;
}
