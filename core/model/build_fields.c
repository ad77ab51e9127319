/* The parts of a document listed by coordinate: forces, vector fields, base, chart; and the names
 * of its constraints. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/build.h"
#include "core/model/dimensions.h"

/* Whether a name is "c7" but not of the seventh constraint, which always may be called so. */
static bool is_other_number(const char *name, size_t a)
{
    char own[32];
    if (name[0] != 'c' || name[1] < '1' || name[1] > '9' ||
        strspn(name + 1, "0123456789") != strlen(name + 1))
        return false;
    snprintf(own, sizeof own, "c%zu", a + 1);
    return strcmp(own, name) != 0;
}

static void check_constraint_name(Builder *b, size_t a, const char *pointer)
{
    const char *name = b->constraints[a].name;

    if (!name_check(name, "constraint", pointer, b->diag))
        return;
    if (is_other_number(name, a)) {
        diagnostics_add(b->diag, pointer, -1, "choose another name",
                        "\"%.80s\" always means the entry of that number; this is entry %zu", name,
                        a + 1);
        return;
    }
    for (size_t c = 0; c < a; c++) {
        if (strcmp(b->constraints[c].name, name) == 0) {
            diagnostics_add(b->diag, pointer, -1, NULL, "a second constraint \"%.80s\"", name);
            return;
        }
    }
}

void build_constraint_names(Builder *b)
{
    for (size_t a = 0; a < b->model->r && !b->no_memory; a++) {
        const NamedText *text = &b->document->constraints[a];
        char number[32];
        snprintf(number, sizeof number, "c%zu", a + 1);
        b->constraints[a].name = builder_copy(b, text->name ? text->name : number);
        if (text->name)
            check_constraint_name(b, a, text->name_pointer ? text->name_pointer : text->pointer);
    }
}

/* One text of a list by coordinate. */
typedef struct Component {
    size_t coordinate; /* SIZE_MAX: there is none of that name */
    Expr value;
    Dimension dimension;
} Component;

/* Parses one text for each coordinate named, into ret_found[n]; the others get the constant 0. */
static const Expr *parse_components(Builder *b, const NamedText *texts, size_t n, const char *what,
                                    Component *ret_found)
{
    const Model *m = b->model;
    Expr *components = builder_alloc(b, m->n, sizeof *components);
    bool *given = alloc_array(m->n, sizeof *given);

    b->no_memory = b->no_memory || !given;
    for (size_t i = 0; i < m->n && !b->no_memory; i++)
        components[i] = expr_const(b->pool, 0);
    for (size_t k = 0; k < n && !b->no_memory; k++) {
        const char *name_pointer = texts[k].name_pointer ? texts[k].name_pointer : texts[k].pointer;
        const size_t i = builder_coordinate(b, texts[k].name, name_pointer);
        Component *found = &ret_found[k];
        found->coordinate = i;
        found->value = builder_parse_measured(b, &texts[k], PARSE_EXPRESSION, &found->dimension);
        /* an unknown name is reported; its text was read for further mistakes */
        if (i == SIZE_MAX)
            continue;
        if (given[i])
            diagnostics_add(b->diag, name_pointer, -1, NULL, "a second %s for \"%.80s\"", what,
                            texts[k].name);
        given[i] = true;
        components[i] = found->value;
    }
    free(given);
    return components;
}

void build_forces(Builder *b)
{
    const NamedText *texts = b->document->forces;
    const size_t n = b->document->n_forces;
    Component *found = builder_alloc(b, n, sizeof *found);

    if (b->no_memory)
        return;
    b->model->F = parse_components(b, texts, n, "generalised force", found);
    for (size_t k = 0; k < n && !b->no_memory; k++) {
        if (found[k].coordinate == SIZE_MAX)
            continue;
        const Dimension due = units_force(b->model, found[k].coordinate);
        units_check(b->diag, &texts[k], &found[k].dimension, &due, "the force on",
                    "as the Lagrangian divided by the coordinate");
    }
}

static const char *field_name(Builder *b, const FieldText *text, const char *prefix, size_t k)
{
    char number[64];
    snprintf(number, sizeof number, "%s%zu", prefix, k + 1);
    return builder_copy(b, text->name ? text->name : number);
}

static bool all_zero(const Builder *b, const Expr *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!expr_is_zero(b->pool, e[i]))
            return false;
    return true;
}

static void report_velocities(Builder *b, const FieldText *text, const Component *found)
{
    const Model *m = b->model;
    for (size_t k = 0; k < text->n_components; k++)
        if (!expr_is_none(found[k].value) &&
            builder_uses(b, &found[k].value, 1, builder_symbol(b, m->sym.v[0]), m->n))
            diagnostics_add(b->diag, text->components[k].pointer, -1,
                            "it may contain coordinates, t and parameters",
                            "a vector field on the configuration space has no velocities");
}

