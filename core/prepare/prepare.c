/* A job is checked part by part, so that all its mistakes are reported at once. Then its initial
 * state is made consistent and its equations are chosen. */
#include "core/prepare/prepare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/prepare/boundary.h"
#include "core/prepare/chosen_analyses.h"
#include "core/prepare/column_units.h"
#include "core/prepare/initial.h"
#include "core/prepare/initial_motion.h"
#include "core/prepare/named_values.h"
#include "core/prepare/nominal.h"
#include "core/prepare/reductions.h"
#include "core/prepare/sensitivities.h"

/* Default limit of steps of a run. Convention. */
enum { DEFAULT_MAX_STEPS = 10000000 };
/* Most breaks of a run by guards, per lane; more count as chattering. Convention. */
enum { MOST_BREAKS = 10000 };
/* Limits of the relative tolerance (no unit): some roundings, and a tenth. Conventions. */
static const double LEAST_RTOL = 1e-15, LARGEST_RTOL = 0.1;
/* Limit of the memory of a prepared job in bytes (64 MiB). Convention. */
enum { ARENA_BYTES = 64 << 20 };

void prepared_free(Simulation *s)
{
    if (!s)
        return;
    boundary_free(s->boundary);
    column_units_free(s->columns.units);
    observed_free(s->observed);
    reductions_free(s->reductions);
    model_eval_free(s->eval);
    compiled_unref(s->compiled);
    arena_free(s->arena);
    free(s);
}

/* Copies the report's texts, which belong to the request, because the run outlives it. */
static Status keep_redundancies(Simulation *s, Error *err)
{
    const size_t n = s->start.report.n_redundant;
    const char **texts = arena_alloc(s->arena, n, sizeof *texts);

    for (size_t k = 0; texts && k < n; k++)
        texts[k] = arena_strdup(s->arena, s->start.report.redundant_texts[k]);
    s->start.report.redundant = NULL;
    s->start.report.redundant_texts = texts;
    return arena_status(s->arena, err);
}

/* Reports the distance by which given values were moved. */
static void tell_change(Simulation *s, const double *q, const double *v, const bool *given)
{
    const Model *m = s->compiled->model;
    const Unit *units = m->units.known ? m->units.state : NULL;
    Value *change = value_new_record(s->arena);

    for (size_t k = 0; q && v && k < 2 * m->n; k++) {
        const bool of_v = k >= m->n;
        const size_t i = of_v ? k - m->n : k;
        const char *name = m->names.coordinates[i];
        const double moved = of_v ? s->start.v[i] - v[i] : s->start.q[i] - q[i];
        if (moved != 0 && (!of_v || given[i]))
            value_add_number(s->arena, change,
                             of_v ? arena_join(s->arena, "dot(", name, ")") : name,
                             units ? unit_shown(&units[k], moved) : moved);
    }
    s->start.change = change;
}

static Status prepare_initial_state(Simulation *s, const JobSpec *spec, Diagnostics *diag,
                                    Error *err)
{
    const Model *model = s->compiled->model;
    const StateTargets names = state_targets(model, false);
    const size_t before = diag->total;
    bool *given = ARENA_NEW(s->arena, model->n, bool);
    Status status = initial_hold_read(s, spec, diag, err);

    if (status == OK)
        status = arena_status(s->arena, err);
    if (status != OK)
        return status;
    /* the state comes from a boundary, from a chart, from an equilibrium, or by name */
    memset(given, true, model->n * sizeof *given);
    if (spec->boundary.given) {
        status = boundary_read(s, spec, diag, err);
    } else if (spec->initial.in_chart) {
        status = initial_chart(s, spec, diag, err);
    } else if (spec->initial.equilibrium.given) {
        status = initial_equilibrium(s, spec, diag, err);
    } else {
        memset(given, false, model->n * sizeof *given);
        named_values_assign(spec->initial.q, spec->initial.n_q, &names.q, s->start.q, NULL, diag);
        named_values_assign(spec->initial.v, spec->initial.n_v, &names.v, s->start.v, given, diag);
    }
    if (status == OK && diag->total == before) {
        /* missing velocities are found, and the state is made consistent or refused */
        InitialState state = {.t = spec->initial.t,
                              .q = s->start.q,
                              .v = s->start.v,
                              .v_given = given,
                              .consistency = spec->initial.consistency,
                              .held = s->start.held,
                              .no_conditions = s->brief,
                              .pointer = spec->boundary.given ? "/boundary/start" : "/initial"};
        s->start.report.independent = s->start.rows;
        const double *asked_q = arena_copy_doubles(s->arena, s->start.q, model->n);
        const double *asked_v = arena_copy_doubles(s->arena, s->start.v, model->n);
        status = model_initial_state(s->eval, &state, &s->start.report, diag, err);
        if (status == OK && !s->brief)
            tell_change(s, asked_q, asked_v, given);
    }
    if (status == OK)
        status = keep_redundancies(s, err);
    return status;
}

