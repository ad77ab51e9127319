/* A job's own expressions, parsed and compiled. */
#include "core/prepare/observed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/dimensions.h"
#include "core/model/rates.h"

typedef struct Impact {
    Function values;
    SetTarget *targets;
    size_t n;
} Impact;

/* Columns of the formulation's own. */
typedef struct OwnColumns {
    const char **names; /* n: those of the motion, or those that the formulation may have */
    size_t n;
    bool read; /* an expression reads one */
} OwnColumns;

/* Interval evaluators of the guards; all NULL before observed_enclose(). */
typedef struct GuardRanges {
    RangeEval **evals;     /* n_events */
    Range *symbols;        /* by symbol: parameters, and the inputs of the last range */
    size_t *input_symbols; /* n_inputs */
} GuardRanges;

struct Observed {
    const Model *model;
    ExprPool *pool; /* NULL if the job has no own expressions; the same for the scope */
    ExprScope *scope;
    const double *params;
    Expr *lambda_rate; /* r symbols; NULL unless the motion keeps its multipliers */
    const Formulation *formulation;
    const Motion *motion; /* the motion with the columns `own`; NULL: not known */
    OwnColumns own;
    size_t n_symbols;
    bool *used; /* n_symbols: the symbols that the expressions read */
    /* n_inputs of every function: t, q, v, vdot, lambda, lambda_rate if kept, own */
    size_t n_inputs;
    Expr *inputs;
    double *in;
    Function columns, guards;
    const Expr *guard_exprs; /* n_events */
    Dimension *dimensions;   /* n_columns; n_events after observed_values_new() */
    Expr *column_exprs;      /* n_columns */
    size_t n_columns;
    Directions slopes; /* derivatives of the columns, after observed_linearise() */
    bool guards_need_motion;
    GuardRanges ranges;
    Impact *impacts;
    size_t n_events;
    Arena memory; /* owns the arrays */
};

void observed_free(Observed *o)
{
    if (!o)
        return;
    function_done(&o->columns);
    directions_done(&o->slopes);
    function_done(&o->guards);
    for (size_t k = 0; o->impacts && k < o->n_events; k++)
        function_done(&o->impacts[k].values);
    for (size_t k = 0; o->ranges.evals && k < o->n_events; k++)
        range_eval_free(o->ranges.evals[k]);
    expr_scope_free(o->scope);
    expr_pool_free(o->pool);
    arena_done(&o->memory);
    free(o);
}

static void list_inputs(const Observed *o, Expr *inputs)
{
    const Model *m = o->model;

    rates_state(m, inputs);
    inputs += 1 + 2 * m->n;
    memcpy(inputs, m->sym.vdot, m->n * sizeof *inputs);
    if (m->r)
        memcpy(inputs + m->n, m->sym.lambda, m->r * sizeof *inputs);
    if (o->lambda_rate)
        memcpy(inputs + m->n + m->r, o->lambda_rate, m->r * sizeof *inputs);
    for (size_t k = 0; k < o->own.n; k++)
        o->inputs[o->n_inputs - o->own.n + k] =
            expr_symbol(o->pool, m->sym.first_free + (uint32_t)(m->r + k));
}

static Status observed_compile(const Observed *o, const Expr *outputs, size_t n,
                               const double *params, size_t lanes, Function *ret, Error *err)
{
    const ProgramSpec spec = {.pool = o->pool,
                              .params = o->model->sym.params,
                              .n_params = o->model->n_params,
                              .inputs = o->inputs,
                              .n_inputs = o->n_inputs,
                              .outputs = outputs,
                              .n_outputs = n};
    return function_init_lanes(ret, &spec, params, lanes, err);
}

/* Notes whether exprs[n] read own columns of the formulation. */
static Status note_own(Observed *o, const Expr *exprs, size_t n, Error *err)
{
    Status status = expr_used_symbols(o->pool, exprs, n, o->used, o->n_symbols, err);

    for (size_t k = o->n_symbols - o->own.n; status == OK && k < o->n_symbols; k++)
        o->own.read = o->own.read || o->used[k];
    return status;
}

