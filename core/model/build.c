/* model_build(): a document becomes a checked model, or a list of its mistakes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/interval/sharp.h"
#include "core/model/build.h"
#include "core/model/kinds.h"
#include "core/model/lagrangian.h"

/* Limit of a model's memory in bytes, far beyond any model within the limits of the pool. It guards
 * against errors. A convention. */
static const size_t ARENA_MAX = (size_t)1 << 30;

void *builder_alloc(Builder *b, size_t n, size_t size)
{
    void *memory = arena_alloc(b->arena, n, size);
    b->no_memory = b->no_memory || !memory;
    return memory;
}

const char *builder_copy(Builder *b, const char *text)
{
    const char *copy = arena_strdup(b->arena, text ? text : "");
    b->no_memory = b->no_memory || !copy;
    return copy ? copy : "";
}

bool builder_usable(const Builder *b)
{
    return !b->no_memory && expr_pool_status(b->pool, NULL) == OK;
}

size_t builder_coordinate(Builder *b, const char *name, const char *pointer)
{
    const Model *m = b->model;
    for (size_t i = 0; name && i < m->n; i++)
        if (strcmp(m->names.coordinates[i], name) == 0)
            return i;
    const char *hint = names_hint(b->diag, name ? name : "", "coordinates",
                                  (const char *const *)m->names.coordinates, m->n);
    diagnostics_add(b->diag, pointer, -1, hint, "there is no coordinate \"%.80s\"",
                    name ? name : "");
    return SIZE_MAX;
}

Expr builder_parse_measured(Builder *b, const NamedText *text, ParseFlags flags,
                            Dimension *ret_dimension)
{
    *ret_dimension = (Dimension){0};
    if (!builder_usable(b))
        return EXPR_NONE;
    return expr_parse_measured(b->pool, b->scope, text->text ? text->text : "", flags,
                               text->pointer, b->diag, ret_dimension);
}

uint32_t builder_symbol(const Builder *b, Expr symbol)
{
    return expr_node(b->pool, symbol).symbol;
}

bool builder_uses(Builder *b, const Expr *e, size_t n_e, uint32_t first, size_t n)
{
    if (n == 0 || !builder_usable(b))
        return false;
    bool *used = alloc_array(first + n, sizeof *used), found = false;

    if (!used || expr_used_symbols(b->pool, e, n_e, used, first + n, NULL) != OK)
        b->no_memory = true;
    for (size_t i = 0; i < n && !b->no_memory; i++)
        found = found || used[first + i];
    free(used);
    return found;
}

static bool check_count(Builder *b, size_t n, size_t max, const char *member, const char *what)
{
    char pointer[512];
    if (n <= max)
        return true;
    snprintf(pointer, sizeof pointer, "%s/%s", b->root, member);
    diagnostics_add(b->diag, pointer, -1, NULL, "%zu %s; at most %zu are possible", n, what, max);
    return false;
}

static bool check_counts(Builder *b)
{
    const ModelDocument *d = b->document;
    bool fits =
        check_count(b, d->n_coordinates, MODEL_MAX_COORDINATES, "coordinates", "coordinates");
    fits &= check_count(b, d->n_constraints, MODEL_MAX_CONSTRAINTS, "constraints", "constraints");
    fits &= check_count(b, d->n_parameters, MODEL_MAX_PARAMETERS, "parameters", "parameters");
    fits &= check_count(b, d->n_definitions, MODEL_MAX_DEFINITIONS, "definitions", "definitions");
    fits &= check_count(b, d->n_symmetries, MODEL_MAX_COORDINATES, "symmetries", "symmetries");
    fits &= check_count(b, d->chart.n_coordinates, MODEL_MAX_COORDINATES, "chart/coordinates",
                        "coordinates of the chart");
    return fits;
}

static const Expr *new_symbols(Builder *b, size_t n)
{
    Expr *symbols = builder_alloc(b, n, sizeof *symbols);
    for (size_t i = 0; symbols && i < n; i++)
        symbols[i] = expr_symbol(b->pool, b->model->sym.first_free++);
    return symbols;
}

/* The order of these calls is the numbering promised in model.h. */
static void number_symbols(Builder *b)
{
    Model *m = b->model;
    m->sym.first_free = 0;
    m->sym.t = expr_symbol(b->pool, m->sym.first_free++);
    m->sym.q = new_symbols(b, m->n);
    m->sym.v = new_symbols(b, m->n);
    m->sym.vdot = new_symbols(b, m->n);
    m->sym.params = new_symbols(b, m->n_params);
    m->sym.lambda = new_symbols(b, m->r);
    m->given.chart.x = new_symbols(b, m->given.chart.n);
    m->given.chart.xdot = new_symbols(b, m->given.chart.n);
}