static void prepare_check_tolerances(const JobSpec *spec, Diagnostics *diag)
{
    if (!(spec->integrator.rtol >= LEAST_RTOL && spec->integrator.rtol <= LARGEST_RTOL))
        diagnostics_add(diag, "/integrator/rtol", -1, NULL, "rtol must be in [1e-15, 0.1], not %g",
                        spec->integrator.rtol);
    if (spec->integrator.atol_given &&
        (!(spec->integrator.atol > 0) || !isfinite(spec->integrator.atol)))
        diagnostics_add(diag, "/integrator/atol", -1, NULL, "atol must be positive, not %g",
                        spec->integrator.atol);
}

/* The resolution of the times has to allow steps of this length. */
static void prepare_check_max_step(const Simulation *s, const JobSpec *spec, Diagnostics *diag)
{
    const double rounding = DBL_EPSILON * fmax(fabs(s->times.t0), fabs(s->times.end));

    if (spec->integrator.max_step == 0 || !s->integration.method)
        return;
    if (ode_method_fixed_step(s->integration.method))
        diagnostics_add(diag, "/integrator/max_step", -1, "\"step\" is what bounds it",
                        "the method %s has a fixed step", spec->integrator.method);
    else if (!(spec->integrator.max_step > 100 * rounding) || !isfinite(spec->integrator.max_step))
        diagnostics_add(diag, "/integrator/max_step", -1, NULL,
                        "max_step must be positive, and more than the rounding of the times "
                        "(%.3g), not %g",
                        100 * rounding, spec->integrator.max_step);
}

/* The job's limit of steps or the default, but never more than the service allows. */
static uint64_t step_budget(const JobSpec *spec, const SimulationLimits *limits)
{
    if (spec->integrator.max_steps)
        return spec->integrator.max_steps;
    bool tight = limits && limits->max_steps && limits->max_steps < DEFAULT_MAX_STEPS;
    return tight ? limits->max_steps : DEFAULT_MAX_STEPS;
}

static void prepare_integrator(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                               Diagnostics *diag)
{
    prepare_check_tolerances(spec, diag);
    s->integration.method = ode_method_find(spec->integrator.method);
    const bool automatic = strcmp(spec->integrator.method, "auto") == 0;
    /* the options of the drive; "auto" may switch to bdf */
    s->integration.projection = spec->integrator.projection;
    s->integration.options = (OdeOptions){.rtol = spec->integrator.rtol,
                                          .atol = job_spec_atol(spec),
                                          .step = spec->integrator.step,
                                          .max_step = spec->integrator.max_step,
                                          .max_steps = step_budget(spec, limits),
                                          .max_breaks = MOST_BREAKS,
                                          .stiff = automatic ? ode_method_find("bdf") : NULL};
    /* the method has to exist, and needs a step size exactly if it does not control its steps */
    if (!s->integration.method) {
        const char *const *names;
        size_t n = ode_method_names(&names);
        unknown_name(diag, "/integrator/method", "method", spec->integrator.method, names, n);
    } else if (ode_method_fixed_step(s->integration.method) &&
               !(spec->integrator.step > 0 && isfinite(spec->integrator.step))) {
        diagnostics_add(diag, "/integrator/step", -1, "for example \"step\": 0.001",
                        "the method %s needs a positive \"step\"", spec->integrator.method);
    } else if (!ode_method_fixed_step(s->integration.method) && spec->integrator.step != 0) {
        diagnostics_add(diag, "/integrator/step", -1,
                        "leave \"step\" out, or choose a method of fixed step",
                        "the method %s chooses its steps itself", spec->integrator.method);
    }
    if (limits && limits->max_steps && spec->integrator.max_steps > limits->max_steps)
        diagnostics_add(
            diag, "/integrator/max_steps", -1, NULL, "%llu steps are more than the limit of %llu",
            (unsigned long long)spec->integrator.max_steps, (unsigned long long)limits->max_steps);
}

