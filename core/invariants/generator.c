/* Lifts of vector fields, the scales of their momenta, and fields from options. */
#include "core/invariants/generator.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/parse/parse.h"
#include "core/model/kinds.h"
#include "core/model/rates.h"

Expr generator_lift(ExprPool *pool, const Model *model, const Expr *Y, Expr e)
{
    Expr lift, expanded;

    if (!rates_lifted(pool, model, Y, &e, 1, &lift))
        return EXPR_NONE;
    expr_expand(pool, &lift, 1, &expanded);
    return !expr_is_none(expanded) && expr_is_zero(pool, expanded) ? expanded : lift;
}

Expr generator_drift(ExprPool *pool, const Model *model, const Expr *Y, const Expr *w)
{
    Expr sum = expr_const(pool, 0);

    for (size_t i = 0; i < model->n; i++)
        sum = expr_add(pool, sum, expr_mul(pool, w[i], expr_diff(pool, Y[i], model->sym.t)));
    return sum;
}

Expr generator_change(ExprPool *pool, const Model *model, const Expr *Y, Expr e, const Expr *slope)
{
    return expr_add(pool, generator_lift(pool, model, Y, e),
                    generator_drift(pool, model, Y, slope));
}

Expr generator_size(ExprPool *pool, size_t n, const Expr *a, const Expr *b)
{
    Expr sum = expr_const(pool, 0);
    for (size_t i = 0; i < n; i++)
        sum = expr_add(pool, sum, expr_abs(pool, expr_mul(pool, a[i], b[i])));
    return sum;
}

Expr reaction_along(ExprPool *pool, const Model *model, size_t a, const Expr *Y)
{
    return expr_mul(pool, model->sym.lambda[a],
                    expr_dot(pool, model->n, model->A + a * model->n, Y));
}

Expr reaction_power(ExprPool *pool, const Model *model, size_t a)
{
    /* on phi = 0 a homogeneous constraint has A v = 0 */
    return model->constraints[a].homogeneous ? expr_const(pool, 0)
                                             : reaction_along(pool, model, a, model->sym.v);
}

void reaction_force(ExprPool *pool, const Model *model, Expr *ret)
{
    for (size_t i = 0; i < model->n; i++) {
        ret[i] = expr_const(pool, 0);
        for (size_t a = 0; a < model->r; a++)
            ret[i] = expr_add(pool, ret[i],
                              expr_mul(pool, model->A[a * model->n + i], model->sym.lambda[a]));
    }
}

double analysis_crossing(const AnalysisContext *context)
{
    const StateRange *range = &context->range;
    double fastest = 0;

    for (size_t i = 0; i < context->model->n; i++) {
        const double width = kinds_largest(context->model, range->width, i);
        fastest = fmax(fastest, width > 0 ? range->speed[i] / width : 0);
    }
    return fastest;
}

double analysis_time(const AnalysisContext *context)
{
    const StateRange *range = &context->range;
    double rate = 0;

    for (size_t i = 0; i < context->model->n; i++)
        rate = fmax(rate, range->size[i] > 0 ? range->speed[i] / range->size[i] : 0);
    return fmax(fabs(range->t_to - range->t_from), rate > 0 ? 1 / rate : 0);
}

double analysis_frequency(const AnalysisContext *context)
{
    const double time = fabs(context->range.t_to - context->range.t_from);
    const double crossing = analysis_crossing(context);

    return time > 0 ? fmin(1 / time, crossing) : crossing;
}

Expr analysis_force_scale(const AnalysisContext *context, size_t i)
{
    ExprPool *pool = context->pool;
    const Model *m = context->model;
    Expr force = expr_add(pool, expr_terms_size(pool, m->l[i]), expr_terms_size(pool, m->F[i]));

    return expr_add(pool, force, generator_size(pool, m->n, m->M + i * m->n, m->sym.vdot));
}

Expr analysis_power_scale(const AnalysisContext *context)
{
    ExprPool *pool = context->pool;
    const Model *m = context->model;
    const size_t n = m->n;
    Expr sum =
        expr_scale(pool, analysis_frequency(context), generator_size(pool, n, m->p, m->sym.v));

    for (size_t i = 0; i < n; i++) {
        Expr force = analysis_force_scale(context, i);
        sum = expr_add(pool, sum, expr_abs(pool, expr_mul(pool, force, m->sym.v[i])));
    }
    return sum;
}

Expr generator_rate_scale(const AnalysisContext *context, const Expr *Y)
{
    ExprPool *pool = context->pool;
    const Model *m = context->model;
    const size_t n = m->n;
    Expr *gradient = ARENA_NEW(context->scratch, n, Expr);
    Expr *spread = ARENA_NEW(context->scratch, n, Expr);
    if (!gradient || !spread)
        return EXPR_NONE;

    /* the power that acts, for a displacement of the size of Y instead of v */
    Expr scale = expr_div(
        pool, expr_mul(pool, analysis_power_scale(context), generator_size(pool, n, m->p, Y)),
        generator_size(pool, n, m->p, m->sym.v));
    expr_gradient(pool, m->L, m->sym.q, n, gradient);
    expr_directional(pool, Y, n, m->sym.q, m->sym.v, n, spread);
    scale = expr_add(pool, scale, generator_size(pool, n, gradient, Y));
    scale = expr_add(pool, scale, generator_size(pool, n, m->p, spread));
    return scale;
}

void generator_describe(const AnalysisContext *context, const Expr *Y, Value *parent,
                        const char *name)
{
    const Model *m = context->model;
    Value *record = value_add(context->arena, parent, name, VALUE_RECORD);

    for (size_t i = 0; i < m->n; i++)
        if (!expr_is_zero(context->pool, Y[i]))
            value_add_text(context->arena, record, m->names.coordinates[i],
                           analysis_text(context, Y[i], "(long)"));
}