static void copy_coordinates(Builder *b, const CoordinateText *texts, size_t n,
                             const char ***ret_names, double **ret_periods)
{
    const char **names = builder_alloc(b, n, sizeof *names);
    double *periods = builder_alloc(b, n, sizeof *periods);

    for (size_t i = 0; !b->no_memory && i < n; i++) {
        names[i] = builder_copy(b, texts[i].name);
        periods[i] = texts[i].period;
        if (!(periods[i] >= 0 && isfinite(periods[i])))
            diagnostics_add(b->diag, texts[i].pointer, -1, NULL,
                            "the period of \"%.80s\" must be a positive number", names[i]);
    }
    *ret_names = names;
    *ret_periods = periods;
}

static void copy_parameters(Builder *b)
{
    const ModelDocument *d = b->document;
    const char **names = builder_alloc(b, d->n_parameters, sizeof *names);
    double *values = builder_alloc(b, d->n_parameters, sizeof *values);

    for (size_t i = 0; !b->no_memory && i < d->n_parameters; i++) {
        names[i] = builder_copy(b, d->parameters[i].name);
        values[i] = d->parameters[i].value;
        if (!isfinite(values[i]))
            diagnostics_add(b->diag, d->parameters[i].pointer, -1, NULL,
                            "the value of \"%.80s\" is not a finite number", names[i]);
    }
    b->model->names.params = names;
    b->model->param_values = b->values = values;
}

static void copy_document(Builder *b)
{
    const ModelDocument *d = b->document;
    Model *m = b->model;

    m->n = d->n_coordinates;
    m->r = d->n_constraints;
    m->n_params = d->n_parameters;
    m->given.chart.n = d->chart.pointer ? d->chart.n_coordinates : 0;
    m->given.chart.clock = d->chart.clock;
    m->names.model = builder_copy(b, d->name);
    m->names.description = builder_copy(b, d->description);
    copy_coordinates(b, d->coordinates, m->n, &m->names.coordinates, &b->periods);
    copy_coordinates(b, d->chart.coordinates, m->given.chart.n, &m->given.chart.names,
                     &b->chart_periods);
    m->kinds.periods = b->periods;
    m->given.chart.periods = b->chart_periods;
    copy_parameters(b);
    /* room for the constraints and matrices that are derived later */
    b->constraints = builder_alloc(b, m->r, sizeof *b->constraints);
    b->A = builder_alloc(b, m->r * m->n, sizeof *b->A);
    b->M = builder_alloc(b, m->n * m->n, sizeof *b->M);
    m->constraints = b->constraints;
    m->A = b->A;
    m->M = b->M;
    number_symbols(b);
    if (!b->no_memory)
        build_units(b);
}

/* Invalid names were reported, and are left out. */
static void fill_scope(Builder *b)
{
    const Model *m = b->model;
    const ModelUnits *units = &m->units;
    bool good = expr_scope_set_time(b->scope, m->sym.t);

    if (units->known)
        expr_scope_measure_time(b->scope, dimension_base(BASE_S));
    /* add the names that own their text, so that duplicates are skipped */
    expr_scope_list_as(b->scope, "coordinates");
    for (size_t i = 0; i < m->n; i++) {
        if (!names_owns(&b->names, m->names.coordinates[i], NAME_COORDINATE, i))
            continue;
        good = good && expr_scope_add_coordinate(b->scope, m->names.coordinates[i], m->sym.q[i],
                                                 m->sym.v[i], EXPR_NONE);
        if (units->known)
            expr_scope_measure(b->scope, units->state[i].dimension);
    }
    expr_scope_list_as(b->scope, "parameters");
    for (size_t i = 0; i < m->n_params; i++) {
        if (!names_owns(&b->names, m->names.params[i], NAME_PARAMETER, i))
            continue;
        good = good && expr_scope_add(b->scope, m->names.params[i], m->sym.params[i]);
        if (units->known)
            expr_scope_measure(b->scope, units->parameters[i].dimension);
    }
    expr_scope_list_as(b->scope, "definitions");
    b->no_memory = b->no_memory || !good;
}

static void build_lagrangian(Builder *b)
{
    Model *m = b->model;
    const NamedText *text = &b->document->lagrangian;

    m->L = builder_parse_measured(b, text, PARSE_EXPRESSION, &m->units.lagrangian);
    if (expr_is_none(m->L) || m->n == 0 || b->no_memory)
        return;
    /* if a definition failed, it may have contained the velocity */
    if (!builder_uses(b, &m->L, 1, builder_symbol(b, m->sym.v[0]), m->n) &&
        !builder_uses(b, &m->L, 1, m->sym.first_free, b->storage->n_definitions) &&
        builder_usable(b))
        diagnostics_add(b->diag, text->pointer, -1,
                        "a velocity is written dot(x); kinetic energy is missing",
                        "the Lagrangian contains no velocity, so it says nothing about motion");
}

