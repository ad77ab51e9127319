/* One claimed job from its document to its stored end: prepared, integrated with rows going to the
 * store, finished or put back. */
#include "server/job_run.h"

#include <stdio.h>
#include <string.h>

#include "api/json/writer.h"
#include "api/prepared_jobs.h"
#include "core/base/clock.h"
#include "server/result_hash.h"

/* A run in progress, on the worker's stack. */
typedef struct JobRun {
    const JobRunContext *ctx;
    const JobLease *lease;
    Arena *arena;
    Diagnostics diag;
    double deadline; /* of clock_seconds() */
    PreparedJob job;
    size_t n_columns;
    uint64_t rows; /* of all tables */
    ResultHash hash;
    bool put_back; /* it was told to end so that its job is queued again */
} JobRun;

/* As the submission prepared it, if that is still in memory. Else the same checks as then: they pass again,
 * unless another version of this program checks better. */
static Status job_run_prepare(JobRun *run, Error *err)
{
    const JobLease *lease = run->lease;
    if (prepared_jobs_take(run->ctx->setting->prepared, lease->job.id, &run->job))
        return OK;
    const JobSource source = {.bytes = lease->request,
                              .size = lease->request_size,
                              .model_id = lease->job.model_id,
                              .formulation = lease->job.formulation};
    Status status =
        prepared_job_init(&run->job, run->ctx->setting, &source, run->arena, &run->diag, NULL, err);
    if (status != OK && (run->diag.no_memory || arena_failed(run->arena)))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return status;
}

static const char *names_json(Arena *arena, const char *const *names, size_t n)
{
    Text text = TEXT_INIT;
    JsonWriter writer;
    json_writer_init(&writer, &text);
    json_open_array(&writer);
    json_put_strings(&writer, names, n);
    json_close_array(&writer);
    const char *copy = text_ok(&text) ? arena_strdup(arena, text_string(&text)) : NULL;
    text_done(&text);
    return copy;
}

