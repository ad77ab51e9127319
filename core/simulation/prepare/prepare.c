#include "core/simulation/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/simulation/analyses/analyses.h"
#include "core/simulation/prepare/boundary.h"
#include "core/simulation/prepare/initial_chart.h"
#include "core/simulation/prepare/initial_motion.h"
#include "core/simulation/prepare/named_values.h"
#include "core/simulation/prepare/sensitivities.h"
#include "core/simulation/second_opinion.h"

enum { DEFAULT_MAX_STEPS = 10000000 };
enum { ARENA_BYTES = 64 << 20 };

static void free_one(Simulation *s)
{
    boundary_free(s->boundary);
    observed_free(s->observed);
    model_eval_free(s->eval);
    times_done(&s->times);
    compiled_unref(s->compiled);
    free(s->params);
    free(s->rows);
    arena_free(s->arena);
    free(s);
}

void simulation_free(Simulation *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_others; i++)
        free_one(s->others[i]);
    if (s->finer)
        free_one(s->finer);
    free_one(s);
}

size_t simulation_columns(const Simulation *simulation, const char *const **ret_names)
{
    *ret_names = simulation->columns;
    return simulation->n_columns;
}

size_t simulation_tables(const Simulation *simulation, const char *const **ret_names)
{
    *ret_names = simulation->tables;
    return simulation->n_events;
}

uint64_t simulation_n_samples(const Simulation *simulation)
{
    return simulation->times.n;
}

/* The report's texts live with the request: the run outlives it. */
static Status keep_redundancies(Simulation *s, Error *err)
{
    const size_t n = s->report.n_redundant;
    const char **texts = arena_alloc(s->arena, n, sizeof *texts);

    for (size_t k = 0; texts && k < n; k++) {
        texts[k] = arena_strdup(s->arena, s->report.redundant_texts[k]);
        if (!texts[k])
            texts = NULL;
    }
    if (!texts)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->report.redundant = NULL;
    s->report.redundant_texts = texts;
    return OK;
}

static Status initial_state(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const char *const *names = model->coordinate_names;
    const size_t before = diag->total;
    bool *given = alloc_array(model->n, sizeof *given);
    if (!given)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Status status = OK;
    if (spec->boundary.given) {
        status = boundary_read(s, spec, diag, err);
        memset(given, true, model->n * sizeof *given);
    } else if (spec->in_chart) {
        status = initial_chart(s, spec, diag, err);
        memset(given, true, model->n * sizeof *given);
    } else {
        assign_values(spec->q, spec->n_q, "coordinate", names, model->n, s->q, NULL, diag);
        assign_values(spec->v, spec->n_v, "coordinate", names, model->n, s->v, given, diag);
    }
    if (status == OK && diag->total == before) {
        InitialState state = {.t = spec->t0,
                              .q = s->q,
                              .v = s->v,
                              .v_given = given,
                              .consistency = spec->consistency,
                              .pointer = spec->boundary.given ? "/boundary/start" : "/initial"};
        s->report.independent = s->rows;
        status = model_initial_state(s->eval, &state, &s->report, diag, err);
    }
    if (status == OK)
        status = keep_redundancies(s, err);
    free(given);
    return status;
}

static void check_tolerances(const JobSpec *spec, Diagnostics *diag)
{
    if (!(spec->rtol >= 1e-14 && spec->rtol <= 0.1))
        diagnostics_add(diag, "/integrator/rtol", -1, NULL, "rtol must be in [1e-14, 0.1], not %g",
                        spec->rtol);
    if (!(spec->atol > 0) || !isfinite(spec->atol))
        diagnostics_add(diag, "/integrator/atol", -1, NULL, "atol must be positive, not %g",
                        spec->atol);
}

/* What the job asks for, or the default: never more than the service allows. */
static uint64_t step_budget(const JobSpec *spec, const SimulationLimits *limits)
{
    if (spec->max_steps)
        return spec->max_steps;
    bool tight = limits && limits->max_steps && limits->max_steps < DEFAULT_MAX_STEPS;
    return tight ? limits->max_steps : DEFAULT_MAX_STEPS;
}

