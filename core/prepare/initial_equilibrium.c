/* An equilibrium as a start, found as in the analysis `equilibria`. */
#include "core/prepare/initial.h"

#include <string.h>

#include "core/model/kinds.h"
#include "core/motion/choice.h"
#include "core/numeric/vectors.h"
#include "core/prepare/named_values.h"
#include "core/stability/find/search.h"

static const char NEAR[] = "/initial/equilibrium/near";
/* Operations after which a search is abandoned, because a client waits for the answer.
 * Convention. */
static const double MOST_OPERATIONS = 1e10;

/* The remaining operations, and those of one Newton step. */
typedef struct Budget {
    double left, step;
} Budget;

static Status spend(void *self, Error *err)
{
    Budget *budget = self;

    budget->left -= budget->step;
    return budget->left > 0
               ? OK
               : error_set(err, ERR_LIMIT, "the search was given up after %.0e operations",
                           MOST_OPERATIONS);
}

/* The state near which the search starts. Velocities that are not given follow from the
 * constraints. */
static Status read_near(Simulation *s, const EquilibriumSpec *spec, bool *ret_moves,
                        Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const StateTargets names = state_targets(model, false);
    const size_t before = diag->total;
    bool *given = ARENA_NEW(s->arena, model->n, bool);
    Status status = arena_status(s->arena, err);

    if (status != OK)
        return status;
    named_values_assign(spec->near_q, spec->n_near_q, &names.q, s->start.q, NULL, diag);
    named_values_assign(spec->near_v, spec->n_near_v, &names.v, s->start.v, given, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the place to look near has mistakes");
    /* before the projection: only velocities that are given make the state a moving one */
    *ret_moves = vector_largest(s->start.v, model->n) > 0;
    InitialState state = {.t = s->times.t0,
                          .q = s->start.q,
                          .v = s->start.v,
                          .v_given = given,
                          .consistency = CONSISTENCY_PROJECT,
                          .pointer = NEAR};
    s->start.report.independent = s->start.rows;
    return model_initial_state(s->eval, &state, &s->start.report, diag, err);
}

/* The equations that are linearized: the job's own if possible. */
static Status find_motion(Simulation *s, const Motion **ret_motion, Diagnostics *diag, Error *err)
{
    const Formulation *formulation = s->compiled->formulation;
    MotionOptions options = {.rows = s->start.rows, .n_rows = s->start.report.rank};
    const MotionQuestion at = simulation_question(s, s->times.t0, s->start.q, s->start.v, &options);

    if (strcmp(formulation->name, "lagrange-dalembert") != 0)
        return OK;
    Status status = motion_choose_options(formulation, &at, false, s->arena, &options, diag, err);
    return status == OK ? compiled_motion(s->compiled, &options, motion_class_of(&s->start.report),
                                          ret_motion, err)
                        : status;
}

/* The context of the search. Symmetries are tried at random states near the given one, but only
 * if the state moves: at rest no symmetry takes part. */
static Status make_context(Simulation *s, bool moves, AnalysisContext *ret, Error *err)
{
    static const Trajectory NONE = {0};
    const size_t n = s->compiled->model->n;
    double *width = arena_doubles(s->arena, n), *speed = arena_doubles(s->arena, n);
    double *size = arena_doubles(s->arena, n);

    if (!width || !speed || !size)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const ModelPoint point = model_point(s->eval, s->times.t0, s->start.q, s->start.v);
    /* sizes of coordinates and speeds; random states lie within a tenth of a size */
    kinds_scales(s->compiled->model, point.M, s->start.q, s->start.v, s->times.end - s->times.t0,
                 size, speed);
    for (size_t i = 0; i < n; i++)
        width[i] = 0.1 * size[i];
    *ret = (AnalysisContext){.model = s->compiled->model,
                             .formulation = s->compiled->formulation,
                             .programs = s->compiled->programs,
                             .eval = s->eval,
                             .params = s->params,
                             .rows = s->start.rows,
                             .n_rows = s->start.report.rank,
                             .t0 = s->times.t0,
                             .q0 = s->start.q,
                             .v0 = s->start.v,
                             .t_end = s->times.end,
                             .range = {.t_from = s->times.t0,
                                       .t_to = s->times.end,
                                       .centre = s->start.q,
                                       .width = width,
                                       .speed = speed,
                                       .size = size},
                             .states = &NONE,
                             .arena = s->arena};
    /* at rest no random states are needed */
    if (!moves || s->compiled->model->given.n_symmetries == 0)
        return OK;
    ret->states = NULL;
    return analysis_draw_states(ret, err);
}

static Status keep_found(Simulation *s, const EquilibriumSearch *search, const Equilibrium *found,
                         Error *err)
{
    const size_t n = s->compiled->model->n;
    Value *record = value_new_record(s->arena);

    value_add_text(s->arena, record, "kind", found->s ? "relative equilibrium" : "equilibrium");
    equilibrium_report(search, found, s->arena, record);
    value_add_number(s->arena, record, "residual", found->residual);
    memcpy(s->start.q, found->q, n * sizeof *s->start.q);
    memcpy(s->start.v, found->v, n * sizeof *s->start.v);
    s->start.equilibrium = record;
    return arena_status(s->arena, err);
}

static Status search_near(Simulation *s, EquilibriumSearch *search, bool moves, Diagnostics *diag,
                          Error *err)
{
    const size_t n = s->compiled->model->n;
    double *near = arena_doubles(s->arena, 2 * n);
    const char *reason = NULL;
    Equilibrium found;
    Error own = {0};
    bool success = false;
    Status status = arena_status(s->arena, err);

    if (status != OK)
        return status;
    /* search along the symmetries and then at rest, or at rest only */
    memcpy(near, s->start.q, n * sizeof *near);
    memcpy(near + n, s->start.v, n * sizeof *near);
    status = moves ? equilibrium_search_either(search, near, &found, &success, &own)
                   : equilibrium_search_near(search, near, true, &found, &success, &own);
    if (status == ERR_LIMIT)
        reason = own.message;
    /* take the state, or explain why there is none */
    if (status == OK && equilibrium_search_success(&found, success, s->arena, &reason)) {
        status = keep_found(s, search, &found, err);
    } else if (status == OK || status == ERR_LIMIT) {
        diagnostics_add(diag, NEAR, -1, "give a state nearer to one, or the initial state itself",
                        "no %sequilibrium to start from: %s", moves ? "relative " : "", reason);
        status = error_set(err, ERR_INVALID, "no equilibrium was found");
    } else {
        error_set(err, status, "%s", own.message);
    }
    equilibrium_done(&found);
    return status;
}

/* Operations of a step: derivatives along all directions, a solve for each, and the
 * decomposition. */
static double newton_work(const EquilibriumSearch *search)
{
    const Motion *motion = search->local.motion;
    const double columns = (double)(search->local.n + search->s);
    const double size = (double)(motion->n + motion->n_rows);

    return columns * ((double)program_length(motion->rates) + size * size * size);
}

/* An equilibrium must have a linearization; otherwise the reason is a mistake of the job. */
static Status find_equilibrium(Simulation *s, bool moves, Diagnostics *diag, Error *err)
{
    AnalysisContext context;
    AnalysedRun run = {.kind = motion_class_of(&s->start.report)};
    EquilibriumSearch search = {0};
    Budget budget = {.left = MOST_OPERATIONS};
    Error own = {0};

    Status status = find_motion(s, &run.motion, diag, err);
    if (status == OK)
        status = make_context(s, moves, &context, err);
    if (status != OK)
        return status;
    context.poll = spend;
    context.self = &budget;
    status = equilibrium_search_init(&search, &context, &run, &own);
    const bool no_symmetry = status == OK && moves && search.s == 0;
    if (no_symmetry)
        status = error_set(&own, ERR_INVALID, "%s", EQUILIBRIUM_NO_SYMMETRY);
    /* a motion without symmetry, or equations without linearization, are mistakes of the job */
    if (status == ERR_INVALID || status == ERR_NUMERIC) {
        diagnostics_add(
            diag, no_symmetry ? "/initial/equilibrium/near/v" : "/initial/equilibrium", -1,
            no_symmetry ? "name it in the model's \"symmetries\", or leave \"v\" out to "
                          "look for rest"
                        : "give the initial state itself",
            "%s", own.message);
        status = ERR_INVALID;
    }
    if (status == OK) {
        budget.step = newton_work(&search);
        status = search_near(s, &search, moves, diag, &own);
    }
    if (status != OK)
        error_set(err, status, "%s", own.message);
    equilibrium_search_done(&search);
    return status;
}

Status initial_equilibrium(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const EquilibriumSpec *asked = &spec->initial.equilibrium;
    const StateTargets names = state_targets(model, false);
    const size_t n = model->n, before = diag->total;
    double *offset = arena_doubles(s->arena, 2 * n);
    bool moves = false;
    Status status = arena_status(s->arena, err);

    if (status != OK)
        return status;
    /* read the offset, and refuse large models */
    named_values_assign(asked->offset_q, asked->n_offset_q, &names.q, offset, NULL, diag);
    named_values_assign(asked->offset_v, asked->n_offset_v, &names.v, offset + n, NULL, diag);
    if (n > LINEARISE_MAX_COORDINATES)
        diagnostics_add(diag, "/initial/equilibrium", -1, "give the initial state itself",
                        "equilibria are looked for in models of at most %d coordinates, this one "
                        "has %zu",
                        LINEARISE_MAX_COORDINATES, n);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the equilibrium to start from has mistakes");
    status = read_near(s, asked, &moves, diag, err);
    if (status == OK)
        status = find_equilibrium(s, moves, diag, err);
    for (size_t i = 0; status == OK && i < n; i++) {
        s->start.q[i] += offset[i];
        s->start.v[i] += offset[n + i];
    }
    return status;
}
