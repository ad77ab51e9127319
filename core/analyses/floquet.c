/* Floquet multipliers: the factors by which small deviations from a periodic motion grow in a
 * period, eigenvalues of Z^T Phi Z with a basis Z of the tangent space of the constraint manifold.
 * In a linear system with periodic coefficients any motion will do. Deviations dq are measured by
 * the time of a radian of the period, dv by 1, both over the root of the masses. Their squares are
 * energies in any units, and an error bound relative to the size of the matrix holds for each
 * entry. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/floquet.h"
#include "core/base/accuracy.h"

/* Corrections of the start in a cost estimate; largest matrix that is reported. Conventions. */
enum { TYPICAL_CORRECTIONS = 4, MATRIX_MOST = 30 };

/* A number, or a text over the model's parameters such as "2*pi/w". */
static bool read_period(const Model *model, ExprPool *pool, const double *params,
                        const Value *value, Diagnostics *diag, double *ret)
{
    if (value->kind == VALUE_NUMBER) {
        *ret = value->number;
        return true;
    }
    if (value->kind != VALUE_TEXT) {
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "a period is a number or an expression of the parameters");
        return false;
    }
    ExprScope *scope = model_scope(model, pool, false, NULL);
    double *symbols = arena_doubles(diag->arena, model->sym.first_free);
    const size_t before = diag->total;
    bool ok = scope && symbols;

    if (ok) {
        const Expr e = expr_parse(pool, scope, value->text, PARSE_EXPRESSION, value->pointer, diag);
        for (size_t k = 0; k < model->sym.first_free; k++)
            symbols[k] = NAN; /* a period may not depend on time or the state */
        for (size_t k = 0; k < model->n_params; k++)
            symbols[expr_node(pool, model->sym.params[k]).symbol] = params[k];
        ok = diag->total == before && expr_eval(pool, &e, 1, symbols, ret, NULL) == OK;
    }
    expr_scope_free(scope);
    return ok;
}

static Status floquet_check(const Model *model, ExprPool *pool, const Value *options,
                            Diagnostics *diag, Error *err)
{
    const Value *value = value_member(options, "period"), *correct;
    const size_t before = diag->total;
    double period = 0;

    if (!value)
        diagnostics_add(diag, options->pointer, -1,
                        "{\"name\": \"floquet\", \"period\": \"2*pi/w\"}",
                        "floquet needs the period");
    else if (read_period(model, pool, model->param_values, value, diag, &period) && !(period > 0))
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "the period must be positive, of parameters and numbers alone");
    correct = value_member(options, "correct");
    if (correct && correct->kind != VALUE_BOOL)
        diagnostics_add(diag, correct->pointer, -1, NULL, "\"correct\" is true or false");
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of floquet");
}

static bool corrects(const Value *options)
{
    const Value *correct = value_member(options, "correct");
    return correct && correct->boolean;
}

static Status set_period(Floquet *x, const Value *options, Error *err)
{
    Diagnostics ignored;

    diagnostics_init(&ignored, x->context->arena);
    x->correct = corrects(options);
    if (!read_period(x->context->model, x->context->pool, x->context->params,
                     value_member(options, "period"), &ignored, &x->period) ||
        !(x->period > 0) || !isfinite(x->period))
        return error_set(err, ERR_INVALID,
                         "with the parameters of this job the period is no positive number");
    return OK;
}

static Status floquet_allocate(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d;

    x->start = arena_doubles(&x->memory, dim);
    x->sizes = arena_doubles(&x->memory, dim);
    x->miss = arena_doubles(&x->memory, dim);
    x->y = arena_doubles(&x->memory, linearised_size(x->local.linearised) + 1);
    x->units = arena_doubles(&x->memory, dim);
    x->Z = arena_doubles(&x->memory, dim * d);
    x->dual = arena_doubles(&x->memory, dim * d);
    x->monodromy = arena_doubles(&x->memory, d * d);
    x->basis = arena_doubles(&x->memory, dim * d);
    x->told = arena_doubles(&x->memory, d * d);
    x->multipliers = ARENA_NEW(&x->memory, d, Eigenvalue);
    Status status = linearised_watch(x->local.linearised, 1, &x->watch, &x->memory, err);
    return status == OK ? arena_status(&x->memory, err) : status;
}

static int compare_moduli(const void *a, const void *b)
{
    const Eigenvalue *first = a, *second = b;
    const double x = hypot(first->re, first->im), y = hypot(second->re, second->im);

    return (x < y) - (x > y);
}

static void report_matrix(const Floquet *x, Value *record)
{
    Arena *arena = x->context->arena;
    const size_t d = x->local.d, dim = x->local.dim;

    if (d > MATRIX_MOST)
        return;
    Value *rows = value_add(arena, record, "monodromy", VALUE_LIST);
    for (size_t i = 0; i < d; i++)
        value_add_numbers(arena, rows, NULL, x->told + i * d, d);
    if (d == dim)
        return; /* the basis is that of q, v */
    rows = value_add(arena, record, "basis", VALUE_LIST);
    for (size_t i = 0; i < dim; i++)
        value_add_numbers(arena, rows, NULL, x->basis + i * d, d);
}