static Status begin_result(JobRun *run, Error *err)
{
    const char *const *columns, *const *tables;
    run->n_columns = simulation_columns(run->job.simulation, &columns);
    size_t n_tables = simulation_tables(run->job.simulation, &tables);
    const char *columns_json = names_json(run->arena, columns, run->n_columns);
    const char *tables_json = names_json(run->arena, tables, n_tables);
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

static void on_progress(void *self, double fraction, double t, uint64_t steps)
{
    JobRun *run = self;
    run->ctx->progress(run->ctx->self, "integrating", fraction, t, steps);
}

static Status on_poll(void *self, Error *err)
{
    JobRun *run = self;
    const JobLease *lease = run->lease;
    /* a wish to cancel goes before one to stop: the job would only come back to be cancelled */
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

static const char *failure_title(const char *reason)
{
    static const struct {
        const char *reason, *title;
    } TITLES[] = {{"model", "The document cannot be simulated"},
                  {"numeric", "The motion cannot be continued"},
                  {"limit", "A limit was met"},
                  {"timeout", "The job ran out of time"}};
    for (size_t i = 0; i < sizeof TITLES / sizeof TITLES[0]; i++)
        if (strcmp(TITLES[i].reason, reason) == 0)
            return TITLES[i].title;
    return "An error inside the service";
}

/* The texts of a JobFinish. */
typedef struct FinishTexts {
    Text error, diagnostics, invariants, warnings;
} FinishTexts;

static void write_warnings(const JobRun *run, const SimulationResult *result, Text *out)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_array(&writer);
    json_put_strings(&writer, run->job.input.warnings, run->job.input.n_warnings);
    if (result)
        json_put_strings(&writer, result->warnings, result->n_warnings);
    json_close_array(&writer);
}

static void finish_texts_done(FinishTexts *texts)
{
    text_done(&texts->error);
    text_done(&texts->diagnostics);
    text_done(&texts->invariants);
    text_done(&texts->warnings);
}

static Status store_finish(JobRun *run, const JobFinish *finish, const FinishTexts *texts,
                           JobOutcome *outcome, Error *err)
{
    if (!text_ok(&texts->error) || !text_ok(&texts->diagnostics) || !text_ok(&texts->invariants) ||
        !text_ok(&texts->warnings))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    outcome->state = finish->state;
    if (finish->reason)
        snprintf(outcome->reason, sizeof outcome->reason, "%s", finish->reason);
    return store_job_finish(run->ctx->store, run->lease->job.id, run->lease->token, finish, err);
}

/* For what is told of the end there is no memory: the reason has to do. */
static Status finish_without_words(JobRun *run, JobOutcome *outcome, Error *err)
{
    const JobFinish finish = {.state = JOB_FAILED, .reason = "internal"};
    const FinishTexts none = {0};
    return store_finish(run, &finish, &none, outcome, err);
}

/* Ends a job that has no result to tell of. */
static Status finish_failed(JobRun *run, const char *reason, const char *detail,
                            const Diagnostics *diag, JobOutcome *outcome, Error *err)
{
    FinishTexts texts = {0};
    char instance[sizeof "/v1/jobs/" + JOB_ID_MAX];
    snprintf(instance, sizeof instance, "/v1/jobs/%s", run->lease->job.id);
    problem_write(&texts.error, strcmp(reason, "internal") == 0 ? 500 : 422, reason,
                  failure_title(reason), diag && diag->total > 0 ? NULL : detail, instance, diag);
    write_warnings(run, NULL, &texts.warnings);
    JobFinish finish = {.state = JOB_FAILED,
                        .reason = reason,
                        .error = text_string(&texts.error),
                        .warnings = text_string(&texts.warnings)};
    Status status = store_finish(run, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

static Status finish_cancelled(JobRun *run, JobOutcome *outcome, Error *err)
{
    FinishTexts texts = {0};
    JobFinish finish = {.state = JOB_CANCELLED};
    return store_finish(run, &finish, &texts, outcome, err);
}

static Status job_run_release(JobRun *run, JobOutcome *outcome, Error *err)
{
    Status status = store_job_release(run->ctx->store, run->lease->job.id, run->lease->token, err);
    outcome->released = status == OK;
    return status;
}

/* Ends a job whose integration came to an end, whichever. */
static Status finish_result(JobRun *run, const SimulationResult *result, JobOutcome *outcome,
                            Error *err)
{
    FinishTexts texts = {0};
    char hash[HASH_TEXT_MAX];
    JobFinish finish = {.state = JOB_SUCCEEDED, .complete = result->complete};
    /* how it ended */
    if (result->status == ERR_CANCELLED) {
        finish.state = JOB_CANCELLED;
    } else if (result->status != OK) {
        finish.state = JOB_FAILED;
        finish.reason = result->reason ? result->reason : "internal";
        problem_write(&texts.error, strcmp(finish.reason, "internal") == 0 ? 500 : 422,
                      finish.reason, failure_title(finish.reason), result->message,
                      arena_printf(run->arena, "/v1/jobs/%s", run->lease->job.id), NULL);
        finish.error = text_string(&texts.error);
    }
    run->ctx->progress(run->ctx->self, "storing", finish.complete ? 1.0 : -1.0, result->t_reached,
                       result->accepted);
    /* what is told of it, stored with its last rows in one transaction */
    diagnostics_write(&texts.diagnostics, result);
    invariants_write(&texts.invariants, result);
    write_warnings(run, result, &texts.warnings);
    result_hash_finish(&run->hash, hash);
    finish.diagnostics = text_string(&texts.diagnostics);
    finish.invariants = text_string(&texts.invariants);
    finish.warnings = text_string(&texts.warnings);
    finish.result_hash = hash;
    Status status = store_finish(run, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

static Status job_run_integrate(JobRun *run, JobOutcome *outcome, Error *err)
{
    SimulationSink sink = {run, on_rows, on_progress, on_poll};
    SimulationResult result;
    Error failure = {0};
    Status status = begin_result(run, &failure);
    if (status == OK)
        status = simulation_run(run->job.simulation, &sink, &result, &failure);
    outcome->rows = run->rows;
    if (status == OK && result.status == ERR_CANCELLED && run->put_back)
        return job_run_release(run, outcome, err);
    if (status == OK)
        return finish_result(run, &result, outcome, err);
    if (status == ERR_NO_SPACE || status == ERR_IO || status == ERR_CONFLICT)
        return error_set(err, status, "%s", failure.message);
    return finish_failed(run, status == ERR_LIMIT ? "limit" : "internal", failure.message, NULL,
                         outcome, err);
}

Status job_run(const JobRunContext *ctx, const JobLease *lease, Arena *arena,
               JobOutcome *ret_outcome, Error *err)
{
    JobRun run = {.ctx = ctx,
                  .lease = lease,
                  .arena = arena,
                  .deadline = clock_seconds() + (double)lease->job.timeout_ms / 1e3};
    Error failure = {0};
    Status status;
    *ret_outcome = (JobOutcome){0};
    diagnostics_init(&run.diag, arena);
    ctx->progress(ctx->self, "deriving", 0.0, 0.0, 0);
    if (store_job_stop_wanted(ctx->store, lease->job.id, lease->token))
        return finish_cancelled(&run, ret_outcome, err);
    status = lease->request ? job_run_prepare(&run, &failure)
                            : error_set(&failure, ERR_DAMAGED, "the stored request is damaged");
    if (status == OK)
        status = job_run_integrate(&run, ret_outcome, err);
    else if (status == ERR_NO_MEMORY || status == ERR_INTERNAL || status == ERR_DAMAGED)
        status = finish_failed(&run, "internal", failure.message, NULL, ret_outcome, err);
    else if (status == ERR_IO)
        status = error_set(err, ERR_IO, "%s", failure.message);
    else
        status = finish_failed(&run, "model", failure.message, &run.diag, ret_outcome, err);
    if (status == ERR_NO_MEMORY)
        status = finish_without_words(&run, ret_outcome, err);
    prepared_job_done(&run.job);
    return status;
}
