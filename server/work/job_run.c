/* One claimed job from its document to its stored end: prepared, integrated while the store takes
 * its rows, finished or put back. */
#include "server/work/job_run.h"

#include "api/documents/column_list.h"
#include "api/prepared_jobs.h"
#include "core/base/clock.h"
#include "core/base/stop_token.h"
#include "server/work/result_hash.h"

/* A run in progress, on the worker's stack. */
typedef struct JobRun {
    const JobRunContext *ctx;
    const JobLease *lease;
    Arena *arena;
    Diagnostics diag;
    double since, deadline; /* of clock_seconds() */
    PreparedJob job;
    size_t n_columns;
    uint64_t rows; /* of all tables */
    ResultHash hash;
    bool put_back; /* it was stopped so that its job is queued again */
} JobRun;

static Status begin_result(JobRun *run, Error *err)
{
    const char *const *columns, *const *tables;
    run->n_columns = simulation_columns(run->job.simulation, &columns);
    size_t n_tables = simulation_tables(run->job.simulation, &tables);
    const char *const *units = simulation_units(run->job.simulation);
    const char *columns_json = column_list_write(columns, units, run->n_columns, run->arena);
    const char *tables_json = json_strings_text(run->arena, tables, n_tables);
    if (!columns_json || !tables_json)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const JobLease *lease = run->lease;
    Status status = store_result_begin(run->ctx->store, lease->job.id, lease->token, columns_json,
                                       tables_json, err);
    if (status == OK)
        status = result_hash_init(&run->hash, n_tables, run->arena, err);
    return status;
}

static Status on_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    JobRun *run = self;
    const JobLease *lease = run->lease;
    result_hash_add(&run->hash, table, rows, n_rows * run->n_columns);
    run->rows += n_rows;
    return store_result_append(run->ctx->store, lease->job.id, lease->token, table, rows, n_rows,
                               run->n_columns, err);
}

/* The table after those of the events. It belongs neither to the result nor to its hash. */
static Status on_evidence(void *self, const double *row, size_t n, Error *err)
{
    const JobRun *run = self;
    const JobLease *lease = run->lease;
    const char *const *tables;
    const int table = (int)simulation_tables(run->job.simulation, &tables);
    return store_result_append(run->ctx->store, lease->job.id, lease->token, table, row, 1, n, err);
}

static void on_progress(void *self, double fraction, double t, uint64_t steps)
{
    JobRun *run = self;
    run->ctx->progress(run->ctx->self, "integrating", fraction, t, steps);
}

static Status on_poll(void *self, Error *err)
{
    JobRun *run = self;
    const JobLease *lease = run->lease;
    /* a cancellation goes before a stop: the job would only come back to be cancelled */
    if (store_job_stop_wanted(run->ctx->store, lease->job.id, lease->token))
        return error_set(err, ERR_CANCELLED, "cancelled");
    run->put_back = atomic_load_explicit(run->ctx->put_back, memory_order_relaxed);
    if (run->put_back)
        return error_set(err, ERR_CANCELLED, "put back");
    if (clock_seconds() > run->deadline)
        return error_set(err, ERR_TIMEOUT, "the job ran longer than its timeout of %.15g s",
                         (double)lease->job.timeout_ms / 1e3);
    return OK;
}

/* Takes the job as its submission prepared it, if it is still in memory. Otherwise the same checks
 * are made again; they pass, unless another version of this program checks better. */
static Status job_run_prepare(JobRun *run, Error *err)
{
    const JobLease *lease = run->lease;
    StopToken stop_token;
    if (prepared_jobs_take(run->ctx->setting->prepared, lease->job.id, &run->job))
        return OK;
    stop_token_begin(&stop_token, on_poll, run);
    Status status = job_prepare(run->ctx->setting, lease, run->arena, &run->diag, &run->job, err);
    stop_token_end(&stop_token);
    return status;
}

static Status finish_cancelled(JobRun *run, JobOutcome *outcome, Error *err)
{
    const FinishTexts none = {0};
    const JobFinish finish = {.state = JOB_CANCELLED};
    return job_end(run->ctx, run->lease, &finish, &none, outcome, err);
}

static Status job_run_release(JobRun *run, JobOutcome *outcome, Error *err)
{
    Status status = store_job_release(run->ctx->store, run->lease->job.id, run->lease->token, err);
    outcome->released = status == OK;
    return status;
}

/* Ends or puts back a job that was stopped before it had a result. */
static Status end_stopped(JobRun *run, Status why, const Error *failure, JobOutcome *outcome,
                          Error *err)
{
    if (why == ERR_TIMEOUT)
        return job_end_failed(run->ctx, run->lease, "timeout", failure->message, NULL,
                              &run->job.input, outcome, err);
    return run->put_back ? job_run_release(run, outcome, err) : finish_cancelled(run, outcome, err);
}

