/* Makes a document, and all that is computed from it, of short texts. */
#include "tests/core/model/sketch.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

static char *trimmed(Arena *arena, const char *from, const char *to)
{
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    return arena_strndup(arena, from, (size_t)(to - from));
}

static const char *word_end(const char *text, char separator)
{
    const char *end = strchr(text, separator);
    return end ? end : text + strlen(text);
}

/* Calls put for each non-empty piece between separators. */
static size_t split(const char *text, char separator, Arena *arena, const char **ret_pieces,
                    size_t max)
{
    size_t n = 0;
    while (text && *text) {
        const char *end = word_end(text, separator);
        const char *piece = trimmed(arena, text, end);
        if (piece[0]) {
            ck_assert_uint_lt(n, max);
            ret_pieces[n++] = piece;
        }
        text = *end ? end + 1 : end;
    }
    return n;
}

enum { MANY = 64 };

static CoordinateText *coordinates(const char *text, const char *pointer, Arena *arena,
                                   size_t *ret_n)
{
    const char *names[MANY];
    *ret_n = split(text, ' ', arena, names, MANY);
    CoordinateText *list = arena_alloc(arena, *ret_n, sizeof *list);
    for (size_t i = 0; i < *ret_n; i++)
        list[i] = (CoordinateText){.name = names[i],
                                   .pointer = arena_printf(arena, "%s/%zu", pointer, i)};
    return list;
}

/* "NAME: EXPRESSION" or "EXPRESSION"; separator as in "NAME = EXPRESSION". */
static NamedText named(const char *text, char separator, const char *pointer, Arena *arena)
{
    const char *mark = strchr(text, separator);
    NamedText named = {.pointer = pointer};
    named.text = trimmed(arena, mark ? mark + 1 : text, text + strlen(text));
    named.name = mark ? trimmed(arena, text, mark) : NULL;
    return named;
}

static NamedText *members(const char *const *texts, const char *pointer, Arena *arena,
                          size_t *ret_n)
{
    NamedText *list = arena_alloc(arena, SKETCH_MAX, sizeof *list);
    for (*ret_n = 0; *ret_n < SKETCH_MAX && texts[*ret_n]; ++*ret_n) {
        NamedText *item = &list[*ret_n];
        *item = named(texts[*ret_n], ':', NULL, arena);
        item->pointer = arena_printf(arena, "%s/%s", pointer, item->name ? item->name : "");
    }
    return list;
}

static NamedText *constraints(const char *const *texts, Arena *arena, size_t *ret_n)
{
    NamedText *list = members(texts, "", arena, ret_n);
    for (size_t k = 0; k < *ret_n; k++) {
        list[k].pointer =
            arena_printf(arena, "/model/constraints/%zu%s", k, list[k].name ? "/equation" : "");
        if (list[k].name)
            list[k].name_pointer = arena_printf(arena, "/model/constraints/%zu/name", k);
    }
    return list;
}

static NamedText *components(const char *text, const char *pointer, Arena *arena, size_t *ret_n)
{
    const char *pieces[MANY];
    *ret_n = split(text, ',', arena, pieces, MANY);
    NamedText *list = arena_alloc(arena, *ret_n, sizeof *list);
    for (size_t k = 0; k < *ret_n; k++) {
        list[k] = named(pieces[k], '=', NULL, arena);
        list[k].pointer = arena_printf(arena, "%s/%s", pointer, list[k].name);
    }
    return list;
}

static FieldText *fields(const char *const *texts, const char *member, Arena *arena, size_t *ret_n)
{
    FieldText *list = arena_alloc(arena, SKETCH_MAX, sizeof *list);
    for (*ret_n = 0; *ret_n < SKETCH_MAX && texts[*ret_n]; ++*ret_n) {
        const char *pointer = arena_printf(arena, "/model/%s/%zu", member, *ret_n);
        NamedText text = named(texts[*ret_n], ':', pointer, arena);
        FieldText *field = &list[*ret_n];
        *field = (FieldText){.name = text.name, .pointer = pointer};
        field->components = components(text.text, pointer, arena, &field->n_components);
    }
    return list;
}