Status generators_of_model(const Model *model, ExprPool *pool, Arena *arena, Generators *ret,
                           Error *err)
{
    *ret = (Generators){.fields = model->given.symmetries, .n = model->given.n_symmetries};
    if (model->given.n_symmetries > 0)
        return OK;
    ModelField *fields = arena_alloc(arena, model->n, sizeof *fields);
    bool *used = ARENA_NEW(arena, model->sym.first_free, bool);
    Status status = arena_status(arena, err);

    if (status == OK)
        status = expr_used_symbols(model->pool, &model->L, 1, used, model->sym.first_free, err);
    *ret = (Generators){.fields = fields, .coordinates = true};
    for (size_t i = 0; status == OK && i < model->n; i++) {
        if (used[expr_node(model->pool, model->sym.q[i]).symbol])
            continue;
        /* L does not contain the coordinate: a translation along it leaves L unchanged */
        Expr *components = exprs_zeros(pool, arena, model->n);
        if (!components)
            return arena_status(arena, err);
        components[i] = expr_const(pool, 1);
        fields[ret->n++] =
            (ModelField){.name = model->names.coordinates[i], .components = components};
    }
    return status;
}

typedef struct Reader {
    const Model *model;
    ExprPool *pool;
    ExprScope *scope;
    Diagnostics *diag;
} Reader;

static void read_component(Reader *r, const Value *text, Expr *components)
{
    const Model *m = r->model;
    size_t i = 0;

    while (i < m->n && strcmp(m->names.coordinates[i], text->name) != 0)
        i++;
    if (i == m->n) {
        const char *hint =
            names_hint(r->diag, text->name, "coordinates", m->names.coordinates, m->n);
        diagnostics_add(r->diag, text->pointer, -1, hint, "unknown coordinate \"%.80s\"",
                        text->name);
        return;
    }
    if (text->kind != VALUE_TEXT) {
        diagnostics_add(r->diag, text->pointer, -1, NULL,
                        "a component is an expression, in quotes");
        return;
    }
    /* the parser reports its mistakes itself; the component stays 0 then */
    Expr e = expr_parse(r->pool, r->scope, text->text, PARSE_EXPRESSION, text->pointer, r->diag);
    if (expr_is_none(e))
        return;
    if (analysis_has_velocities(r->model, r->pool, &e, 1))
        diagnostics_add(r->diag, text->pointer, -1, "it may contain coordinates, t and parameters",
                        "a vector field on the configuration space has no velocities");
    components[i] = e;
}

static void read_field(Reader *r, const Value *option, size_t number, ModelField *ret)
{
    const Value *name = value_member(option, "name"),
                *generator = value_member(option, "generator");
    /* components that are not listed are 0 */
    Expr *components = exprs_zeros(r->pool, r->diag->arena, r->model->n);

    /* a name and a generator, nothing else */
    if (name && name->kind != VALUE_TEXT)
        diagnostics_add(r->diag, name->pointer, -1, NULL, "a name is a text");
    if (!generator || generator->kind != VALUE_RECORD) {
        diagnostics_add(r->diag, option->pointer, -1, NULL,
                        "a field is an object with a \"generator\", an object of expressions by "
                        "coordinate");
        return;
    }
    for (const Value *v = option->first; v; v = v->next)
        if (v != name && v != generator)
            diagnostics_add(r->diag, v->pointer, -1, NULL, "a field has no \"%.80s\"", v->name);
    if (!components)
        return; /* the arena's failure shows when it is asked */
    for (const Value *v = generator->first; v; v = v->next)
        read_component(r, v, components);
    ret->name = name && name->kind == VALUE_TEXT ? arena_strdup(r->diag->arena, name->text)
                                                 : arena_printf(r->diag->arena, "Y%zu", number);
    ret->components = components;
}

Status generators_read(const Model *model, ExprPool *pool, const Value *option, Diagnostics *diag,
                       ModelField **ret_fields, size_t *ret_n, Error *err)
{
    const size_t before = diag->total, n = value_count(option);
    ModelField *fields = arena_alloc(diag->arena, n + 1, sizeof *fields);
    Reader r = {
        .model = model, .pool = pool, .scope = model_scope(model, pool, false, NULL), .diag = diag};

    if (!r.scope || !fields) {
        expr_scope_free(r.scope);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    /* all mistakes of all fields are reported at once */
    if (option->kind != VALUE_LIST) {
        diagnostics_add(diag, option->pointer, -1, NULL, "\"%s\" must be a list of vector fields",
                        option->name);
    } else if (n > MODEL_MAX_COORDINATES) {
        diagnostics_add(diag, option->pointer, -1, NULL, "these are more than %d fields",
                        MODEL_MAX_COORDINATES);
    } else {
        size_t k = 0;
        for (const Value *v = option->first; v; v = v->next, k++)
            read_field(&r, v, k + 1, &fields[k]);
    }
    expr_scope_free(r.scope);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the fields have mistakes");
    Status status = arena_status(diag->arena, err);
    if (status != OK)
        return status;
    *ret_fields = fields;
    *ret_n = n;
    return expr_pool_status(pool, err);
}

Status generators_given(const AnalysisContext *context, const Value *option,
                        const ModelField **ret_fields, size_t *ret_n, Error *err)
{
    Diagnostics ignored;
    ModelField *fields = NULL;
    Status status = OK;

    *ret_n = 0;
    diagnostics_init(&ignored, context->arena);
    if (option)
        status =
            generators_read(context->model, context->pool, option, &ignored, &fields, ret_n, err);
    *ret_fields = fields;
    return status;
}
