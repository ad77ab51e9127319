/* The common part of analyses: values at states, verdicts from them, random states. */
#include "core/invariants/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "core/base/text.h"
#include "core/invariants/recall.h"
#include "core/model/rates.h"
#include "core/program/function.h"

/* Characters of an expression in findings; longer ones are replaced. Convention. */
enum { LONG_TEXT = 2000 };

Status analysis_poll(const AnalysisContext *context, Error *err)
{
    return context->poll ? context->poll(context->self, err) : OK;
}

void findings_init(Findings *f, Arena *arena)
{
    *f = (Findings){.arena = arena, .record = value_new_record(arena)};
    f->failed = f->record == NULL;
}

Verdict *findings_add(Findings *f)
{
    enum { FIRST = 8 };

    /* double the array; a failure hands out the spare verdict */
    if (f->n_verdicts == f->capacity) {
        size_t capacity = f->capacity ? 2 * f->capacity : FIRST;
        Verdict *grown = arena_alloc(f->arena, capacity, sizeof *grown);
        if (!grown) {
            f->failed = true;
            f->spare = (Verdict){0};
            return &f->spare;
        }
        if (f->n_verdicts)
            memcpy(grown, f->verdicts, f->n_verdicts * sizeof *grown);
        f->verdicts = grown;
        f->capacity = capacity;
    }
    return &f->verdicts[f->n_verdicts++];
}

void record_publish(Arena *arena, Value *parent, const char *name, const Value *record)
{
    Value *published = value_add(arena, parent, name, VALUE_RECORD);

    if (published && record) {
        published->first = record->first;
        published->last = record->last;
    }
}

void predicted_describe(Arena *arena, Value *record, const char *name, Predicted answer)
{
    if (answer == PREDICTED_UNDECIDED)
        value_add(arena, record, name, VALUE_NULL);
    else
        value_add_bool(arena, record, name, answer == PREDICTED_YES);
}

void proof_describe(Arena *arena, Value *record, const Proof *proof)
{
    Value *item = value_add(arena, record, "proof", VALUE_RECORD);

    value_add_text(arena, item, "method", proof_method_name(proof->method));
    if (proof->method == PROOF_FINITE_FIELD) {
        value_add_count(arena, item, "points", proof->points);
        value_add_count(arena, item, "primes", proof->primes);
        value_add_number(arena, item, "chance", proof->chance);
    }
    if (proof->bits)
        value_add_count(arena, item, "bits", proof->bits);
    if (proof->method == PROOF_SAMPLES && proof->doubt)
        value_add_text(arena, item, "doubt", proof->doubt);
}

Status findings_status(const Findings *f, Error *err)
{
    return f->failed ? error_set(err, ERR_NO_MEMORY, "out of memory for findings") : OK;
}

Status analysis_clone_pool(AnalysisContext *context, Error *err)
{
    context->pool = expr_pool_clone(context->model->pool);
    return context->pool ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

size_t analysis_n_inputs(const Model *model)
{
    return 1 + 3 * model->n + model->r;
}

Status analysis_compile(const Model *m, const ExprPool *pool, const AnalysisOutputs *outputs,
                        Program **ret, Error *err)
{
    const size_t n_more = outputs->n_more;
    const size_t n = m->n, n_inputs = analysis_n_inputs(m) + n_more;
    Arena scratch = {0};
    Expr *inputs = ARENA_NEW(&scratch, n_inputs, Expr);
    Status status = arena_status(&scratch, err);

    /* the inputs: t, q, v, vdot, lambda, and the further symbols */
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK) {
        rates_state(m, inputs);
        memcpy(inputs + 1 + 2 * n, m->sym.vdot, n * sizeof *inputs);
        if (m->r)
            memcpy(inputs + 1 + 3 * n, m->sym.lambda, m->r * sizeof *inputs);
        if (n_more)
            memcpy(inputs + analysis_n_inputs(m), outputs->more, n_more * sizeof *inputs);
        const ProgramSpec spec = {.pool = pool,
                                  .params = m->sym.params,
                                  .n_params = m->n_params,
                                  .inputs = inputs,
                                  .n_inputs = n_inputs,
                                  .outputs = outputs->exprs,
                                  .n_outputs = outputs->n};
        status = program_compile(&spec, ret, err);
    }
    arena_done(&scratch);
    return status;
}