static void floquet_report(Floquet *x, Findings *findings)
{
    Arena *arena = findings->arena;
    Value *record = value_add(arena, findings->record, "floquet", VALUE_RECORD);
    const size_t d = x->local.d;
    const char *reason = NULL;
    double trace = 0, re = 1, im = 0;

    /* the product of the multipliers is the determinant, their sum the trace */
    qsort(x->multipliers, d, sizeof *x->multipliers, compare_moduli);
    for (size_t i = 0; i < d; i++) {
        const Eigenvalue *value = &x->multipliers[i];
        const double next = re * value->re - im * value->im;
        im = re * value->im + im * value->re;
        re = next;
        trace += x->monodromy[i * d + i];
    }
    const char *stable = floquet_judge(x, &reason);
    value_add_number(arena, record, "period", x->period);
    value_add_count(arena, record, "dimension", d);
    value_add_bool(arena, record, "linear", x->repetition.linear);
    value_add_bool(arena, record, "autonomous", x->repetition.autonomous);
    value_add_number(arena, record, "return_error", x->return_error);
    value_add_number(arena, record, "matrix_error", x->matrix_error);
    value_add_text(arena, record, "rests_on",
                   "an estimate of the error of the integration, not a bound");
    if (x->correct) {
        value_add_count(arena, record, "corrections", x->corrections);
        local_report_state(arena, value_add(arena, record, "start", VALUE_RECORD),
                           x->context->model, x->start, x->start + x->local.n);
    }
    local_report_eigenvalues(arena, record, "multipliers", x->multipliers, d, true);
    value_add_number(arena, record, "radius", hypot(x->multipliers[0].re, x->multipliers[0].im));
    value_add_number(arena, record, "trace", trace);
    value_add_number(arena, record, "determinant", re);
    report_matrix(x, record);
    watch_report(&x->watch, arena, record);
    value_add_text(arena, record, "stable", stable);
    value_add_text(arena, record, "reason", reason);
}

Status floquet_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                   Findings *findings, Error *err)
{
    AnalysisContext own = *context;
    Floquet x = {.context = &own, .t0 = context->t0};
    Status status = analysis_clone_pool(&own, err);

    if (status == OK)
        status = local_init(&x.local, context, run, local_dimension(context), err);
    if (status == OK && x.local.d == 0)
        status = error_set(err, ERR_INVALID, "the constraints leave no deviation");
    if (status == OK && x.local.d > SPECTRUM_MOST_ROWS)
        status = error_set(err, ERR_INVALID, "there are %zu multipliers; at most %d are computed",
                           x.local.d, SPECTRUM_MOST_ROWS);
    /* the period, work arrays and the start */
    if (status == OK)
        status = set_period(&x, options, err);
    if (status == OK)
        status = floquet_allocate(&x, err);
    if (status == OK) {
        memcpy(x.start, context->q0, x.local.n * sizeof *x.start);
        memcpy(x.start + x.local.n, context->v0, x.local.n * sizeof *x.start);
        status = floquet_compute(&x, err);
    }
    if (status == OK)
        status = floquet_survey(&x, err);
    if (status == OK)
        floquet_report(&x, findings);
    watch_done(&x.watch);
    local_done(&x.local);
    expr_pool_free(own.pool);
    arena_done(&x.memory);
    return status;
}

double floquet_cost(const CostQuestion *question, const char **ret_reason)
{
    const bool correct = corrects(question->options);
    double period = 0;
    Diagnostics ignored;

    diagnostics_init(&ignored, question->arena);
    /* a period that cannot be read is reported elsewhere */
    ExprPool *pool = expr_pool_clone(question->model->pool);
    const bool read =
        pool && read_period(question->model, pool, question->params,
                            value_member(question->options, "period"), &ignored, &period);
    expr_pool_free(pool);
    if (!read)
        return 0;
    /* the motion is integrated twice, and after each correction of the start */
    *ret_reason = arena_printf(question->arena,
                               "A motion of %.6g units of time (the job's has %.6g) is integrated "
                               "with %zu columns of its linearisation, and once more "
                               "less accurately%s.",
                               period, question->span, question->dimension,
                               correct ? ", again after each correction of the start" : "");
    return cost_of_linearising(question) +
           (correct ? TYPICAL_CORRECTIONS : 1) *
               cost_of_motion(question, period, ACCURACY_COMPUTED, (double)question->dimension) +
           cost_of_motion(question, period, FLOQUET_LOOSER * ACCURACY_COMPUTED,
                          (double)question->dimension);
}

static const AnalysisOption OPTIONS[] = {
    {.name = "period",
     .meaning = "an expression in parameters and numbers",
     .kind = OPTION_REQUIRED},
    {.name = "correct",
     .meaning = "whether the start is corrected to one that returns",
     .kind = OPTION_FLAG,
     .otherwise = 0},
    {.name = NULL}};

const Analysis analysis_floquet = {.name = "floquet",
                                   .meaning = "Do deviations from a periodic motion grow?",
                                   .options = OPTIONS,
                                   .check = floquet_check};
