/* The table of all analyses; selects those of a job, and runs them. */
#include "core/prepare/chosen_analyses.h"

#include <string.h>

#include "core/base/stop_token.h"
#include "core/invariants/generator.h"
#include "core/invariants/laws.h"
#include "core/simulate.h"

/* For analyses of the model alone: they transform expressions and test them exactly and at
 * random states. The length of the expressions shows only then. */
#define TESTED "Sums of terms are put to exact tests and to 64 random states."

static const AnalysisRow TABLE[] = {
    {.analysis = &analysis_energy, .work = TESTED},
    {.analysis = &analysis_momenta, .work = TESTED},
    {.analysis = &analysis_reactions,
     .work = "The reaction forces are derived as closed expressions and tested."},
    {.analysis = &analysis_reaction_annihilator,
     .work = "The reactions are evaluated at many velocities at each of 64 random states."},
    {.analysis = &analysis_consistency,
     .work = "Brackets of frame fields are derived, sections are fitted and the motion compared.",
     .integrates = true},
    {.analysis = &analysis_structure,
     .work =
         "Brackets of the constraints' fields are derived as expressions, and their ranks taken "
         "at random states."},
    {.analysis = &analysis_measure,
     .work = "Brackets and divergences of the reduced field are derived as expressions, and a "
             "density is fitted to them."},
    {.analysis = &analysis_discovery,
     .work = "Candidates are fitted at twice as many random states: of the third power of their "
             "number, which grows with the ansatz."},
    {.analysis = &analysis_moving_energy,
     .work = "Fields of an ansatz are fitted at random states, and the candidates are tested."},
    {.analysis = &analysis_gauge_momenta,
     .work = "Fields of an ansatz are fitted at random states, and the candidates are tested."},
    {.analysis = &analysis_action, .run = action_run, .cost = action_cost},
    {.analysis = &analysis_equilibria, .run = equilibria_run, .cost = equilibria_cost},
    {.analysis = &analysis_floquet, .run = floquet_run, .cost = floquet_cost},
    {.analysis = &analysis_lyapunov, .run = lyapunov_run, .cost = lyapunov_cost},
    {.analysis = &analysis_linearise, .run = linearise_run, .cost = linearise_cost},
};
enum { N_ANALYSES = sizeof TABLE / sizeof TABLE[0] };

const AnalysisRow *analyses_find(const char *name)
{
    for (size_t i = 0; i < N_ANALYSES; i++)
        if (strcmp(TABLE[i].analysis->name, name) == 0)
            return &TABLE[i];
    return NULL;
}

const Analysis *simulation_analysis(size_t k)
{
    return k < N_ANALYSES ? TABLE[k].analysis : NULL;
}

static void unknown_analysis(const AnalysisSpec *asked, Diagnostics *diag)
{
    const char *names[N_ANALYSES];

    for (size_t i = 0; i < N_ANALYSES; i++)
        names[i] = TABLE[i].analysis->name;
    diagnostics_add(diag, asked->pointer, -1,
                    names_hint(diag, asked->name, "analyses", names, N_ANALYSES),
                    "unknown analysis \"%s\"", asked->name);
}

/* "its options are: degree, ansatz" */
static const char *known_options(const Analysis *analysis, Arena *arena)
{
    const char *text = NULL;

    for (const AnalysisOption *option = analysis->options; option && option->name; option++)
        text = arena_printf(
            arena, "%s%s",
            text ? arena_printf(arena, "%s, ", text) : "its options are: ", option->name);
    return text ? text : "it has no options";
}

static void check_options(const Analysis *analysis, const Value *options, Diagnostics *diag)
{
    const char *known = known_options(analysis, diag->arena);

    for (const Value *option = options ? options->first : NULL; option; option = option->next) {
        size_t i = 0;
        while (analysis->options && analysis->options[i].name &&
               strcmp(analysis->options[i].name, option->name) != 0)
            i++;
        if (!analysis->options || !analysis->options[i].name)
            diagnostics_add(diag, option->pointer, -1, known, "%s has no option \"%s\"",
                            analysis->name, option->name);
    }
}

static Status check_fields(const Analysis *analysis, const Model *model, ExprPool *pool,
                           const Value *options, Diagnostics *diag, Error *err)
{
    ModelField *fields;
    size_t n;
    Status status = OK;

    for (const AnalysisOption *o = analysis->options; status == OK && o && o->name; o++) {
        const Value *option = o->kind == OPTION_FIELDS ? value_member(options, o->name) : NULL;
        if (option)
            status = generators_read(model, pool, option, diag, &fields, &n, err);
    }
    return status;
}

static Status choose_default(const Model *model, Arena *arena, ChosenAnalysis **ret_chosen,
                             size_t *ret_n, Error *err)
{
    ChosenAnalysis *chosen = arena_alloc(arena, N_ANALYSES, sizeof *chosen);
    if (!chosen)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret_n = 0;
    for (size_t i = 0; i < N_ANALYSES; i++) {
        const Analysis *analysis = TABLE[i].analysis;
        if (analysis->by_default && (!analysis->applies || analysis->applies(model)))
            chosen[(*ret_n)++].row = &TABLE[i];
    }
    *ret_chosen = chosen;
    return OK;
}

