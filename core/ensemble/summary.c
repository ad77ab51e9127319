/* The summary of an ensemble: one row for each member. */
#include "core/ensemble/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/model/dimensions.h"
#include "core/motion/formulation.h"

/* Columns behind the final state: these, the drifts of other invariants, and the ending. */
enum { WORST_RESIDUAL, ENERGY_BALANCE, DRIFT_ENERGY, EVIDENCE };
enum { STEPS, WARNINGS, STATE, ENDING };

static const char *const EVIDENCE_NAMES[EVIDENCE] = {"worst_residual", "energy_balance",
                                                     "drift.energy"};
static const char *const ENDING_NAMES[ENDING] = {"steps", "warnings", "state"};

static void name_columns(const Summary *s, const Model *model, const JobSpec *job,
                         const DesignSpec *design, Arena *arena, const char **columns)
{
    *columns++ = "member";
    for (size_t a = 0; a < s->n_axes; a++)
        *columns++ = arena_strdup(arena, design->axes[a].path);
    for (size_t k = 0; k < s->n_reduce; k++)
        *columns++ = arena_strdup(arena, job->reduce[k].name);
    *columns++ = "final.t";
    for (size_t i = 0; i < s->n; i++)
        *columns++ = arena_join(arena, "final.q.", model->names.coordinates[i], "");
    for (size_t i = 0; i < s->n; i++)
        *columns++ = arena_join(arena, "final.v.", model->names.coordinates[i], "");
    memcpy(columns, EVIDENCE_NAMES, sizeof EVIDENCE_NAMES);
    columns += EVIDENCE;
    for (size_t k = 0; k < s->n_drifts; k++)
        *columns++ = arena_strdup(arena, job->reduce[s->n_reduce + k].name);
    memcpy(columns, ENDING_NAMES, sizeof ENDING_NAMES);
}

static void keep_unit(const Unit *unit, Arena *arena, const char **ret)
{
    Text text = TEXT_INIT;

    if (unit) {
        unit_print(unit, &text);
        *ret = text_keep(&text, arena);
    }
}

static void keep_dimension(Dimension dimension, Arena *arena, const char **ret)
{
    const Unit unit = unit_of(&dimension);

    if (dimension.known)
        keep_unit(&unit, arena, ret);
}

static void name_units(const Summary *s, const Model *model, const Dimension *reduced,
                       const DesignSpec *design, Arena *arena, const char **units)
{
    static const char *const TIMES[] = {"initial.t", "time.end"};
    const Dimension second = dimension_base(BASE_S);
    const char **reductions = units + 1 + s->n_axes, ** final = reductions + s->n_reduce;
    const char **evidence = final + 1 + 2 * s->n;

    /* varied numbers have the units of their paths */
    for (size_t a = 0; a < s->n_axes; a++) {
        const char *path = design->axes[a].path;
        keep_unit(units_of_path(model, path), arena, &units[1 + a]);
        if (strcmp(path, TIMES[0]) == 0 || strcmp(path, TIMES[1]) == 0)
            keep_dimension(second, arena, &units[1 + a]);
    }
    for (size_t k = 0; k < s->n_reduce; k++)
        keep_dimension(reduced[k], arena, &reductions[k]);
    keep_dimension(second, arena, &final[0]);
    for (size_t i = 0; i < 2 * s->n; i++)
        keep_unit(&model->units.state[i], arena, &final[1 + i]);
    keep_dimension(model->units.lagrangian, arena, &evidence[DRIFT_ENERGY]);
    for (size_t k = 0; k < s->n_drifts; k++)
        keep_dimension(reduced[s->n_reduce + k], arena, &evidence[EVIDENCE + k]);
}

Status summary_init(Summary *ret_summary, const Model *model, const SummarySpec *spec, Arena *arena,
                    Error *err)
{
    const JobSpec *job = spec->job;
    const DesignSpec *design = spec->design;
    const size_t n_drifts = spec->n_drifts;
    /* the last of the job's reductions are drifts, with columns behind the evidence */
    Summary s = {.n_axes = design->n_axes,
                 .n = model->n,
                 .n_reduce = job->n_reduce - n_drifts,
                 .n_drifts = n_drifts};
    s.n_columns = 1 + s.n_axes + s.n_reduce + 1 + 2 * s.n + EVIDENCE + n_drifts + ENDING;
    const char **columns = ARENA_NEW(arena, s.n_columns, const char *);

    if (!columns)
        return arena_status(arena, err);
    name_columns(&s, model, job, design, arena, columns);
    s.columns = columns;
    const char **units = model->units.known ? ARENA_NEW(arena, s.n_columns, const char *) : NULL;
    if (units)
        name_units(&s, model, spec->reduced, design, arena, units);
    s.units = units;
    *ret_summary = s;
    return arena_status(arena, err);
}