void analysis_inputs(const Model *model, const Trajectory *states, size_t k, double *ret)
{
    const size_t n = model->n, r = model->r;

    ret[0] = states->t[k];
    memcpy(ret + 1, states->q + k * n, n * sizeof *ret);
    memcpy(ret + 1 + n, states->v + k * n, n * sizeof *ret);
    memcpy(ret + 1 + 2 * n, states->vdot + k * n, n * sizeof *ret);
    if (r)
        memcpy(ret + 1 + 3 * n, states->lambda + k * r, r * sizeof *ret);
}

Trajectory analysis_state_at(const Model *model, const Trajectory *states, size_t k)
{
    const size_t n = model->n;

    return (Trajectory){.n_states = 1,
                        .t = states->t + k,
                        .q = states->q + k * n,
                        .v = states->v + k * n,
                        .vdot = states->vdot + k * n,
                        .lambda = states->lambda + k * model->r};
}

Status analysis_evaluate(const AnalysisContext *context, const Expr *exprs, size_t count,
                         const Trajectory *states, double *ret_values, Error *err)
{
    Program *program = NULL;
    Function f = {0};
    const AnalysisOutputs outputs = {.exprs = exprs, .n = count};
    /* one program for all expressions, so that common parts are evaluated once */
    Status status = analysis_compile(context->model, context->pool, &outputs, &program, err);

    if (status == OK)
        status = function_bind(&f, program, context->params, 1, err);
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        analysis_inputs(context->model, states, k, f.in);
        function_eval_at(&f, f.in, ret_values + k * count);
        if (k % 64 == 0)
            status = analysis_poll(context, err);
    }
    function_done(&f);
    program_free(program);
    return status;
}

const char *analysis_text(const AnalysisContext *context, Expr e, const char *instead)
{
    Text text = TEXT_INIT;
    const char *result = instead;
    size_t n_names;
    char **names = model_print_names(context->model, PRINT_TEXT, &n_names);

    Status status = ERR_NO_MEMORY;
    if (names) {
        PrintNames print = {.names = (const char *const *)names, .n = n_names};
        status = expr_print(context->pool, e, PRINT_TEXT, print, LONG_TEXT, &text, NULL);
        if (status == OK && text_ok(&text))
            result = arena_strdup(context->arena, text_string(&text));
    }
    if (status == ERR_NO_MEMORY || !text_ok(&text))
        arena_fail(context->arena); /* the replacement would claim that the expression is long */
    free(names);
    text_done(&text);
    return result ? result : instead;
}

const char *analysis_short_text(const AnalysisContext *context, Expr e, const char *instead)
{
    const char *plain = analysis_text(context, e, NULL), *other = NULL;
    Expr expanded;

    expr_expand(context->pool, &e, 1, &expanded);
    if (!expr_is_none(expanded))
        other = analysis_text(context, expanded, NULL);
    if (plain && other)
        return strlen(other) < strlen(plain) ? other : plain;
    return plain ? plain : other ? other : instead;
}

size_t constraint_roots(const Model *model, const size_t *rows, size_t n_rows, Expr *ret)
{
    size_t n = 0;

    for (size_t k = 0; k < n_rows; k++) {
        const Constraint *c = &model->constraints[rows ? rows[k] : k];
        ret[n++] = c->phi;
        if (c->kind == CONSTRAINT_HOLONOMIC)
            ret[n++] = c->f;
    }
    return n;
}