/* Parses texts[n] as flags[n] say, or as expressions if flags is NULL. Returns false if one of
 * them has mistakes. */
static bool parse_all(Observed *o, const NamedText *texts, size_t n, const ParseFlags *flags,
                      Diagnostics *diag, Expr *ret, Dimension *ret_dimensions)
{
    size_t before = diag->total;
    for (size_t i = 0; i < n; i++)
        ret[i] = expr_parse_measured(o->pool, o->scope, texts[i].text,
                                     flags ? flags[i] : PARSE_EXPRESSION, texts[i].pointer, diag,
                                     &ret_dimensions[i]);
    return diag->total == before;
}

static Status build_columns(Observed *o, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    o->n_columns = spec->n_observe;
    o->column_exprs = ARENA_NEW(&o->memory, o->n_columns, Expr);
    o->dimensions = ARENA_NEW(&o->memory, o->n_columns, Dimension);
    if (arena_failed(&o->memory))
        return arena_status(&o->memory, err);
    if (!parse_all(o, spec->observe, o->n_columns, NULL, diag, o->column_exprs, o->dimensions))
        return OK;
    Status status = note_own(o, o->column_exprs, o->n_columns, err);
    return status == OK
               ? observed_compile(o, o->column_exprs, o->n_columns, o->params, 1, &o->columns, err)
               : status;
}

/* Whether guards read accelerations or multipliers. `used`: false for all symbols on entry. */
static Status guards_reach(Observed *o, const Expr *guards, size_t n, bool *used, size_t n_symbols,
                           Error *err)
{
    const Model *m = o->model;

    Status status = expr_used_symbols(o->pool, guards, n, used, n_symbols, err);
    for (size_t i = 1 + 2 * m->n; status == OK && i < o->n_inputs; i++)
        o->guards_need_motion =
            o->guards_need_motion || used[expr_node(o->pool, o->inputs[i]).symbol];
    return status;
}

static void bind_symbols(Observed *o)
{
    const Model *m = o->model;

    for (size_t i = 0; i < m->n_params; i++)
        o->ranges.symbols[expr_node(o->pool, m->sym.params[i]).symbol] =
            (Range){.value = {o->params[i], o->params[i]}, .whole = true};
}

Status observed_enclose(Observed *o, Error *err)
{
    const size_t n_symbols = o->n_symbols, n = o->n_events;

    o->ranges.evals = ARENA_NEW(&o->memory, n, RangeEval *);
    o->ranges.symbols = ARENA_NEW(&o->memory, n_symbols, Range);
    o->ranges.input_symbols = arena_sizes(&o->memory, o->n_inputs);
    Status status = arena_status(&o->memory, err);
    for (size_t i = 0; status == OK && i < o->n_inputs; i++)
        o->ranges.input_symbols[i] = expr_node(o->pool, o->inputs[i]).symbol;
    if (status == OK)
        bind_symbols(o);
    for (size_t k = 0; status == OK && k < n; k++)
        status =
            range_eval_new(o->pool, &o->guard_exprs[k], 1, n_symbols, &o->ranges.evals[k], err);
    return status;
}

/* Takes exprs[n_events] as the guards after they are known to be correct. */
static Status take_guards(Observed *o, const Expr *exprs, Error *err)
{
    const size_t n = o->n_events, n_symbols = o->n_symbols;
    bool *used = ARENA_NEW(&o->memory, n_symbols, bool);

    o->guard_exprs = exprs;
    Status status = arena_status(&o->memory, err);
    if (status == OK)
        status = guards_reach(o, exprs, n, used, n_symbols, err);
    if (status == OK)
        status = note_own(o, exprs, n, err);
    return status == OK ? observed_compile(o, exprs, n, o->params, 1, &o->guards, err) : status;
}