static void check_field(Builder *b, const FieldText *text, const Component *found,
                        const ModelField *field)
{
    const Model *m = b->model;
    for (size_t i = 0; i < m->n; i++)
        if (expr_is_none(field->components[i]))
            return; /* reported */
    if (builder_uses(b, field->components, m->n, builder_symbol(b, m->sym.v[0]), m->n))
        report_velocities(b, text, found);
    else if (all_zero(b, field->components, m->n))
        diagnostics_add(b->diag, text->pointer, -1, NULL, "the vector field \"%.80s\" is zero",
                        field->name);
}

/* All X_i / q_i of a field must have the same dimension, which is returned. */
static Dimension field_dimension(Builder *b, const FieldText *text, const Component *found)
{
    Dimension common = {0};

    for (size_t k = 0; k < text->n_components && b->model->units.known; k++) {
        if (found[k].coordinate == SIZE_MAX)
            continue;
        /* the dimension follows from the components before it */
        const Dimension q = b->model->units.state[found[k].coordinate].dimension;
        const Dimension due = units_product(common, q, 1);
        units_check(b->diag, &text->components[k], &found[k].dimension, &due,
                    "the component of the field",
                    "for the components before it to belong to the same motion");
        if (!common.known)
            common = units_product(found[k].dimension, q, -1);
    }
    return common;
}

/* Names of a frame's fields become column names. */
static void check_field_name(Builder *b, const ModelField *fields, size_t k, const char *what,
                             bool identifier, const char *pointer)
{
    const char *name = fields[k].name;
    if (identifier && !name_check(name, what, pointer, b->diag))
        return;
    for (size_t c = 0; c < k; c++) {
        if (strcmp(fields[c].name, name) == 0) {
            diagnostics_add(b->diag, pointer, -1, NULL, "a second %s \"%.80s\"", what, name);
            return;
        }
    }
}

static const ModelField *build_fields(Builder *b, const FieldText *texts, size_t n, bool frame)
{
    ModelField *fields = builder_alloc(b, n, sizeof *fields);
    Dimension *dimensions = frame ? b->model->units.frame : b->model->units.symmetries;

    for (size_t k = 0; k < n && !b->no_memory; k++) {
        fields[k].name = field_name(b, &texts[k], frame ? "X" : "Y", k);
        check_field_name(b, fields, k, frame ? "field of the frame" : "symmetry", frame,
                         texts[k].pointer);
        /* the components as written, to report mistakes in their texts */
        Component *found = builder_alloc(b, texts[k].n_components, sizeof *found);
        if (b->no_memory)
            break;
        fields[k].components =
            parse_components(b, texts[k].components, texts[k].n_components, "component", found);
        if (b->no_memory)
            break;
        dimensions[k] = field_dimension(b, &texts[k], found);
        if (builder_usable(b))
            check_field(b, &texts[k], found, &fields[k]);
    }
    return fields;
}

static void build_base(Builder *b)
{
    Model *m = b->model;
    size_t *base = builder_alloc(b, b->document->n_base, sizeof *base);

    for (size_t k = 0; k < b->document->n_base && !b->no_memory; k++) {
        const NamedText *text = &b->document->base[k];
        const char *pointer = text->name_pointer ? text->name_pointer : text->pointer;
        base[k] = builder_coordinate(b, text->name, pointer);
        /* compare with those before it; an unknown name is already reported */
        for (size_t c = 0; c < k && base[k] != SIZE_MAX; c++) {
            if (base[c] == base[k]) {
                diagnostics_add(b->diag, pointer, -1, NULL, "\"%.80s\" is in the base twice",
                                text->name);
                break;
            }
        }
    }
    m->given.base = base;
    m->given.n_base = b->document->n_base;
}

/* The names of a chart's map: chart coordinates, parameters, time, and definitions of only
 * these. */
static ExprScope *chart_scope(Builder *b)
{
    const Model *m = b->model;
    const ModelStorage *storage = b->storage;
    ExprScope *scope = expr_scope_new();
    const ModelUnits *units = &m->units;
    bool good = scope && expr_scope_set_time(scope, m->sym.t);

    if (good && units->known)
        expr_scope_measure_time(scope, dimension_base(BASE_S));
    if (good)
        expr_scope_list_as(scope, "coordinates of the chart");
    for (size_t i = 0; good && i < m->given.chart.n; i++) {
        good = expr_scope_add_coordinate(scope, m->given.chart.names[i], m->given.chart.x[i],
                                         m->given.chart.xdot[i], EXPR_NONE);
        if (good && units->known)
            expr_scope_measure(scope, units->chart[i].dimension);
    }
    if (good)
        expr_scope_list_as(scope, "parameters");
    for (size_t i = 0; good && i < m->n_params; i++) {
        if (!names_owns(&b->names, m->names.params[i], NAME_PARAMETER, i))
            continue;
        good = expr_scope_add(scope, m->names.params[i], m->sym.params[i]);
        if (good && units->known)
            expr_scope_measure(scope, units->parameters[i].dimension);
    }
    if (good)
        expr_scope_list_as(scope, "definitions");
    for (size_t d = 0; good && d < storage->n_definitions; d++) {
        Expr value = storage->definitions[d];
        const char *name = storage->definition_names[d];
        if (!names_owns(&b->names, name, NAME_DEFINITION, d))
            continue;
        /* q and v are numbered one after the other */
        if (expr_is_none(value) ||
            builder_uses(b, &value, 1, builder_symbol(b, m->sym.q[0]), 2 * m->n))
            good = expr_scope_add_broken(scope, name,
                                         "this definition contains coordinates of the model, which "
                                         "a chart's map may not use");
        else
            good = expr_scope_add(scope, name, value);
        if (good)
            expr_scope_measure(scope, units->definitions[d]);
    }
    b->no_memory = b->no_memory || !good;
    return scope;
}

