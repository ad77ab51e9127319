/* Preparing claimed jobs, and storing their ends. */
#include "server/work/job_end.h"

#include <stdio.h>

#include "api/errors.h"
#include "api/prepared_jobs.h"

Status job_prepare(const JobSetting *setting, const JobLease *lease, Arena *arena,
                   Diagnostics *diag, PreparedJob *ret_job, Error *err)
{
    const JobSource source = {.bytes = lease->request,
                              .size = lease->request_size,
                              .model_id = lease->job.model_id,
                              .formulation = lease->job.formulation};
    JobSetting own = *setting; /* with the store as the job's tenant sees it */
    own.store.tenant = lease->tenant;
    if (!lease->request)
        return error_set(err, ERR_DAMAGED, "the stored request is damaged");
    Status status = prepared_job_init(ret_job, &own, &source, arena, diag, NULL, err);
    if (status != OK && (diag->no_memory || arena_failed(arena)))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return status;
}

void job_problem(Text *out, const JobLease *lease, const char *reason, const char *detail,
                 const Diagnostics *diag)
{
    char instance[sizeof "/v1/jobs/" + JOB_ID_MAX];
    snprintf(instance, sizeof instance, "/v1/jobs/%s", lease->job.id);
    problem_write(out, failure_status(reason), reason, failure_title(reason),
                  diag && diag->total > 0 ? NULL : detail, instance, diag);
}

void job_warnings(Text *out, const JobInput *input, const char *const *warnings, size_t n)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_array(&writer);
    json_put_strings(&writer, input->warnings, input->n_warnings);
    json_put_strings(&writer, warnings, n);
    json_close_array(&writer);
}

void finish_texts_done(FinishTexts *texts)
{
    text_done(&texts->error);
    text_done(&texts->diagnostics);
    text_done(&texts->invariants);
    text_done(&texts->warnings);
    text_done(&texts->digest);
}

Status job_end(const JobRunContext *ctx, const JobLease *lease, const JobFinish *finish,
               const FinishTexts *texts, JobOutcome *outcome, Error *err)
{
    if (!text_ok(&texts->error) || !text_ok(&texts->diagnostics) || !text_ok(&texts->invariants) ||
        !text_ok(&texts->warnings) || !text_ok(&texts->digest))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    outcome->state = finish->state;
    if (finish->reason)
        snprintf(outcome->reason, sizeof outcome->reason, "%s", finish->reason);
    return store_job_finish(ctx->store, lease->job.id, lease->token, finish, err);
}

Status job_end_without_words(const JobRunContext *ctx, const JobLease *lease, JobOutcome *outcome,
                             Error *err)
{
    const JobFinish finish = {.state = JOB_FAILED, .reason = "internal"};
    const FinishTexts none = {0};
    return job_end(ctx, lease, &finish, &none, outcome, err);
}

Status job_end_failed(const JobRunContext *ctx, const JobLease *lease, const char *reason,
                      const char *detail, const Diagnostics *diag, const JobInput *input,
                      JobOutcome *outcome, Error *err)
{
    FinishTexts texts = {0};
    job_problem(&texts.error, lease, reason, detail, diag);
    job_warnings(&texts.warnings, input, NULL, 0);
    JobFinish finish = {.state = JOB_FAILED,
                        .reason = reason,
                        .error = text_string(&texts.error),
                        .warnings = text_string(&texts.warnings)};
    Status status = job_end(ctx, lease, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

Status job_end_unprepared(const JobRunContext *ctx, const JobLease *lease, Status status,
                          const Error *failure, const Diagnostics *diag, const JobInput *input,
                          JobOutcome *outcome, Error *err)
{
    if (status == ERR_IO)
        return error_set(err, ERR_IO, "%s", failure->message);
    if (status == ERR_NO_MEMORY || status == ERR_INTERNAL || status == ERR_DAMAGED)
        return job_end_failed(ctx, lease, "internal", failure->message, NULL, input, outcome, err);
    return job_end_failed(ctx, lease, "model", failure->message, diag, input, outcome, err);
}