/* The options as given, or an empty record at the place of the analysis: a check may have to
 * report a missing option. */
static const Value *options_at(const AnalysisSpec *asked, Arena *arena)
{
    if (asked->options)
        return asked->options;
    Value *options = value_new_record(arena);
    if (options)
        options->pointer = asked->pointer;
    return options;
}

/* taken[N_ANALYSES]: those chosen so far. An error ends the choice; mistakes do not. */
static Status choose_one(const Model *model, const AnalysisSpec *asked, bool *taken, Arena *arena,
                         ChosenAnalysis *chosen, Diagnostics *diag, Error *err)
{
    const AnalysisRow *row = analyses_find(asked->name);

    *chosen = (ChosenAnalysis){row, value_copy(arena, asked->options)};
    /* the analysis has to exist and may be chosen once */
    if (!row) {
        unknown_analysis(asked, diag);
        return OK;
    }
    const Analysis *analysis = row->analysis;
    if (taken[row - TABLE]) {
        diagnostics_add(diag, asked->pointer, -1, NULL, "%s is asked for twice", asked->name);
        return OK;
    }
    taken[row - TABLE] = true;
    check_options(analysis, asked->options, diag);
    const Value *options = options_at(asked, arena);
    ExprPool *pool = options ? expr_pool_clone(model->pool) : NULL;
    if (!pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const size_t before = diag->total;
    Status status = check_fields(analysis, model, pool, options, diag, err);
    if (analysis->check && (status == OK || status == ERR_INVALID))
        status = analysis->check(model, pool, options, diag, err);
    expr_pool_free(pool);
    return status == ERR_INVALID && diag->total != before ? OK : status;
}

Status analyses_choose(const Model *model, const JobSpec *spec, Arena *arena,
                       ChosenAnalysis **ret_chosen, size_t *ret_n, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    bool taken[N_ANALYSES] = {false};
    Status status = OK;

    /* without a list the default analyses are chosen */
    if (!spec->analyses)
        return choose_default(model, arena, ret_chosen, ret_n, err);
    ChosenAnalysis *chosen = arena_alloc(arena, spec->n_analyses, sizeof *chosen);
    if (!chosen)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < spec->n_analyses && status == OK; k++)
        status = choose_one(model, &spec->analyses[k], taken, arena, &chosen[k], diag, err);
    *ret_chosen = chosen;
    *ret_n = spec->n_analyses;
    if (status == OK && diag->total != before)
        return error_set(err, ERR_INVALID, "the analyses have mistakes");
    return status;
}

static Value *begun_record(const Findings *findings, const char *name)
{
    Value *record = findings->record ? findings->record->first : NULL;
    while (record && strcmp(record->name, name) != 0)
        record = record->next;
    return record;
}

/* A failure of an analysis is part of its findings and does not end the job. A partial record is
 * removed. */
static Status take_failure(const Analysis *analysis, Status status, Findings *findings,
                           const Error *err)
{
    if (status == ERR_CANCELLED || status == ERR_TIMEOUT || status == ERR_NO_MEMORY ||
        status == ERR_INTERNAL)
        return status; /* these do end the job */
    Value *record = begun_record(findings, analysis->name);
    if (record) {
        record->kind = VALUE_RECORD;
        record->first = record->last = NULL;
    } else {
        record = value_add(findings->arena, findings->record, analysis->name, VALUE_RECORD);
    }
    value_add_text(findings->arena, record, "failed", err->message);
    return OK;
}

Status analyses_run(const AnalysisContext *context, const AnalysedRun *run,
                    const ChosenAnalysis *chosen, size_t n, Findings *findings, Error *err)
{
    AnalysisContext shared = *context;
    StopToken stop_token;
    Status status = OK;

    stop_token_begin(&stop_token, context->poll, context->self);
    for (size_t k = 0; k < n && status == OK; k++) {
        const AnalysisRow *row = chosen[k].row;
        Error own = {0};
        if (!row->analysis->laws)
            status = analysis_draw_states(&shared, &own);
        if (status == OK)
            status = row->run
                         ? row->run(&shared, run, chosen[k].options, findings, &own)
                         : analysis_run(row->analysis, &shared, chosen[k].options, findings, &own);
        /* findings after a timeout or cancellation are discarded */
        status = stop_token_settle(status, &own);
        if (status != OK)
            status = take_failure(row->analysis, status, findings, &own);
        if (status != OK)
            error_set(err, status, "analysis %s: %s", row->analysis->name, own.message);
    }
    stop_token_end(&stop_token);
    for (size_t k = 0; k < findings->n_verdicts; k++)
        verdict_face_motion(findings->arena, &findings->verdicts[k], run ? run->impact : NULL);
    return status == OK ? findings_status(findings, err) : status;
}