Expr *exprs_zeros(ExprPool *pool, Arena *arena, size_t n)
{
    Expr *zeros = ARENA_NEW(arena, n, Expr);

    for (size_t i = 0; zeros && i < n; i++)
        zeros[i] = expr_const(pool, 0);
    return zeros;
}

bool exprs_are_zero(const ExprPool *pool, const Expr *exprs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!expr_is_zero(pool, exprs[i]))
            return false;
    return true;
}

bool exprs_contain(const Expr *list, size_t n, Expr e)
{
    for (size_t k = 0; k < n; k++)
        if (expr_same(list[k], e))
            return true;
    return false;
}

bool sizes_contain(const size_t *list, size_t n, size_t x)
{
    for (size_t k = 0; k < n; k++)
        if (list[k] == x)
            return true;
    return false;
}

bool analysis_has_velocities(const Model *m, const ExprPool *pool, const Expr *exprs, size_t n)
{
    return expr_may_use(pool, exprs, n, m->sym.v, m->n);
}

/* Multipliers that are part of the motion may have any value: random ones of the size of momenta
 * over the slopes of the constraints. */
static void choose_multipliers(const AnalysisContext *context, double t, const double *q,
                               const double *v, Random *random, double *ret_lambda)
{
    const size_t n = context->model->n;
    const double *speed = context->range.speed;
    double energy = 0;

    if (!analysis_keeps_multipliers(context))
        return;
    const ModelPoint point = model_point(context->eval, t, q, v);
    for (size_t i = 0; i < n; i++)
        energy += fabs(point.M[i * n + i]) * speed[i] * speed[i];
    for (size_t a = 0; a < context->model->r; a++) {
        double rate = 0;
        for (size_t i = 0; i < n; i++)
            rate += fabs(point.A[a * n + i]) * speed[i];
        ret_lambda[a] = (rate > 0 ? energy / rate : 1) * random_normal(random);
    }
}

Status analysis_make_states(AnalysisContext *context, size_t wanted, uint64_t seed, Error *err)
{
    const Model *m = context->model;
    const size_t n = m->n, r = m->r, size = n + context->n_rows;
    Arena scratch = {0};
    Trajectory *states = arena_alloc(context->arena, 1, sizeof *states);
    double *rows = arena_doubles(context->arena, wanted * (1 + 3 * n + r));
    double *kkt = arena_doubles(&scratch, (size + 2) * size);
    Status status = arena_status(&scratch, err);
    if (status == OK)
        status = arena_status(context->arena, err);
    if (status != OK) {
        arena_done(&scratch);
        return status;
    }
    double *t = rows, *q = t + wanted, *v = q + wanted * n, *vdot = v + wanted * n,
           *lambda = vdot + wanted * n;
    *states = (Trajectory){.t = t, .q = q, .v = v, .vdot = vdot, .lambda = lambda};
    context->states = states;

    const ConstrainedModel constrained = analysis_constrained(context);
    Random random;
    random_init(&random, seed);
    for (size_t k = 0; k < 8 * wanted && states->n_states < wanted && status == OK; k++) {
        /* a state that is not admissible, or has no motion, is overwritten by the next */
        const size_t i = states->n_states;
        if (admissible_state(&constrained, &context->range, &random, t + i, q + i * n, v + i * n) &&
            admissible_motion(&constrained, t[i], q + i * n, v + i * n, kkt, vdot + i * n,
                              lambda + i * r)) {
            choose_multipliers(context, t[i], q + i * n, v + i * n, &random, lambda + i * r);
            states->n_states++;
        }
        status = k % 16 == 0 ? analysis_poll(context, err) : OK;
        if (status == OK)
            status = stop_token_spend(size * size * size, err);
    }
    recall_count(context->recall, (RecallWork){.states = states->n_states});
    arena_done(&scratch);
    return status;
}

Status analysis_draw_states(AnalysisContext *context, Error *err)
{
    /* states of the shared sample; any fixed seed will do */
    enum { STATES = 64, SEED = 20 };
    return context->states ? OK : analysis_make_states(context, STATES, SEED, err);
}