static Status build_guards(Observed *o, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t n = spec->n_events;
    Expr *exprs = ARENA_NEW(&o->memory, n, Expr);
    const ParseFlags flags = PARSE_EVENT;
    Dimension any;
    bool ok = true;
    Status status = arena_status(&o->memory, err);

    /* events at given times have no guard; the clock triggers them */
    for (size_t k = 0; status == OK && k < n; k++) {
        if (spec->events[k].kind != EVENT_WHEN)
            exprs[k] = expr_const(o->pool, 1);
        else
            ok = parse_all(o, &spec->events[k].when, 1, &flags, diag, &exprs[k], &any) && ok;
    }
    if (ok && status == OK)
        status = take_guards(o, exprs, err);
    return ok && status == OK ? observed_enclose(o, err) : status;
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
        if (strcmp(model->names.coordinates[i], name) == 0) {
            ret->coordinate = i;
            return true;
        }
    return false;
}

/* Checks that each assigned value has the dimension of its target. */
static bool check_values(const Model *m, const EventSpec *event, const Impact *impact,
                         const Dimension *found, Diagnostics *diag)
{
    const size_t before = diag->total;

    for (size_t i = 0; i < impact->n; i++) {
        const SetTarget *target = &impact->targets[i];
        const Unit *unit = &m->units.state[target->coordinate + (target->velocity ? m->n : 0)];
        units_check(diag, &event->set[i], &found[i], &unit->dimension, "what is set as",
                    "as its new value");
    }
    return diag->total == before;
}

static Status build_impact(Observed *o, const EventSpec *event, Impact *impact, bool forgives,
                           Diagnostics *diag, Error *err)
{
    const size_t before = diag->total, n = event->n_set;
    Expr *exprs = ARENA_NEW(&o->memory, n, Expr);
    Dimension *found = ARENA_NEW(&o->memory, n, Dimension);
    impact->targets = ARENA_NEW(&o->memory, n, SetTarget);
    impact->n = n;
    if (arena_failed(&o->memory))
        return arena_status(&o->memory, err);
    /* the targets: coordinates or velocities, each at most once */
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
    bool ok = parse_all(o, event->set, n, NULL, diag, exprs, found) && diag->total == before;
    if (ok && o->model->units.known && !forgives)
        ok = check_values(o->model, event, impact, found, diag);
    if (!ok || n == 0)
        return OK;
    Status status = note_own(o, exprs, n, err);
    return status == OK ? observed_compile(o, exprs, n, o->params, 1, &impact->values, err)
                        : status;
}

static Status find_own(Observed *o, Error *err)
{
    const Formulation *f = o->formulation;
    const Model *m = o->model;
    const size_t most = o->motion ? o->motion->n_own : 2 + 2 * m->given.chart.n;

    o->own.names = ARENA_NEW(&o->memory, most, const char *);
    if (!o->own.names)
        return arena_status(&o->memory, err);
    for (size_t k = 0; o->motion && k < most; k++)
        o->own.names[o->own.n++] = arena_strdup(&o->memory, o->motion->own_names[k]);
    for (size_t k = 0; !o->motion && k < 2 && f->columns[k]; k++)
        o->own.names[o->own.n++] = f->columns[k];
    for (size_t k = 0; !o->motion && f->chart_columns && k < m->given.chart.n; k++) {
        o->own.names[o->own.n++] = m->given.chart.names[k];
        o->own.names[o->own.n++] = arena_join(&o->memory, "dot(", m->given.chart.names[k], ")");
    }
    return arena_status(&o->memory, err);
}

/* The index of dot(NAME) among the own columns, or n_own. */
static size_t find_rate(const Observed *o, const char *name)
{
    const size_t length = strlen(name);
    size_t k = 0;

    while (k < o->own.n && !(strncmp(o->own.names[k], "dot(", 4) == 0 &&
                             strncmp(o->own.names[k] + 4, name, length) == 0 &&
                             strcmp(o->own.names[k] + 4 + length, ")") == 0))
        k++;
    return k;
}

