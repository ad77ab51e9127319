/* The facade: a job is prepared, then run, alone or with second opinions. */
#include "core/simulate.h"

#include <assert.h>
#include <stdio.h>

#include "core/base/stop_token.h"
#include "core/prepare/column_units.h"
#include "core/prepare/named_values.h"
#include "core/prepare/prepare.h"
#include "core/prepare/reductions.h"
#include "core/prepare/sample_times.h"
#include "core/run/batch/runner.h"
#include "core/run/run.h"
#include "core/run/workspace.h"
#include "core/simulate/second_opinion.h"

void job_spec_init(JobSpec *spec)
{
    *spec = (JobSpec){.formulation = "lagrange-dalembert",
                      .initial.consistency = CONSISTENCY_REQUIRE,
                      .time = {.kind = TIME_SAMPLES, .samples = 201},
                      .integrator.method = "auto",
                      .integrator.rtol = 1e-10,
                      .integrator.projection = true};
}

/* Fraction: a decaying component is followed relative to its value, down to this fraction of its
 * largest value. Convention. */
static const double ATOL_PER_RTOL = 1e-2;

double job_spec_atol(const JobSpec *spec)
{
    return spec->integrator.atol > 0 ? spec->integrator.atol
                                     : ATOL_PER_RTOL * spec->integrator.rtol;
}

static Status check_size(const Simulation *s, const SimulationLimits *limits, Diagnostics *diag,
                         Error *err)
{
    const double bytes = (double)s->times.n * (double)s->columns.n * sizeof(double);

    if (!limits || !limits->max_result_bytes || bytes <= (double)limits->max_result_bytes)
        return OK;
    diagnostics_add(diag, "/time", -1, "ask for fewer samples, or for a shorter motion",
                    "%llu samples of %zu columns are %.3g bytes, more than the limit of %.3g",
                    (unsigned long long)s->times.n, s->columns.n, bytes,
                    (double)limits->max_result_bytes);
    return error_set(err, ERR_INVALID, "the result would be too large");
}

Status simulation_new(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                      Diagnostics *diag, Simulation **ret_simulation, Error *err)
{
    Simulation *s;
    Status status = simulation_prepare(compiled, spec, limits, diag, &s, err);

    if (status != OK)
        return stop_token_settle(status, err);
    status = check_size(s, limits, diag, err);
    if (status == OK && (spec->n_compare > 0 || spec->accuracy))
        status = second_opinion_prepare(s, spec, limits, diag, err);
    status = stop_token_settle(status, err);
    if (status == OK)
        *ret_simulation = s;
    else
        simulation_free(s);
    return status;
}

Status simulation_renew(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                        Diagnostics *diag, Error *err)
{
    assert(!s->boundary && !s->second.finer && s->second.n_others == 0);
    if (!s->workspace && !(s->workspace = run_workspace_new()))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const Status status = simulation_prepare_again(s, spec, limits, diag, err);
    return stop_token_settle(status == OK ? check_size(s, limits, diag, err) : status, err);
}

static Status check_compared(const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    const char *const *names;
    const size_t n = formulation_names(&names);
    char pointer[32];

    for (size_t k = 0; k < spec->n_compare; k++) {
        snprintf(pointer, sizeof pointer, "/compare/%zu", k);
        if (!formulation_find(spec->compare[k]))
            unknown_name(diag, pointer, "formulation", spec->compare[k], names, n);
    }
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "the job has mistakes");
}

Status simulation_check(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                        Dimension *ret_reduced, Diagnostics *diag, Error *err)
{
    Simulation *s = NULL;
    Status status = simulation_read(compiled, spec, limits, diag, &s, err);

    if (status == OK)
        status = check_size(s, limits, diag, err);
    if (status == OK)
        status = check_compared(spec, diag, err);
    for (size_t k = 0; status == OK && k < spec->n_reduce; k++)
        ret_reduced[k] = reductions_dimension(s->reductions, k);
    simulation_free(s);
    return stop_token_settle(status, err);
}

Status simulation_times(const JobSpec *spec, uint64_t most, Arena *arena, const double **ret_times,
                        uint64_t *ret_n, Error *err)
{
    Diagnostics diag;
    SampleTimes times;

    diagnostics_init(&diag, arena);
    const Status status = sample_times_init(&times, spec, 0, arena, &diag, err);
    if (status != OK)
        return status;
    *ret_n = times.n;
    *ret_times = NULL;
    /* too many to list: their number is the answer */
    if (times.n > most)
        return OK;
    double *t = arena_doubles(arena, (size_t)times.n);
    for (size_t k = 0; t && k < times.n; k++)
        t[k] = sample_times_at(&times, k);
    *ret_times = t;
    return arena_status(arena, err);
}

double simulation_time(const JobSpec *spec, uint64_t k)
{
    SampleTimes times = sample_times_of(spec);

    return sample_times_at(&times, (size_t)k);
}

void simulation_free(Simulation *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->second.n_others; i++)
        prepared_free(s->second.others[i]);
    prepared_free(s->second.finer);
    run_workspace_free(s->workspace);
    prepared_free(s);
}

size_t simulation_columns(const Simulation *simulation, const char *const **ret_names)
{
    *ret_names = simulation->columns.names;
    return simulation->columns.n;
}

const char *const *simulation_units(const Simulation *simulation)
{
    return simulation->columns.units ? simulation->columns.units->texts : NULL;
}

size_t simulation_tables(const Simulation *simulation, const char *const **ret_names)
{
    *ret_names = simulation->columns.tables;
    return simulation->n_events;
}

uint64_t simulation_n_samples(const Simulation *simulation)
{
    return simulation->times.n;
}

Status simulation_run(Simulation *simulation, const SimulationSink *sink,
                      SimulationResult *ret_result, Error *err)
{
    StopToken stop_token;

    stop_token_begin(&stop_token, sink->poll, sink->self);
    Status status = simulation->second.n_others || simulation->second.finer
                        ? second_opinion_run(simulation, sink, ret_result, err)
                        : run_motion(simulation, sink, ret_result, err);
    if (status != OK)
        status = stop_token_settle(status, err);
    stop_token_end(&stop_token);
    return status;
}

Status simulations_run(const SimulationQueue *queue, size_t lanes, Error *err)
{
    return batches_run(queue, lanes, err);
}

double simulation_worst_residual(const SimulationResult *result)
{
    double worst = 0;
    for (size_t k = 0; k < result->n_constraints; k++)
        worst = fmax(worst, result->constraints[k].max);
    return worst;
}