/* Whether every run gives the same result: no part of it ended because time was up. */
static bool says_the_same_again(const SimulationResult *result)
{
    bool whole = result->end.status == OK && result->end.complete &&
                 (!result->second.accuracy || result->second.accuracy->finer.status == OK);
    for (size_t k = 0; k < result->second.n_comparisons; k++)
        whole = whole && result->second.comparisons[k].status == OK;
    return whole;
}

static void write_digest(const JobRun *run, const SimulationResult *result, Text *out)
{
    const VerdictCounts verdicts = verdicts_count(result->found.verdicts, result->found.n_verdicts);
    const JobDigest digest = {.steps = result->steps.accepted,
                              .worst_residual = simulation_worst_residual(result),
                              .energy_balance = result->energy.balance_scaled,
                              .verdicts = &verdicts,
                              .ended_by = result->end.stopped_by,
                              .wall_s = clock_seconds() - run->since};
    job_digest_write(out, &digest);
}

/* Ends a job after its integration, with any outcome. */
static Status finish_result(JobRun *run, const SimulationResult *result, JobOutcome *outcome,
                            Error *err)
{
    FinishTexts texts = {0};
    char hash[HASH_TEXT_MAX];
    JobFinish finish = {.state = JOB_SUCCEEDED, .complete = result->end.complete};
    /* the state of the job */
    if (result->end.status == ERR_CANCELLED) {
        finish.state = JOB_CANCELLED;
    } else if (result->end.status != OK) {
        finish.state = JOB_FAILED;
        finish.reason = result->end.reason ? result->end.reason : "internal";
        job_problem(&texts.error, run->lease, finish.reason, result->end.message, NULL);
        finish.error = text_string(&texts.error);
    }
    run->ctx->progress(run->ctx->self, "storing", finish.complete ? 1.0 : -1.0, result->end.t,
                       result->steps.accepted);
    /* the evidence, stored with the last rows in one transaction */
    diagnostics_write(&texts.diagnostics, result, run->ctx->setting->origin);
    invariants_write(&texts.invariants, result);
    job_warnings(&texts.warnings, &run->job.input, result->warnings, result->n_warnings);
    write_digest(run, result, &texts.digest);
    result_hash_finish(&run->hash, hash);
    finish.diagnostics = text_string(&texts.diagnostics);
    finish.invariants = text_string(&texts.invariants);
    finish.warnings = text_string(&texts.warnings);
    finish.result_hash = hash;
    finish.digest = text_string(&texts.digest);
    finish.program = says_the_same_again(result) ? origin_program(run->ctx->setting->origin) : NULL;
    Status status = job_end(run->ctx, run->lease, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

static Status job_run_integrate(JobRun *run, JobOutcome *outcome, Error *err)
{
    const SimulationSink sink = {.self = run,
                                 .rows = on_rows,
                                 .progress = on_progress,
                                 .poll = on_poll,
                                 .evidence = on_evidence};
    SimulationResult result;
    Error failure = {0};
    /* integrate the motion */
    Status status = begin_result(run, &failure);
    if (status == OK)
        status = simulation_run(run->job.simulation, &sink, &result, &failure);
    outcome->rows = run->rows;
    /* put the job back, or store its end */
    if (status == OK && result.end.status == ERR_CANCELLED && run->put_back)
        return job_run_release(run, outcome, err);
    if (status == OK)
        return finish_result(run, &result, outcome, err);
    if (status == ERR_TIMEOUT || status == ERR_CANCELLED)
        return end_stopped(run, status, &failure, outcome, err);
    if (status == ERR_NO_SPACE || status == ERR_IO || status == ERR_CONFLICT)
        return error_set(err, status, "%s", failure.message);
    return job_end_failed(run->ctx, run->lease, status == ERR_LIMIT ? "limit" : "internal",
                          failure.message, NULL, &run->job.input, outcome, err);
}

Status job_run(const JobRunContext *ctx, const JobLease *lease, Arena *arena,
               JobOutcome *ret_outcome, Error *err)
{
    JobRun run = {.ctx = ctx, .lease = lease, .arena = arena, .since = clock_seconds()};
    Error failure = {0};
    Status status;
    run.deadline = run.since + (double)lease->job.timeout_ms / 1e3;
    *ret_outcome = (JobOutcome){0};
    diagnostics_init(&run.diag, arena);
    ctx->progress(ctx->self, "deriving", 0.0, 0.0, 0);
    /* a cancelled job is not begun */
    if (store_job_stop_wanted(ctx->store, lease->job.id, lease->token))
        return finish_cancelled(&run, ret_outcome, err);
    /* prepare and integrate */
    status = job_run_prepare(&run, &failure);
    if (status == OK)
        status = job_run_integrate(&run, ret_outcome, err);
    else if (status == ERR_TIMEOUT || status == ERR_CANCELLED)
        status = end_stopped(&run, status, &failure, ret_outcome, err);
    else
        status = job_end_unprepared(ctx, lease, status, &failure, &run.diag, &run.job.input,
                                    ret_outcome, err);
    if (status == ERR_NO_MEMORY)
        status = job_end_without_words(ctx, lease, ret_outcome, err);
    prepared_job_done(&run.job);
    return status;
}
