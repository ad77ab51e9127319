/* The complement and the additions of a client, read and checked. */
#include "core/invariants/consistency/study.h"

#include <stdio.h>
#include <string.h>

#include "core/expr/parse/parse.h"
#include "core/invariants/generator.h"

typedef struct Reader {
    const Model *model;
    ExprPool *pool;
    ExprScope *scope;
    Diagnostics *diag;
    SectionOptions *options;
} Reader;

/* The named complement: the given one, the model's frame beyond its tangent fields, or
 * symmetries, one for each constraint. */
static Status read_complement(const Reader *r, const Value *given, Error *err)
{
    const Model *model = r->model;
    SectionOptions *o = r->options;
    ModelField *fields;

    /* a client's fields, at most one for each constraint */
    if (given) {
        Status status =
            generators_read(model, r->pool, given, r->diag, &fields, &o->n_complement, err);
        if (status != OK)
            return status;
        o->complement = fields;
        o->given = true;
        if (o->n_complement == 0 || o->n_complement > model->r) {
            diagnostics_add(r->diag, given->pointer, -1, NULL,
                            "a complement has as many fields as there are independent constraints");
            return error_set(err, ERR_INVALID, "the complement has %zu fields", o->n_complement);
        }
    } else if (model->given.n_frame == model->n) {
        o->complement = model->given.frame + (model->n - model->r);
        o->n_complement = model->r;
    } else if (model->given.n_base == 0 && model->given.n_symmetries == model->r) {
        o->complement = model->given.symmetries;
        o->n_complement = model->r;
    }
    return OK;
}

/* The place to which an expression of this name is added; NULL: there is none. *ret_field: it
 * belongs to a field. */
static Expr *place_of(const Reader *r, const char *name, bool *ret_field)
{
    char number[32];

    *ret_field = false;
    for (size_t a = 0; a < r->model->r; a++) {
        snprintf(number, sizeof number, "c%zu", a + 1);
        if (strcmp(name, r->model->constraints[a].name) == 0 || strcmp(name, number) == 0)
            return &r->options->by_constraint[a];
    }
    *ret_field = true;
    for (size_t b = 0; b < r->options->n_complement; b++)
        if (strcmp(name, r->options->complement[b].name) == 0)
            return &r->options->by_field[b];
    return NULL;
}

static void read_added(const Reader *r, const Value *added)
{
    /* a record of expressions by name */
    if (added->kind != VALUE_RECORD) {
        diagnostics_add(
            r->diag, added->pointer, -1, NULL,
            "\"%s\" must be an object of expressions by constraint or field of the complement",
            added->name);
        return;
    }
    for (const Value *v = added->first; v; v = v->next) {
        bool field;
        Expr *place = place_of(r, v->name, &field);
        if (!place) {
            diagnostics_add(r->diag, v->pointer, -1, NULL,
                            "\"%.80s\" is neither a constraint nor a field of the complement",
                            v->name);
        } else if (v->kind != VALUE_TEXT) {
            diagnostics_add(r->diag, v->pointer, -1, NULL,
                            "an added term must be an expression, in quotes");
        } else {
            Expr e = expr_parse(r->pool, r->scope, v->text, PARSE_EXPRESSION, v->pointer, r->diag);
            *place = expr_is_none(e) ? *place : e;
            r->options->adds = true;
            r->options->adds_to_fields = r->options->adds_to_fields || field;
        }
    }
}

Status section_options_read(const Model *model, ExprPool *pool, const Value *options,
                            Diagnostics *diag, SectionOptions *ret, Error *err)
{
    const size_t before = diag->total;
    const Value *added = value_member(options, "add");
    SectionOptions found = {.by_constraint =
                                arena_alloc(diag->arena, model->r, sizeof *found.by_constraint),
                            .by_field = arena_alloc(diag->arena, model->r, sizeof *found.by_field)};
    Reader r = {.model = model,
                .pool = pool,
                .scope = model_scope(model, pool, false, NULL),
                .diag = diag,
                .options = &found};
    Status status = r.scope && found.by_constraint && found.by_field
                        ? OK
                        : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* nothing is added unless the options say so */
    for (size_t a = 0; status == OK && a < model->r; a++)
        found.by_constraint[a] = found.by_field[a] = expr_const(pool, 0);
    if (status == OK)
        status = read_complement(&r, value_member(options, "complement"), err);
    if (status == OK && added)
        read_added(&r, added);
    expr_scope_free(r.scope);
    /* with a mistake of the client there are no options */
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the section has mistakes");
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK)
        *ret = found;
    return status;
}
