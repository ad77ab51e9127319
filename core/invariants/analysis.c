#include "core/invariants/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/expr/calculus.h"

enum { ENOUGH = 32, LONG_TEXT = 2000 };

static const double HOLDS = 1e-11, FAILS = 1e-7;

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
    static const size_t FIRST = 8;

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

Status findings_status(const Findings *f, Error *err)
{
    return f->failed ? error_set(err, ERR_NO_MEMORY, "out of memory for findings") : OK;
}

/* Evaluation --------------------------------------------------------------------------------- */

static Status compile(const Model *m, const ExprPool *pool, const Expr *exprs, size_t count,
                      Program **ret, Error *err)
{
    const size_t n = m->n, n_inputs = 1 + 3 * n + m->r;
    Expr *inputs = alloc_array(n_inputs, sizeof *inputs);
    if (!inputs)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    inputs[0] = m->t;
    memcpy(inputs + 1, m->q, n * sizeof *inputs);
    memcpy(inputs + 1 + n, m->v, n * sizeof *inputs);
    memcpy(inputs + 1 + 2 * n, m->vdot, n * sizeof *inputs);
    if (m->r)
        memcpy(inputs + 1 + 3 * n, m->lambda, m->r * sizeof *inputs);
    ProgramSpec spec = {.pool = pool,
                        .params = m->params,
                        .n_params = m->n_params,
                        .inputs = inputs,
                        .n_inputs = n_inputs,
                        .outputs = exprs,
                        .n_outputs = count};
    Status status = expr_pool_status(pool, err);
    if (status == OK)
        status = program_compile(&spec, ret, err);
    free(inputs);
    return status;
}

Status analysis_evaluate(const AnalysisContext *context, const ExprPool *pool, const Expr *exprs,
                         size_t count, const Trajectory *states, double *ret_values, Error *err)
{
    const Model *m = context->model;
    const size_t n = m->n, r = m->r, n_inputs = 1 + 3 * n + r;
    Program *program = NULL;
    double *work = NULL, *in = NULL;
    Status status = compile(m, pool, exprs, count, &program, err);

    if (status == OK) {
        work = alloc_array(program_work_doubles(program, 1), sizeof *work);
        in = alloc_array(n_inputs, sizeof *in);
        if (!work || !in)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    if (status == OK)
        program_bind(program, context->params, work, 1);
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        in[0] = states->t[k];
        memcpy(in + 1, states->q + k * n, n * sizeof *in);
        memcpy(in + 1 + n, states->v + k * n, n * sizeof *in);
        memcpy(in + 1 + 2 * n, states->vdot + k * n, n * sizeof *in);
        if (r)
            memcpy(in + 1 + 3 * n, states->lambda + k * r, r * sizeof *in);
        program_eval(program, in, ret_values + k * count, work, 1);
        if (k % 64 == 0)
            status = analysis_poll(context, err);
    }
    program_free(program);
    free(work);
    free(in);
    return status;
}

/* Verdicts ----------------------------------------------------------------------------------- */

Status verdict_observe(const AnalysisContext *context, ExprPool *pool, Expr quantity,
                       Verdict *verdict, Error *err)
{
    const Trajectory *motion = context->trajectory;
    if (!motion || motion->n_states == 0)
        return OK;

    const size_t count = motion->n_states;
    Expr pair[2] = {quantity, expr_terms_scale(pool, quantity)};
    double *values = alloc_array(2 * count, sizeof *values), size = 1;
    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = analysis_evaluate(context, pool, pair, 2, motion, values, err);
    if (status == OK) {
        verdict->initial = values[0];
        verdict->final = values[2 * (count - 1)];
        verdict->max_drift = 0;
        for (size_t k = 0; k < count; k++) {
            verdict->max_drift = fmax(verdict->max_drift, fabs(values[2 * k] - values[0]));
            size = fmax(size, values[2 * k + 1]);
        }
        /* what a run at this tolerance can tell from a constant */
        verdict->conserved = verdict->max_drift <= 1e3 * fmax(context->rtol, 1e-14) * size;
        verdict->observed = true;
    }
    free(values);
    return status;
}

static bool all_zero(const ExprPool *pool, const Expr *terms, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!expr_is_zero(pool, terms[i]))
            return false;
    return true;
}

