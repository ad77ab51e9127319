/* Properties of a model apart from any motion: kinds and rank of its constraints, degrees of
 * freedom, regularity. */

#include "core/base/stop_token.h"
#include "core/motion/choice.h"
#include "core/prepare/chosen_analyses.h"
#include "core/simulate/generic.h"

/* Whether something depends on time, and the coordinates that occur nowhere (their velocities may):
 * a shift of them is a symmetry. */
static Status find_uses(const Model *model, Arena *arena, Structure *ret, Error *err)
{
    const size_t n_symbols = model->sym.first_free;
    bool *used = ARENA_NEW(arena, n_symbols, bool);
    const char **names = ARENA_NEW(arena, model->n, const char *);
    Status status = arena_status(arena, err);

    /* mark the symbols that L, the forces and the constraints use */
    if (status == OK)
        status = expr_used_symbols(model->pool, &model->L, 1, used, n_symbols, err);
    if (status == OK)
        status = expr_used_symbols(model->pool, model->F, model->n, used, n_symbols, err);
    if (status != OK)
        return status;
    ret->time_dependent = used[0]; /* time is symbol 0 */
    for (size_t a = 0; status == OK && a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        Expr e = c->kind == CONSTRAINT_HOLONOMIC ? c->f : c->phi;
        ret->time_dependent = ret->time_dependent || c->time_dependent;
        status = expr_used_symbols(model->pool, &e, 1, used, n_symbols, err);
    }
    /* list the coordinates without a mark */
    for (size_t i = 0; status == OK && i < model->n; i++)
        if (!used[expr_node(model->pool, model->sym.q[i]).symbol])
            names[ret->n_cyclic++] = model->names.coordinates[i];
    ret->cyclic = names;
    return status;
}

static Status describe_constraints(const Model *model, const InitialReport *report, Arena *arena,
                                   Structure *ret, Error *err)
{
    StructureConstraint *items = arena_alloc(arena, model->r, sizeof *items);
    if (!items)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the kind of each constraint, then the redundant ones */
    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        items[a] = (StructureConstraint){.name = c->name,
                                         .kind = c->kind,
                                         .time_dependent = c->time_dependent,
                                         .homogeneous = c->homogeneous};
    }
    for (size_t k = 0; report && k < report->n_redundant; k++) {
        items[report->redundant[k]].redundant = true;
        items[report->redundant[k]].redundancy = report->redundant_texts[k];
    }
    ret->constraints = items;
    ret->n_constraints = model->r;
    return OK;
}

static Status describe_motion(Compiled *compiled, const Generic *g, Structure *ret, Error *err)
{
    Motion *motion;
    /* with the formulation that every model has */
    const Formulation *formulation = formulation_find("lagrange-dalembert");
    MotionOptions options = {.rows = g->rows, .n_rows = g->report.rank, .dependent = g->rows};
    Status status = motion_best(compiled->model, formulation, &options, motion_class_of(&g->report),
                                &motion, err);
    if (status == OK) {
        ret->switches = motion->n_switches;
        ret->program_length = program_length(motion->rates);
        motion_free(motion);
    }
    return status;
}

/* Whether a formulation applies; if not, its first objection. */
static Status structure_ask(const Generic *g, const char *name, Arena *arena,
                            StructureFormulation *ret, Error *err)
{
    MotionOptions options;
    Error failure = {0};
    Diagnostics diag;

    diagnostics_init(&diag, arena);
    Status status = generic_options(g, formulation_find(name), arena, &options, &diag, &failure);
    if (status == ERR_NO_MEMORY || status == ERR_INTERNAL)
        return error_set(err, status, "%s", failure.message);
    *ret = (StructureFormulation){.name = name, .applies = status == OK};
    if (status != OK)
        ret->reason = arena_strdup(arena, diag.count ? diag.items[0].message : failure.message);
    return OK;
}

static Status describe_formulations(const Generic *g, Arena *arena, Structure *ret, Error *err)
{
    const char *const *names;
    const size_t n = formulation_names(&names);
    StructureFormulation *items = arena_alloc(arena, n, sizeof *items);
    Status status = items ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; status == OK && i < n; i++)
        status = structure_ask(g, names[i], arena, &items[i], err);
    ret->formulations = items;
    ret->n_formulations = n;
    return status;
}

/* Runs the analyses of the model alone, with random states near the generic one. */
static Status structure_analyse(Compiled *compiled, const Generic *g, Arena *arena, Structure *ret,
                                Error *err)
{
    const Model *model = compiled->model;
    const ChosenAnalysis chosen = {.row = analyses_find("structure")};
    const MotionOptions options = {.rows = g->rows, .n_rows = g->report.rank};
    const MotionQuestion at = generic_question(g, &options);
    size_t *dependent = arena_sizes(arena, g->report.rank);
    double *width = arena_doubles(arena, model->n), *speed = arena_doubles(arena, model->n);
    Findings findings;
    if (!dependent || !width || !speed)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < model->n; i++) {
        width[i] = 0.5 * g->size[i];
        speed[i] = g->size[i] / g->time;
    }
    AnalysisContext context = {.model = model,
                               .formulation = formulation_find("lagrange-dalembert"),
                               .programs = compiled->programs,
                               .eval = g->eval,
                               .params = model->param_values,
                               .rows = g->rows,
                               .n_rows = g->report.rank,
                               .dependent = dependent,
                               .t0 = g->t,
                               .q0 = g->q,
                               .v0 = g->v,
                               .t_end = g->t + g->time,
                               .range = {.t_from = g->t,
                                         .t_to = g->t + g->time,
                                         .centre = g->q,
                                         .width = width,
                                         .speed = speed,
                                         .size = g->size},
                               .arena = arena};
    findings_init(&findings, arena);
    Status status = motion_choose_dependent(&at, dependent, err);
    if (status == ERR_NUMERIC)
        return OK; /* the constraints are nearly dependent at this state, so no analysis is
                      possible */
    if (status == OK)
        status = analyses_run(&context, NULL, &chosen, 1, &findings, err);
    if (status == OK) {
        ret->verdicts = findings.verdicts;
        ret->n_verdicts = findings.n_verdicts;
        ret->findings = findings.record;
    }
    return status;
}

Status compiled_structure(Compiled *compiled, Arena *arena, Structure *ret_structure, Error *err)
{
    const Model *model = compiled->model;
    Structure result = {.coordinates = model->n, .parameters = model->n_params};
    Generic g;
    Status status = generic_init(&g, compiled, arena, err);
    if (status != OK)
        goto out;

    /* rank and regularity at the generic state */
    if (g.found) {
        result.rank = g.report.rank;
        result.degrees_of_freedom = model->n - g.report.rank;
        result.mass_positive = g.report.mass_positive;
        result.condition = g.report.condition_M;
    } else {
        result.objection = g.objection;
        result.irregular = g.irregular;
    }
    /* first the properties that need no state, then the others */
    status = find_uses(model, arena, &result, err);
    if (status == OK)
        status = describe_constraints(model, g.found ? &g.report : NULL, arena, &result, err);
    if (status == OK && g.found)
        status = describe_motion(compiled, &g, &result, err);
    if (status == OK && g.found)
        status = structure_analyse(compiled, &g, arena, &result, err);
    if (status == OK)
        status = describe_formulations(&g, arena, &result, err);
    status = stop_token_settle(status, err);
    if (status == OK)
        *ret_structure = result;
out:
    model_eval_free(g.eval);
    return stop_token_settle(status, err);
}