static NamedValue *parameters(const char *text, Arena *arena, size_t *ret_n)
{
    const char *pieces[MANY];
    *ret_n = split(text, ' ', arena, pieces, MANY);
    NamedValue *list = arena_alloc(arena, *ret_n, sizeof *list);
    for (size_t k = 0; k < *ret_n; k++) {
        const char *mark = strchr(pieces[k], '=');
        ck_assert_ptr_nonnull(mark);
        list[k].name = arena_strndup(arena, pieces[k], (size_t)(mark - pieces[k]));
        list[k].value = strtod(mark + 1, NULL);
        list[k].pointer = arena_printf(arena, "/model/parameters/%s", list[k].name);
    }
    return list;
}

static ChartText chart(const char *text, Arena *arena)
{
    ChartText result = {0};
    if (!text)
        return result;
    NamedText parts = named(text, ':', NULL, arena);
    result.pointer = "/model/chart";
    result.coordinates =
        coordinates(parts.name, "/model/chart/coordinates", arena, &result.n_coordinates);
    result.map = components(parts.text, "/model/chart/map", arena, &result.n_map);
    return result;
}

ModelDocument sketch_document(const Sketch *s, Arena *arena)
{
    ModelDocument d = {.name = "sketch", .description = ""};
    const char *base[MANY];

    d.coordinates = coordinates(s->coordinates, "/model/coordinates", arena, &d.n_coordinates);
    d.parameters = parameters(s->parameters, arena, &d.n_parameters);
    d.definitions = members(s->definitions, "/model/definitions", arena, &d.n_definitions);
    d.lagrangian = (NamedText){.text = s->lagrangian, .pointer = "/model/lagrangian"};
    d.constraints = constraints(s->constraints, arena, &d.n_constraints);
    d.forces = members(s->forces, "/model/forces", arena, &d.n_forces);
    d.symmetries = fields(s->symmetries, "symmetries", arena, &d.n_symmetries);
    d.frame = fields(s->frame, "frame", arena, &d.n_frame);
    d.n_base = split(s->base, ' ', arena, base, MANY);
    NamedText *list = arena_alloc(arena, d.n_base, sizeof *list);
    for (size_t k = 0; k < d.n_base; k++)
        list[k] =
            (NamedText){.name = base[k], .pointer = arena_printf(arena, "/model/base/%zu", k)};
    d.base = list;
    d.chart = chart(s->chart, arena);
    return d;
}

void bench_init(Bench *bench, const Sketch *sketch)
{
    Arena scratch = {0};
    const ModelDocument document = sketch_document(sketch, &scratch);

    bench_build(bench, &document);
    arena_done(&scratch);
}

void bench_build(Bench *bench, const ModelDocument *document)
{
    Error err = {0};

    *bench = (Bench){.arena = arena_new(1 << 26)};
    diagnostics_init(&bench->diag, bench->arena);
    Status status = model_build(document, &bench->diag, &bench->model, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    ck_assert_uint_eq(bench->diag.total, 0);
    status = model_programs_new(bench->model, &bench->programs, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    status = model_eval_new(bench->programs, NULL, &bench->eval, &err);
    ck_assert_msg(status == OK, "%s", err.message);
}

void bench_done(Bench *bench)
{
    model_eval_free(bench->eval);
    model_programs_free(bench->programs);
    model_unref(bench->model);
    arena_free(bench->arena);
}

void bench_values(const Bench *bench, double t, const double *q, const double *v, const Expr *e,
                  size_t n, double *ret_values)
{
    const Model *m = bench->model;
    double *symbols = calloc(m->sym.first_free, sizeof *symbols);

    symbols[0] = t;
    memcpy(symbols + 1, q, m->n * sizeof *q);
    memcpy(symbols + 1 + m->n, v, m->n * sizeof *v);
    if (m->n_params)
        memcpy(symbols + 1 + 3 * m->n, m->param_values, m->n_params * sizeof *symbols);
    ck_assert_int_eq(expr_eval(m->pool, e, n, symbols, ret_values, NULL), OK);
    free(symbols);
}