/* values: [n_states][n_terms + 1], the last of a row the scale. */
static void judge(const double *values, size_t n_states, size_t n_terms, Verdict *verdict,
                  double *ret_worst)
{
    size_t failures = 0;

    verdict->evidence = EVIDENCE_RANDOM_STATES;
    verdict->states = 0;
    verdict->largest = 0;
    for (size_t k = 0; k < n_states; k++) {
        const double *row = values + k * (n_terms + 1);
        double rate = 0, size = fabs(row[n_terms]);
        for (size_t i = 0; i < n_terms; i++) {
            rate += row[i];
            size += fabs(row[i]);
        }
        double relative = rate == 0 ? 0 : fabs(rate) / size;
        if (!isfinite(relative))
            continue;
        verdict->states++;
        failures += relative > FAILS;
        if (relative > verdict->largest) {
            verdict->largest = relative;
            if (ret_worst)
                memcpy(ret_worst, row, n_terms * sizeof *ret_worst);
        }
    }
    if (failures >= 2) {
        verdict->predicted = PREDICTED_NO;
        verdict->evidence = EVIDENCE_COUNTEREXAMPLE;
    } else {
        bool held = verdict->states >= ENOUGH && verdict->largest < HOLDS;
        verdict->predicted = held ? PREDICTED_YES : PREDICTED_UNDECIDED;
    }
}

Status verdict_predict(const AnalysisContext *context, ExprPool *pool, const Expr *terms,
                       size_t n_terms, Expr scale, Verdict *verdict, double *ret_worst, Error *err)
{
    const size_t n_states = context->states->n_states;

    if (ret_worst)
        memset(ret_worst, 0, n_terms * sizeof *ret_worst);
    if (all_zero(pool, terms, n_terms)) {
        verdict->predicted = PREDICTED_YES;
        verdict->evidence = EVIDENCE_IDENTITY;
        verdict->states = 0;
        verdict->largest = 0;
        return OK;
    }
    Expr *all = alloc_array(n_terms + 1, sizeof *all);
    double *values = alloc_array(n_states * (n_terms + 1), sizeof *values);
    Status status = all && values ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK) {
        memcpy(all, terms, n_terms * sizeof *all);
        all[n_terms] = expr_is_none(scale) ? expr_const(pool, 0) : scale;
        status = analysis_evaluate(context, pool, all, n_terms + 1, context->states, values, err);
    }
    if (status == OK)
        judge(values, n_states, n_terms, verdict, ret_worst);
    free(all);
    free(values);
    return status;
}

Expr analysis_kinetic_scale(const Model *model, ExprPool *pool)
{
    return expr_dot(pool, model->n, model->p, model->v);
}

const char *analysis_text(const AnalysisContext *context, const ExprPool *pool, Expr e,
                          const char *instead)
{
    Text text = TEXT_INIT;
    const char *result = instead;
    size_t n_names;
    char **names = model_print_names(context->model, PRINT_TEXT, &n_names);

    if (names) {
        PrintNames print = {.names = (const char *const *)names, .n = n_names};
        if (expr_print(pool, e, PRINT_TEXT, print, LONG_TEXT, &text, NULL) == OK && text_ok(&text))
            result = arena_strdup(context->arena, text_string(&text));
    }
    free(names);
    text_done(&text);
    return result ? result : instead;
}

/* Random states ------------------------------------------------------------------------------ */

/* Multipliers that a motion keeps may be any: of the size of velocities. */
static void choose_multipliers(const AnalysisContext *context, Random *random, double *ret_lambda)
{
    if (!context->formulation || !context->formulation->keeps_multipliers)
        return;
    for (size_t a = 0; a < context->model->r; a++)
        ret_lambda[a] = context->range.speed * random_normal(random);
}

Status analysis_make_states(AnalysisContext *context, size_t wanted, uint64_t seed, Error *err)
{
    const Model *m = context->model;
    const size_t n = m->n, r = m->r, size = n + context->n_rows;
    Trajectory *states = arena_alloc(context->arena, 1, sizeof *states);
    double *rows = arena_alloc(context->arena, wanted * (1 + 3 * n + r), sizeof *rows);
    double *scratch = alloc_array((size + 1) * size, sizeof *scratch);
    if (!states || !rows || !scratch) {
        free(scratch);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    double *t = rows, *q = t + wanted, *v = q + wanted * n, *vdot = v + wanted * n,
           *lambda = vdot + wanted * n;
    *states = (Trajectory){.t = t, .q = q, .v = v, .vdot = vdot, .lambda = lambda};
    context->states = states;

    Random random;
    Status status = OK;
    random_init(&random, seed);
    for (size_t k = 0; k < 8 * wanted && states->n_states < wanted && status == OK; k++) {
        const size_t i = states->n_states;
        if (admissible_state(context->eval, m, context->rows, context->n_rows, &context->range,
                             &random, t + i, q + i * n, v + i * n) &&
            admissible_motion(context->eval, m, context->rows, context->n_rows, t[i], q + i * n,
                              v + i * n, scratch, vdot + i * n, lambda + i * r)) {
            choose_multipliers(context, &random, lambda + i * r);
            states->n_states++;
        }
        if (k % 16 == 0)
            status = analysis_poll(context, err);
    }
    free(scratch);
    return status;
}