/* A column w(NAME) is a form, dot(NAME) the velocity of NAME; the model's own names come first. */
static bool add_own(Observed *o, size_t k)
{
    const Expr *own = o->inputs + o->n_inputs - o->own.n;
    const char *name = o->own.names[k], *open = strchr(name, '(');
    const size_t rate = find_rate(o, name);
    const bool measured = o->model->units.known && o->motion;
    const Unit *unit;
    const Dimension dimension = measured ? units_own_column(o->model, name, &unit) : (Dimension){0};
    char form[8], argument[128];
    bool good = true;

    /* forms such as w(NAME) get a name of their own; dot(NAME) belongs to NAME below */
    if (open && sscanf(name, "%7[a-z](%127[^)])", form, argument) == 2) {
        if (strcmp(form, "dot") != 0) {
            good = expr_scope_add_form(o->scope, form, argument, own[k]);
            expr_scope_measure_form(o->scope, dimension);
        }
    } else if (expr_name_valid(name) && !expr_scope_has(o->scope, name)) {
        good = expr_scope_add_coordinate(o->scope, name, own[k],
                                         rate < o->own.n ? own[rate] : EXPR_NONE, EXPR_NONE);
        expr_scope_measure(o->scope, dimension);
    }
    return good;
}

/* Adds an observable that further texts may name; the names of the model come first. */
static bool add_named(Observed *o, const NamedText *observe)
{
    Diagnostics told; /* its mistakes are told elsewhere */
    Dimension dimension;

    if (!expr_name_valid(observe->name) || expr_scope_has(o->scope, observe->name))
        return true;
    diagnostics_init(&told, &o->memory);
    const Expr value = expr_parse_measured(o->pool, o->scope, observe->text, PARSE_EXPRESSION,
                                           observe->pointer, &told, &dimension);
    if (expr_is_none(value))
        return expr_scope_add_broken(o->scope, observe->name, "this observable has mistakes");
    const bool good = expr_scope_add(o->scope, observe->name, value);
    if (good)
        expr_scope_measure(o->scope, dimension);
    return good;
}