void summary_blank(const Summary *s, uint64_t member, const double *inputs, MemberState state,
                   double *ret_row)
{
    for (size_t c = 0; c < s->n_columns; c++)
        ret_row[c] = NAN;
    ret_row[0] = (double)member;
    memcpy(ret_row + 1, inputs, s->n_axes * sizeof *inputs);
    ret_row[s->n_columns - ENDING + STATE] = state;
}

void summary_row(const Summary *s, uint64_t member, const double *inputs, MemberState state,
                 const SimulationResult *result, double *ret_row)
{
    /* the columns that every member has */
    double *reduced = ret_row + 1 + s->n_axes, *final = reduced + s->n_reduce;
    double *evidence = final + 1 + 2 * s->n, *ending = ret_row + s->n_columns - ENDING;

    summary_blank(s, member, inputs, state, ret_row);
    final[0] = result->end.t;
    evidence[WORST_RESIDUAL] = simulation_worst_residual(result);
    evidence[ENERGY_BALANCE] = result->energy.balance_scaled;
    evidence[DRIFT_ENERGY] = result->energy.max_drift;
    ending[STEPS] = (double)result->steps.accepted;
    ending[WARNINGS] = (double)result->n_warnings;
    /* the others need a run that reached its end */
    if (state != MEMBER_SUCCEEDED)
        return;
    if (s->n_reduce)
        memcpy(reduced, result->reduced, s->n_reduce * sizeof *reduced);
    if (s->n_drifts)
        memcpy(evidence + EVIDENCE, result->reduced + s->n_reduce, s->n_drifts * sizeof *reduced);
    memcpy(final + 1, result->final.q, s->n * sizeof *final);
    memcpy(final + 1 + s->n, result->final.v, s->n * sizeof *final);
}

/* Drifts: momenta p.Y of symmetries, written as texts for reductions of the job. */

/* Characters of a momentum's text; a longer one gets no reduction. Convention. */
enum { LONGEST_TEXT = 20000 };

/* NULL: too long, or out of memory. */
static const char *write_momentum(const Model *model, ExprPool *pool, PrintNames names,
                                  const Expr *Y, Arena *arena)
{
    const Expr momentum = expr_dot(pool, model->n, model->p, Y);
    Text text = TEXT_INIT;
    const char *result = NULL;

    if (expr_pool_status(pool, NULL) == OK &&
        expr_print(pool, momentum, PRINT_TEXT, names, LONGEST_TEXT, &text, NULL) == OK &&
        text_ok(&text))
        result = arena_strdup(arena, text_string(&text));
    text_done(&text);
    return result;
}

static void add_momenta(const Model *model, ExprPool *pool, PrintNames names, Arena *arena,
                        ReduceSpec *reduce, size_t *n)
{
    static const char POINTER[] = "/ensemble/reduce";

    for (size_t k = 0; k < model->given.n_symmetries; k++) {
        const ModelField *field = &model->given.symmetries[k];
        const char *text = write_momentum(model, pool, names, field->components, arena);
        const char *name = arena_join(arena, "drift.", field->name, "");
        if (text && name && strcmp(name, "drift.energy") != 0)
            reduce[(*n)++] = (ReduceSpec){.name = name,
                                          .take = REDUCE_DRIFT,
                                          .of = {name, text, POINTER, NULL},
                                          .pointer = POINTER};
    }
}

Status drifts_add(const Compiled *compiled, const JobSpec *job, Arena *arena, JobSpec *ret_job,
                  Error *err)
{
    const Model *model = compiled_model(compiled);
    const Formulation *formulation = formulation_find(compiled_formulation(compiled));
    ReduceSpec *reduce = ARENA_NEW(arena, job->n_reduce + model->given.n_symmetries, ReduceSpec);
    size_t n_names;

    if (!reduce)
        return arena_status(arena, err);
    *ret_job = *job;
    /* without symmetries, and with multipliers in the state, the job stays as it is */
    if (model->given.n_symmetries == 0 || formulation->keeps_multipliers)
        return OK;
    char **names = model_print_names(model, PRINT_TEXT, &n_names);
    ExprPool *pool = expr_pool_clone(model->pool);
    if (names && pool) {
        const PrintNames print = {.names = (const char *const *)names, .n = n_names};
        if (job->n_reduce)
            memcpy(reduce, job->reduce, job->n_reduce * sizeof *reduce);
        ret_job->reduce = reduce;
        add_momenta(model, pool, print, arena, reduce, &ret_job->n_reduce);
    }
    Status status =
        names && pool ? arena_status(arena, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    expr_pool_free(pool);
    free(names);
    return status;
}