static void integrator(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                       Diagnostics *diag)
{
    check_tolerances(spec, diag);
    s->method = ode_method_find(spec->method);
    s->projection = spec->projection;
    s->options = (OdeOptions){.rtol = spec->rtol,
                              .atol = spec->atol,
                              .step = spec->step,
                              .max_steps = step_budget(spec, limits),
                              .max_breaks = 10000};
    if (!s->method) {
        const char *const *names;
        size_t n = ode_method_names(&names);
        unknown_name(diag, "/integrator/method", "method", spec->method, names, n);
    } else if (ode_method_fixed_step(s->method) && !(spec->step > 0 && isfinite(spec->step))) {
        diagnostics_add(diag, "/integrator/step", -1, "for example \"step\": 0.001",
                        "the method %s needs a positive \"step\"", spec->method);
    } else if (!ode_method_fixed_step(s->method) && spec->step != 0) {
        diagnostics_add(diag, "/integrator/step", -1,
                        "leave \"step\" out, or choose a method of fixed step",
                        "the method %s chooses its steps itself", spec->method);
    }
    if (limits && limits->max_steps && spec->max_steps > limits->max_steps)
        diagnostics_add(diag, "/integrator/max_steps", -1, NULL,
                        "%llu steps are more than the limit of %llu",
                        (unsigned long long)spec->max_steps, (unsigned long long)limits->max_steps);
}

/* The derivatives of the columns before them. */
static void name_sensitivities(Simulation *s)
{
    const size_t n = s->n_columns - s->n_sensitivities;
    const char **next = s->columns + n;

    for (size_t k = 0; s->sensitivities && k < s->sensitivities->m; k++)
        for (size_t c = 1; c < n; c++)
            *next++ =
                arena_printf(s->arena, "d(%s)/d(%s)", s->columns[c], s->sensitivities->paths[k]);
}

/* t, the coordinates, their velocities, the multipliers, the formulation's own, the observables,
 * then the sensitivities. */
static Status name_columns(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n_own = s->motion ? s->motion->n_own : 0; /* unknown after mistakes */
    size_t c = 0;

    s->n_columns = 1 + 2 * model->n + model->r + n_own + spec->n_observe;
    s->n_sensitivities = sensitivities_columns(s->sensitivities, s->n_columns);
    s->n_columns += s->n_sensitivities;
    s->columns = arena_alloc(s->arena, s->n_columns, sizeof *s->columns);
    if (!s->columns)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->columns[c++] = "t";
    for (size_t i = 0; i < model->n; i++)
        s->columns[c++] = arena_strdup(s->arena, model->coordinate_names[i]);
    for (size_t i = 0; i < model->n; i++)
        s->columns[c++] = arena_printf(s->arena, "dot(%s)", model->coordinate_names[i]);
    for (size_t a = 0; a < model->r; a++)
        s->columns[c++] = arena_printf(s->arena, "multiplier(%s)", model->constraints[a].name);
    for (size_t k = 0; k < n_own; k++)
        s->columns[c++] = s->motion->own_names[k];
    for (size_t k = 0; k < spec->n_observe; k++) {
        const NamedText *observe = &spec->observe[k];
        for (size_t i = 0; i < c; i++)
            if (s->columns[i] && strcmp(s->columns[i], observe->name) == 0)
                diagnostics_add(diag, observe->pointer, -1, "choose another name",
                                "there is a column \"%s\" already", observe->name);
        s->columns[c++] = arena_strdup(s->arena, observe->name);
    }
    name_sensitivities(s);
    for (size_t i = 0; i < s->n_columns; i++)
        if (!s->columns[i])
            return error_set(err, ERR_NO_MEMORY, "out of memory");
    return OK;
}

static Status name_tables(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    s->n_events = spec->n_events;
    s->tables = arena_alloc(s->arena, spec->n_events, sizeof *s->tables);
    s->events = arena_alloc(s->arena, spec->n_events, sizeof *s->events);
    if (!s->tables || !s->events)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < spec->n_events; k++) {
        const EventSpec *event = &spec->events[k];
        for (size_t i = 0; i < k; i++)
            if (strcmp(s->tables[i], event->name) == 0)
                diagnostics_add(diag, event->pointer, -1, NULL, "there are two events \"%s\"",
                                event->name);
        if (spec->boundary.given && event->n_set)
            diagnostics_add(diag, event->pointer, -1, "leave out \"set\"",
                            "the event %s changes the state: the path would not reach its end",
                            event->name);
        s->tables[k] = arena_strdup(s->arena, event->name);
        s->events[k] = (EventSpec){.name = s->tables[k],
                                   .direction = event->direction,
                                   .terminal = event->terminal,
                                   .n_set = event->n_set};
        if (!s->tables[k])
            return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    return OK;
}