static Status fill_scope(Observed *o, const JobSpec *job, Error *err)
{
    o->scope = model_scope(o->model, o->pool, true, o->lambda_rate);
    bool good = o->scope != NULL;
    if (good)
        expr_scope_list_as(o->scope, "columns");
    if (good && job->accepted)
        expr_scope_forgive_dimensions(o->scope);
    for (size_t k = 0; k < o->own.n && good; k++)
        good = add_own(o, k);
    if (good && job->n_named)
        expr_scope_list_as(o->scope, "observables");
    for (size_t k = 0; k < job->n_named && good; k++)
        good = add_named(o, &job->observe[k]);
    /* names that no text may use: they only tell what to do instead */
    for (size_t k = job->n_named; k < job->n_observe && good; k++)
        good = expr_scope_add_hint(o->scope, job->observe[k].name,
                                   "observables are not known here: write its expression out, or "
                                   "give the model a definition of it");
    return good ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

/* Makes the inputs of every function and, if there are texts to parse, pool and scope. */
static Status open_scope(Observed *o, const JobSpec *job, bool has_texts, Error *err)
{
    const Model *m = o->model;
    const bool kept = o->formulation->keeps_multipliers;

    Status status = find_own(o, err);
    if (status != OK)
        return status;
    o->n_symbols = m->sym.first_free + m->r + o->own.n;
    o->n_inputs = 1 + 3 * m->n + (kept ? 2 : 1) * m->r + o->own.n;
    o->inputs = ARENA_NEW(&o->memory, o->n_inputs, Expr);
    o->in = arena_doubles(&o->memory, o->n_inputs);
    o->used = ARENA_NEW(&o->memory, o->n_symbols, bool);
    o->impacts = ARENA_NEW(&o->memory, o->n_events, Impact);
    if (kept)
        o->lambda_rate = ARENA_NEW(&o->memory, m->r, Expr);
    if (!has_texts || arena_failed(&o->memory))
        return arena_status(&o->memory, err);
    o->pool = expr_pool_clone(m->pool);
    if (!o->pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* no formulation takes symbols in this pool */
    for (size_t a = 0; o->lambda_rate && a < m->r; a++)
        o->lambda_rate[a] = expr_symbol(o->pool, m->sym.first_free + (uint32_t)a);
    list_inputs(o, o->inputs);
    return fill_scope(o, job, err);
}

static Observed *observed_alloc(const ObservedOf *of, size_t n_events)
{
    Observed *o = alloc_array(1, sizeof *o);

    if (o)
        *o = (Observed){.model = of->model,
                        .formulation = of->formulation,
                        .motion = of->motion,
                        .params = of->params,
                        .n_events = n_events};
    return o;
}

Status observed_new(const ObservedOf *of, const JobSpec *spec, Diagnostics *diag,
                    Observed **ret_observed, Error *err)
{
    const size_t before = diag->total;
    Observed *o = observed_alloc(of, spec->n_events);
    if (!o)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = open_scope(o, spec, spec->n_observe || spec->n_events, err);
    if (status == OK && spec->n_observe)
        status = build_columns(o, spec, diag, err);
    if (status == OK && spec->n_events)
        status = build_guards(o, spec, diag, err);
    for (size_t k = 0; status == OK && k < spec->n_events; k++)
        status = build_impact(o, &spec->events[k], &o->impacts[k], spec->accepted, diag, err);
    /* mistakes of all texts are collected before the job is refused */
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job's expressions have mistakes");
    if (status == OK)
        *ret_observed = o;
    else
        observed_free(o);
    return status;
}

Status observed_values_new(const ObservedOf *of, const JobSpec *job, const ObservedTexts *texts,
                           Diagnostics *diag, Observed **ret_observed, Error *err)
{
    const size_t n = texts->n;
    Observed *o = observed_alloc(of, n);
    if (!o)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* parse the texts, then treat them as guards */
    Status status = open_scope(o, job, true, err);
    Expr *exprs = ARENA_NEW(&o->memory, n, Expr);
    o->dimensions = ARENA_NEW(&o->memory, n, Dimension);
    if (status == OK)
        status = arena_status(&o->memory, err);
    if (status == OK && !parse_all(o, texts->texts, n, texts->flags, diag, exprs, o->dimensions))
        status = error_set(err, ERR_INVALID, "the job's expressions have mistakes");
    if (status == OK)
        status = take_guards(o, exprs, err);
    if (status == OK)
        *ret_observed = o;
    else
        observed_free(o);
    return status;
}

bool observed_reads_own(const Observed *o)
{
    return o && o->own.read;
}

bool observed_is_stale(const Observed *o, const Motion *motion)
{
    return o && o->own.read && o->motion != motion;
}

void observed_rebind(Observed *o)
{
    function_bind_lane(&o->columns, 0, o->params);
    function_bind_lane(&o->guards, 0, o->params);
    for (size_t k = 0; k < o->n_events; k++)
        function_bind_lane(&o->impacts[k].values, 0, o->params);
    if (o->ranges.symbols)
        bind_symbols(o);
}

Dimension observed_dimension(const Observed *observed, size_t k)
{
    return observed->dimensions[k];
}

Status observed_reads(const Observed *o, bool value, size_t k, bool *ret, Error *err)
{
    const size_t n_symbols = o->n_symbols;
    bool *used = alloc_array(n_symbols, sizeof *used);

    if (!used)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const Status status = expr_used_symbols(
        o->pool, value ? &o->guard_exprs[k] : &o->column_exprs[k], 1, used, n_symbols, err);
    for (size_t i = 0; status == OK && i < o->n_inputs; i++)
        ret[i] = used[expr_node(o->pool, o->inputs[i]).symbol];
    free(used);
    return status;
}

Status observed_classes(const Observed *o, bool value, size_t first, size_t n,
                        const unsigned char *classes, unsigned char *ret, Error *err)
{
    const Expr *exprs = value ? o->guard_exprs : o->column_exprs;
    unsigned char *of_symbol = alloc_array(o->n_symbols, 1);

    if (!of_symbol)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < o->n_inputs; i++)
        of_symbol[expr_node(o->pool, o->inputs[i]).symbol] = classes[i];
    const Status status =
        expr_symbol_classes(o->pool, exprs + first, n, of_symbol, o->n_symbols, ret, err);
    free(of_symbol);
    return status;
}

bool observed_values_are_inputs(const Observed *o)
{
    bool inputs = true;

    for (size_t k = 0; k < o->n_events; k++)
        inputs = inputs && expr_node(o->pool, o->guard_exprs[k]).op == EXPR_SYMBOL;
    return inputs;
}

size_t observed_length(const Observed *o)
{
    return o->columns.program ? program_length(o->columns.program) : 0;
}

bool observed_guards_need_motion(const Observed *observed)
{
    return observed->guards_need_motion;
}

const double *observed_inputs(Observed *o, const ObservedState *state)
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
    if (state->own && o->own.read)
        memcpy(o->in + o->n_inputs - o->own.n, state->own, o->own.n * sizeof(double));
    return o->in;
}