static Status prepare_memory(Simulation *s, Compiled *compiled, Error *err)
{
    const Model *model = compiled->model;
    const size_t n = model->n;

    s->compiled = compiled_ref(compiled);
    s->arena = arena_new(ARENA_BYTES);
    s->params = arena_copy_doubles(s->arena, model->param_values, model->n_params);
    s->start.q = arena_doubles(s->arena, n);
    s->start.v = arena_doubles(s->arena, n);
    s->start.rows = arena_sizes(s->arena, model->r);
    return arena_status(s->arena, err);
}

static void read_parameters(Simulation *s, const JobSpec *spec, Diagnostics *diag)
{
    const NamedTargets parameters = parameter_targets(s->compiled->model);

    named_values_assign(spec->parameters, spec->n_parameters, &parameters, s->params, NULL, diag);
}

static Status take_observed(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const ObservedOf of = simulation_observed_of(s);
    return observed_new(&of, spec, diag, &s->observed, err);
}

/* Reads the document member by member, before any state is examined. spec: adapted. */
static Status prepare_document(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                               Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;

    read_parameters(s, spec, diag);
    prepare_integrator(s, spec, limits, diag);
    Status status = nominal_read(s, spec, diag, err);
    if (status != OK)
        return status;
    /* times; later parts are checked even if the times have mistakes */
    status =
        sample_times_init(&s->times, spec, limits ? limits->max_samples : 0, s->arena, diag, err);
    prepare_check_max_step(s, spec, diag);
    if (status == OK || status == ERR_INVALID)
        status = tables_name(s, spec, diag, err);
    if (status == OK)
        status = analyses_choose(model, spec, s->arena, &s->analyses, &s->n_analyses, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = sensitivities_read(s, spec, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = take_observed(s, spec, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = reductions_read(s, spec, diag, err);
    return status;
}

/* Compiles expressions that depend on the motion's own columns, after the motion was chosen. */
static Status take_own_columns(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    Status status = OK;

    if (observed_is_stale(s->observed, s->motion)) {
        observed_free(s->observed);
        s->observed = NULL;
        status = take_observed(s, spec, diag, err);
    }
    if (status == OK || status == ERR_INVALID) {
        const Status reduced = reductions_take_motion(s, spec, diag, err);
        status = status == OK ? reduced : status;
    }
    return status;
}

/* Prepares the parts that depend on the initial state. `status`: that of the parts before. It
 * continues after mistakes, so that a client learns of all at once. `before`: number of mistakes
 * when the job was begun. */
static Status prepare_state(Simulation *s, const JobSpec *spec, Status status, size_t before,
                            Diagnostics *diag, Error *err)
{
    if (status == OK || status == ERR_INVALID) {
        status = OK;
        if (s->eval)
            model_eval_renew(s->eval, s->params);
        else
            status = model_eval_new(s->compiled->programs, s->params, &s->eval, err);
        if (status == OK)
            status = prepare_initial_state(s, spec, diag, err);
    }
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job has mistakes");
    if (status == OK)
        status = initial_motion_choose(s, spec, diag, err);
    if (status == OK)
        status = take_own_columns(s, spec, diag, err);
    if (status == OK)
        status = sensitivities_start(s, spec, diag, err);
    if (status == OK && s->boundary)
        status = boundary_check(s, diag, err);
    /* columns are named, and their mistakes told, whatever has failed before */
    Status named = columns_name(s, spec, diag, err);
    if (status == OK && named == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job has mistakes");
    if (status == OK && named == OK && !s->brief)
        status = choices_list(s, spec, &s->choices, err);
    return status != OK ? status : named;
}

static void forget_state(Simulation *s)
{
    const Model *model = s->compiled->model;

    arena_release(s->arena, s->document);
    s->motion = NULL;
    s->start.dependent = NULL;
    s->start.note = NULL;
    s->start.held = NULL;
    s->start.multipliers = s->start.guess = s->start.chart = NULL;
    s->start.report = (InitialReport){0};
    s->start.equilibrium = s->start.change = NULL;
    s->choices = NULL;
    s->sensitivities = NULL;
    memcpy(s->params, model->param_values, model->n_params * sizeof *s->params);
    memset(s->start.q, 0, model->n * sizeof *s->start.q);
    memset(s->start.v, 0, model->n * sizeof *s->start.v);
}

/* Reads the numbers of a document that is known already. */
static Status prepare_numbers(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                              Diagnostics *diag, Error *err)
{
    read_parameters(s, spec, diag);
    Status status =
        sample_times_init(&s->times, spec, limits ? limits->max_samples : 0, s->arena, diag, err);
    prepare_check_max_step(s, spec, diag);
    if (status == OK || status == ERR_INVALID)
        status = tables_name(s, spec, diag, err);
    if (status == OK)
        status = sensitivities_read(s, spec, diag, err);
    observed_rebind(s->observed);
    reductions_rebind(s->reductions);
    return status;
}

/* Marks the arena: the memory before the mark stays while the job's numbers change. */
static void keep_names(Simulation *s)
{
    s->columns.first = (ColumnNames){.of = s->columns.of,
                                     .names = s->columns.names,
                                     .n = s->columns.n,
                                     .n_sensitivities = s->columns.n_sensitivities};
    s->document = arena_mark(s->arena);
}

Status simulation_prepare_again(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                                Diagnostics *diag, Error *err)
{
    const double start = simulation_clock(s);
    const size_t before = diag->total;

    if (!s->columns.first.of && s->columns.of)
        keep_names(s);
    forget_state(s);
    Status status = prepare_numbers(s, spec, limits, diag, err);
    status = prepare_state(s, spec, status, before, diag, err);
    s->seconds_prepare = simulation_clock(s) - start;
    return status;
}

static Status prepared_new(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                           Simulation **ret_simulation, Error *err)
{
    Simulation *s = alloc_array(1, sizeof *s);
    if (!s)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = prepare_memory(s, compiled, err);
    if (status != OK) {
        prepared_free(s);
        return status;
    }
    s->n_observe = spec->n_observe;
    s->brief = spec->brief;
    s->integration.max_event_rows = limits ? limits->max_event_rows : 0;
    *ret_simulation = s;
    return OK;
}

Status simulation_prepare(Compiled *compiled, const JobSpec *asked, const SimulationLimits *limits,
                          Diagnostics *diag, Simulation **ret_simulation, Error *err)
{
    const double start = clock_seconds();
    const size_t before = diag->total;
    Simulation *s = NULL;
    JobSpec spec;

    Status status = prepared_new(compiled, asked, limits, &s, err);
    if (status != OK)
        return status;
    /* the document, which a job that differs in numbers does not read again, then the state */
    boundary_adapt(asked, compiled->formulation->name, &spec, diag);
    status = prepare_document(s, &spec, limits, diag, err);
    s->document = arena_mark(s->arena);
    status = prepare_state(s, &spec, status, before, diag, err);
    s->seconds_prepare = clock_seconds() - start;
    if (status == OK)
        *ret_simulation = s;
    else
        prepared_free(s);
    return status;
}

Status simulation_read(Compiled *compiled, const JobSpec *asked, const SimulationLimits *limits,
                       Diagnostics *diag, Simulation **ret_simulation, Error *err)
{
    const size_t before = diag->total;
    Simulation *s = NULL;
    JobSpec own, *spec = &own;

    Status status = prepared_new(compiled, asked, limits, &s, err);
    if (status != OK)
        return status;
    /* read the document and all names, but no state */
    boundary_adapt(asked, compiled->formulation->name, spec, diag);
    status = prepare_document(s, spec, limits, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = initial_names_check(s, spec, diag, err);
    Status named = columns_name(s, spec, diag, err);
    if (status == OK && named == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job has mistakes");
    status = status != OK ? status : named;
    if (status == OK)
        *ret_simulation = s;
    else
        prepared_free(s);
    return status;
}