static Status allocate(Simulation *s, Compiled *compiled, Error *err)
{
    const Model *model = compiled->model;
    const size_t n = model->n;

    s->compiled = compiled_ref(compiled);
    s->arena = arena_new(ARENA_BYTES);
    s->params = alloc_array(model->n_params + 2 * n, sizeof *s->params);
    s->rows = alloc_array(model->r, sizeof *s->rows);
    if (!s->arena || !s->params || !s->rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->q = s->params + model->n_params;
    s->v = s->q + n;
    if (model->n_params)
        memcpy(s->params, model->param_values, model->n_params * sizeof *s->params);
    return OK;
}

static Status prepare(Simulation *s, const JobSpec *asked, const SimulationLimits *limits,
                      Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t before = diag->total;
    JobSpec own, *spec = &own;

    boundary_adapt(asked, s->compiled->formulation->name, spec, diag);
    assign_values(spec->parameters, spec->n_parameters, "parameter", model->param_names,
                  model->n_params, s->params, NULL, diag);
    integrator(s, spec, limits, diag);
    Status status = times_init(&s->times, spec, limits ? limits->max_samples : 0, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = name_tables(s, spec, diag, err);
    if (status == OK)
        status = analyses_choose(model, spec, s->arena, &s->analyses, &s->n_analyses, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = sensitivities_read(s, spec, diag, err);
    if (status == OK || status == ERR_INVALID)
        status = observed_new(model, spec, s->params, s->compiled->formulation->keeps_multipliers,
                              diag, &s->observed, err);
    if (status == OK || status == ERR_INVALID) {
        /* also after mistakes elsewhere: a client wants to hear of all of them at once */
        status = model_eval_new(s->compiled->programs, s->params, &s->eval, err);
        if (status == OK)
            status = initial_state(s, spec, diag, err);
    }
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job has mistakes");
    if (status == OK)
        status = start_choose_motion(s, spec, diag, err);
    if (status == OK)
        status = sensitivities_start(s, spec, diag, err);
    if (status == OK && s->boundary)
        status = boundary_check(s, diag, err);
    Status named = name_columns(s, spec, diag, err);
    if (status == OK && named == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the job has mistakes");
    return status != OK ? status : named;
}

Status simulation_new_one(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                          Diagnostics *diag, Simulation **ret_simulation, Error *err)
{
    const double start = clock_seconds();
    Simulation *s = alloc_array(1, sizeof *s);
    if (!s)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Status status = allocate(s, compiled, err);
    if (status == OK) {
        s->n_observe = spec->n_observe;
        s->max_event_rows = limits ? limits->max_event_rows : 0;
        status = prepare(s, spec, limits, diag, err);
    }
    if (status != OK) {
        free_one(s);
        return status;
    }
    s->seconds_prepare = clock_seconds() - start;
    *ret_simulation = s;
    return OK;
}

static Status check_size(const Simulation *s, const SimulationLimits *limits, Diagnostics *diag,
                         Error *err)
{
    const double bytes = (double)s->times.n * (double)s->n_columns * sizeof(double);

    if (!limits || !limits->max_result_bytes || bytes <= (double)limits->max_result_bytes)
        return OK;
    diagnostics_add(diag, "/time", -1, "ask for fewer samples, or for a shorter motion",
                    "%llu samples of %zu columns are %.3g bytes, more than the limit of %.3g",
                    (unsigned long long)s->times.n, s->n_columns, bytes,
                    (double)limits->max_result_bytes);
    return error_set(err, ERR_INVALID, "the result would be too large");
}

Status simulation_new(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                      Diagnostics *diag, Simulation **ret_simulation, Error *err)
{
    Simulation *s;
    Status status = simulation_new_one(compiled, spec, limits, diag, &s, err);

    if (status != OK)
        return status;
    status = check_size(s, limits, diag, err);
    if (status == OK && (spec->n_compare > 0 || spec->accuracy))
        status = compare_new(s, spec, limits, diag, err);
    if (status == OK)
        *ret_simulation = s;
    else
        simulation_free(s);
    return status;
}

double result_believable(const Simulation *s)
{
    const double rtol = s->options.step > 0 ? 0 : s->options.rtol;
    return fmax(1e-5, rtol * RESULT_TOLERANCES);
}

void result_warn(const Simulation *s, SimulationResult *result, const char *text)
{
    const char **all = arena_alloc(s->arena, result->n_warnings + 1, sizeof *all);

    if (!all || !text)
        return;
    for (size_t i = 0; i < result->n_warnings; i++)
        all[i] = result->warnings[i];
    all[result->n_warnings++] = text;
    result->warnings = all;
}