/* The terms derived from L: momenta, mass matrix, the other terms of D/Dt L_v - L_q, the energy. */
static void build_dynamics(Builder *b)
{
    Model *m = b->model;
    const LagrangianSymbols symbols = {.t = m->sym.t,
                                       .q = m->sym.q,
                                       .v = m->sym.v,
                                       .n = m->n,
                                       .params = m->sym.params,
                                       .n_params = m->n_params};
    LagrangianTerms elements = {.p = builder_alloc(b, m->n, sizeof *elements.p),
                                .M = b->M,
                                .l = b->l = builder_alloc(b, m->n, sizeof *elements.l)};

    if (b->no_memory || !lagrangian_derive(b->pool, &symbols, m->L, &elements)) {
        b->no_memory = true;
        return;
    }
    m->p = elements.p;
    m->l = elements.l;
    m->energy = elements.energy;
    m->L_t = elements.L_t;
    /* M and A are complete now: find the parts that stay fixed */
    if (builder_usable(b))
        build_fixed(b);
}

static bool faultless(const Builder *b)
{
    return b->diag->total == b->mistakes_before && builder_usable(b);
}

static void build_kinds(Builder *b)
{
    size_t *kinds = builder_alloc(b, b->model->n, sizeof *kinds);
    bool *pure = builder_alloc(b, b->model->n, sizeof *pure);

    b->model->kinds.first = kinds;
    b->model->kinds.pure = pure;
    if (kinds && pure && kinds_find(b->model, kinds, pure, NULL) != OK)
        b->no_memory = true;
}

static void build_equations(Builder *b)
{
    const ModelDocument *d = b->document;
    Expr *equations = builder_alloc(b, d->n_constraints, sizeof *equations);

    build_definitions(b);
    build_lagrangian(b);
    for (size_t a = 0; !b->no_memory && a < d->n_constraints; a++)
        equations[a] = builder_parse_measured(b, &d->constraints[a], PARSE_EQUATION,
                                              &b->model->units.constraints[a]);
    build_forces(b);
    build_geometry(b);
    if (!faultless(b))
        return;
    /* derive the constraints and the dynamics, if there are no mistakes so far */
    for (size_t a = 0; a < d->n_constraints && builder_usable(b); a++) {
        b->deriving = d->constraints[a].pointer;
        build_constraint(b, a, equations[a]);
    }
    if (faultless(b)) {
        b->deriving = d->lagrangian.pointer;
        build_dynamics(b);
    }
    if (faultless(b))
        build_kinds(b);
}

static Status start(Builder *b, Error *err)
{
    ModelStorage *storage = alloc_array(1, sizeof *storage);
    if (!storage)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a model");
    atomic_init(&storage->references, 1);
    b->storage = storage;
    b->model = &storage->model;
    b->model->storage = storage;
    b->model->pool = b->pool = expr_pool_new((ExprLimits){0});
    b->arena = storage->arena = arena_new(ARENA_MAX);
    b->scope = expr_scope_new();
    if (!b->pool || !b->arena || !b->scope)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a model");
    return OK;
}

static void build(Builder *b)
{
    char pointer[512];

    if (!check_counts(b))
        return;
    if (b->document->n_coordinates == 0) {
        snprintf(pointer, sizeof pointer, "%s/coordinates", b->root);
        diagnostics_add(b->diag, pointer, -1, NULL, "a model needs at least one coordinate");
    }
    /* go on after mistakes, to report all of them */
    if (!names_init(&b->names, b->document, b->arena, b->diag))
        b->no_memory = true;
    if (!b->no_memory)
        copy_document(b);
    if (!b->no_memory)
        build_constraint_names(b);
    if (!b->no_memory)
        fill_scope(b);
    if (!b->no_memory)
        build_equations(b);
}

/* Reports a failed pool as a mistake of the document, too: too big, or not differentiable. */
static Status finish(Builder *b, Error *err)
{
    Error cause = {0};
    Status status = b->no_memory ? ERR_NO_MEMORY : expr_pool_status(b->pool, &cause);

    if (status == ERR_NO_MEMORY)
        return error_set(err, status, "out of memory for a model");
    /* a mistake reported before explains the failure */
    if (status != OK && b->diag->total == b->mistakes_before)
        diagnostics_add(b->diag, b->deriving ? b->deriving : b->root, -1,
                        strncmp(cause.message, "a constant in", 13) == 0
                            ? "its derivatives have such numbers: choose other units"
                            : NULL,
                        "the equations cannot be derived: %s", cause.message);
    const size_t mistakes = b->diag->total - b->mistakes_before;
    if (mistakes == 0)
        return OK;
    const bool kept = b->mistakes_before < b->diag->count;
    return error_set(err, status == ERR_LIMIT ? ERR_LIMIT : ERR_INVALID,
                     "the model has %zu mistake%s; the first: %s", mistakes,
                     mistakes == 1 ? "" : "s",
                     kept ? b->diag->items[b->mistakes_before].message : "not kept");
}