void observed_columns(Observed *o, const ObservedState *state, double *ret_values)
{
    if (o->n_columns > 0)
        function_eval_at(&o->columns, observed_inputs(o, state), ret_values);
}

void observed_shaken(Observed *o, bool guards, const ObservedState *state, double by,
                     Random *random, double *ret_values)
{
    function_eval_shaken(guards ? &o->guards : &o->columns, observed_inputs(o, state), ret_values,
                         &(Shakes){.by = by, .random = random});
}

Status observed_linearise(Observed *o, const size_t *parameters, size_t n_parameters,
                          size_t columns, Error *err)
{
    const DirectionSpec spec = {.pool = o->pool,
                                .model = o->model,
                                .next_symbol = o->model->sym.first_free,
                                .state = o->inputs,
                                .n_state = o->n_inputs,
                                .directed = o->inputs + 1,
                                .n_directed = o->n_inputs - 1,
                                .parameters = parameters,
                                .n_parameters = n_parameters,
                                .roots = o->column_exprs,
                                .n_roots = o->n_columns};
    directions_done(&o->slopes);
    if (o->n_columns == 0)
        return OK;
    return directions_derive(&o->slopes, &spec, columns, o->params, err);
}

void observed_columns_along(Observed *o, const ObservedState *state, const DirectionRows *parts,
                            size_t n_parts, size_t m, double *ret)
{
    if (o->n_columns == 0)
        return;
    directions_eval(&o->slopes, observed_inputs(o, state), parts, n_parts, m, ret);
}

void observed_guards(Observed *o, const ObservedState *state, double *ret_values)
{
    function_eval_at(&o->guards, observed_inputs(o, state), ret_values);
}

Status observed_guards_in_lanes(const Observed *o, const double *params, size_t lanes,
                                Function *ret, Error *err)
{
    return observed_compile(o, o->guard_exprs, o->n_events, params, lanes, ret, err);
}

size_t observed_impact(Observed *o, size_t event, const ObservedState *state,
                       const SetTarget **ret_targets, const double **ret_values)
{
    Impact *impact = &o->impacts[event];

    if (impact->n == 0)
        return 0;
    function_eval_at(&impact->values, observed_inputs(o, state), impact->values.out);
    *ret_targets = impact->targets;
    *ret_values = impact->values.out;
    return impact->n;
}

size_t observed_n_inputs(const Observed *o)
{
    return o->n_inputs;
}

bool observed_guard_reads(const Observed *o, size_t event, size_t input)
{
    return range_eval_uses(o->ranges.evals[event], o->ranges.input_symbols[input]);
}

bool observed_guard_calm(const Observed *o, size_t event)
{
    return range_eval_calm(o->ranges.evals[event]);
}

Range observed_guard_range(Observed *o, size_t event, const Range *ranges)
{
    Range guard;

    for (size_t i = 0; i < o->n_inputs; i++)
        o->ranges.symbols[o->ranges.input_symbols[i]] = ranges[i];
    range_eval(o->ranges.evals[event], o->ranges.symbols, &guard);
    return guard;
}