static bool check_chart_names(Builder *b)
{
    const Model *m = b->model;
    const ChartText *chart = &b->document->chart;
    const size_t before = b->diag->total;

    if (m->given.chart.n == 0 || m->given.chart.n > m->n)
        diagnostics_add(b->diag, chart->pointer, -1, NULL,
                        "a chart has as many coordinates as the model (%zu) or fewer, not %zu",
                        m->n, m->given.chart.n);
    /* each name is valid, free or a coordinate's, and not used twice */
    for (size_t i = 0; i < m->given.chart.n; i++) {
        const char *name = m->given.chart.names[i], *pointer = chart->coordinates[i].pointer;
        if (!name_check(name, "coordinate of the chart", pointer, b->diag))
            continue;
        const NameEntry *entry = names_find(&b->names, name, strlen(name));
        if (entry && entry->kind != NAME_COORDINATE)
            diagnostics_add(b->diag, pointer, -1, NULL,
                            "the chart's coordinate \"%.80s\" has the name of a parameter or "
                            "definition",
                            name);
        for (size_t c = 0; c < i; c++) {
            if (strcmp(m->given.chart.names[c], name) == 0) {
                diagnostics_add(b->diag, pointer, -1, NULL, "a second coordinate \"%.80s\"", name);
                break;
            }
        }
    }
    if (!isfinite(chart->clock))
        diagnostics_add(b->diag, chart->pointer, -1, NULL, "the clock's shift is not finite");
    return b->diag->total == before;
}

/* A coordinate that the map leaves out keeps its name and value. */
static Expr identity_component(Builder *b, size_t i)
{
    const Model *m = b->model;
    for (size_t k = 0; k < m->given.chart.n; k++)
        if (strcmp(m->given.chart.names[k], m->names.coordinates[i]) == 0)
            return m->given.chart.x[k];
    diagnostics_add(b->diag, b->document->chart.pointer, -1,
                    "a coordinate missing in the map must be a coordinate of the chart",
                    "the chart's map does not say what \"%.80s\" is", m->names.coordinates[i]);
    return EXPR_NONE;
}

static void build_chart(Builder *b)
{
    Model *m = b->model;
    const ChartText *chart = &b->document->chart;

    if (!chart->pointer || !check_chart_names(b))
        return;
    Expr *map = builder_alloc(b, m->n, sizeof *map);
    bool *given = builder_alloc(b, m->n, sizeof *given);
    ExprScope *scope = chart_scope(b), *models = b->scope;
    b->scope = scope;
    /* each given component: without velocities, for a coordinate, once */
    for (size_t k = 0; k < chart->n_map && !b->no_memory; k++) {
        const NamedText *text = &chart->map[k];
        const char *pointer = text->name_pointer ? text->name_pointer : text->pointer;
        size_t i = builder_coordinate(b, text->name, pointer);
        Dimension found;
        Expr value = builder_parse_measured(b, text, PARSE_EXPRESSION, &found);
        if (i != SIZE_MAX && m->units.known)
            units_check(b->diag, text, &found, &m->units.state[i].dimension, "the map of",
                        "as the coordinate");
        if (!expr_is_none(value) &&
            builder_uses(b, &value, 1, builder_symbol(b, m->given.chart.xdot[0]), m->given.chart.n))
            diagnostics_add(b->diag, text->pointer, -1, NULL, "a chart's map has no velocities");
        if (i == SIZE_MAX)
            continue;
        if (given[i])
            diagnostics_add(b->diag, pointer, -1, NULL, "\"%.80s\" is mapped twice", text->name);
        given[i] = true;
        map[i] = value;
    }
    b->scope = models;
    expr_scope_free(scope);
    /* a coordinate without a component is the chart's coordinate of the same name */
    for (size_t i = 0; i < m->n && !b->no_memory; i++)
        if (!given[i])
            map[i] = identity_component(b, i);
    m->given.chart.map = map;
}

void build_geometry(Builder *b)
{
    const ModelDocument *d = b->document;
    Model *m = b->model;

    if (m->n == 0 || b->no_memory)
        return;
    m->given.symmetries = build_fields(b, d->symmetries, d->n_symmetries, false);
    m->given.n_symmetries = d->n_symmetries;
    if (d->n_frame > m->n)
        diagnostics_add(b->diag, d->frame[m->n].pointer, -1, NULL,
                        "%zu fields are too many for a frame of %zu coordinates", d->n_frame, m->n);
    else
        m->given.frame = build_fields(b, d->frame, d->n_frame, true);
    m->given.n_frame = d->n_frame;
    build_base(b);
    build_chart(b);
}