/* Lists the expressions from which sharp nodes are taken. Of a holonomic constraint f is enough, as
 * is L of the dynamics, because derived expressions have the same sharp nodes. */
static size_t list_sharp_roots(const Model *m, Expr *ret)
{
    size_t count = 0;

    ret[count++] = m->L;
    for (size_t i = 0; i < m->n; i++)
        ret[count++] = m->F[i];
    for (size_t a = 0; a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        ret[count++] = c->kind == CONSTRAINT_HOLONOMIC ? c->f : c->phi;
    }
    return count;
}

/* Finds the sharp nodes in a pool of their own, so that derivations from the model do not meet
 * them. */
static Status find_sharp(Builder *b, Error *err)
{
    Model *m = b->model;
    const uint32_t n_moving = (uint32_t)(1 + 2 * m->n);
    Expr *roots = ARENA_NEW(b->arena, 1 + m->n + m->r, Expr);
    Status status = arena_status(b->arena, err);

    m->sharp.pool = b->pool;
    if (status != OK)
        return status;
    /* the first pass counts them, the second one lists them in a clone of the pool */
    const size_t n_roots = list_sharp_roots(m, roots);
    status = sharp_nodes(m->pool, roots, n_roots, n_moving, NULL, 0, &m->sharp.n, err);
    if (status != OK || m->sharp.n == 0)
        return status;
    Expr *parts = ARENA_NEW(b->arena, m->sharp.n, Expr);
    if (!parts || !(m->sharp.pool = expr_pool_clone(m->pool))) {
        m->sharp.pool = b->pool;
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    m->sharp.nodes = parts;
    return sharp_nodes(m->sharp.pool, roots, n_roots, n_moving, parts, m->sharp.n, &m->sharp.n,
                       err);
}

/* "/model" of "/model/lagrangian". */
static void find_root(const ModelDocument *document, char *ret_root, size_t size)
{
    const char *pointer = document->lagrangian.pointer ? document->lagrangian.pointer : "";
    const char *slash = strrchr(pointer, '/');
    snprintf(ret_root, size, "%.*s", slash ? (int)(slash - pointer) : 0, pointer);
}

static Status build_whole(const ModelDocument *document, bool without_units, Diagnostics *diag,
                          Model **ret_model, Error *err)
{
    char root[256];
    find_root(document, root, sizeof root);
    Builder b = {.document = document,
                 .root = root,
                 .diag = diag,
                 .mistakes_before = diag->total,
                 .without_units = without_units};
    Status status = start(&b, err);

    /* mistakes are collected in diag; finish() turns them into one error */
    if (status == OK) {
        build(&b);
        status = finish(&b, err);
    }
    if (status == OK)
        status = find_sharp(&b, err);
    expr_scope_free(b.scope);
    if (status == OK)
        *ret_model = b.model;
    else
        model_unref(b.model);
    return status;
}

/* Builds a document without its units if an earlier version accepted it before units were checked.
 * The warning tells why the units are not used. */
static Status build_again(const ModelDocument *document, const Diagnostics *found,
                          Diagnostics *diag, Model **ret_model, Error *err)
{
    Model *model;
    Status status = build_whole(document, true, diag, &model, err);

    if (status != OK)
        return status;
    const Diagnostic *first = &found->items[0];
    model->units.warning = arena_printf(model->storage->arena, "units are not used: %s: %s",
                                        first->pointer, first->message);
    model->units.excused = true;
    if (!model->units.warning) {
        model_unref(model);
        return error_set(err, ERR_NO_MEMORY, "out of memory for a model");
    }
    *ret_model = model;
    return OK;
}

Status model_build(const ModelDocument *document, Diagnostics *diag, Model **ret_model, Error *err)
{
    Diagnostics found;

    if (!document->accepted)
        return build_whole(document, false, diag, ret_model, err);
    diagnostics_init(&found, diag->arena);
    const Status status = build_whole(document, false, &found, ret_model, err);
    diag->no_memory = diag->no_memory || found.no_memory;
    if (found.no_memory && status != OK) /* even if it is followed by mistakes in the texts */
        return error_set(err, ERR_NO_MEMORY, "out of memory for a model");
    return status == ERR_INVALID ? build_again(document, &found, diag, ret_model, err) : status;
}
