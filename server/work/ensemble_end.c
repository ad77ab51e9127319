/* The end of an ensemble: reads its tables in the order of members, for the hash and the evidence,
 * and stores the end. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "server/work/ensemble_sum.h"
#include "server/work/job_end.h"
#include "server/work/result_hash.h"
#include "server/work/unit_run.h"

enum { BLOCK_MEMORY = 256 * 1024 * 1024 };

typedef struct EnsembleEnd {
    const JobRunContext *ctx;
    const JobLease *lease;
    Arena *arena, *block; /* of the job, of one block */
    PreparedJob *job;
    EnsembleSum sum;
    double since; /* of clock_seconds() */
    ResultHash hash;
    char hash_text[HASH_TEXT_MAX];
} EnsembleEnd;

/* table -1: the summary. ERR_CANCELLED: its worker is to put it back. */
static Status read_table(EnsembleEnd *end, int table, Error *err)
{
    const TenantStore store = {end->ctx->store, end->lease->tenant};
    uint64_t place = 0;
    Status status = OK;
    while (status == OK) {
        ResultBlock block;
        arena_reset(end->block);
        status =
            store_table_next(store, end->lease->job.id, table, &place, end->block, &block, err);
        if (status != OK)
            break;
        /* hash the rows, and sum up the summary */
        result_hash_add(&end->hash, table, block.rows, (size_t)block.n_rows * block.n_columns);
        for (uint64_t i = 0; table < 0 && i < block.n_rows; i++)
            ensemble_sum_add(&end->sum, block.rows + i * block.n_columns);
        if (atomic_load_explicit(end->ctx->put_back, memory_order_relaxed))
            status = error_set(err, ERR_CANCELLED, "put back");
    }
    return status == ERR_NOT_FOUND ? OK : status;
}

static Status read_tables(EnsembleEnd *end, Error *err)
{
    const char *const *names;
    const size_t n_tables = ensemble_tables(end->job->ensemble, &names);
    MemberText *said = NULL;
    size_t n_said = 0;
    const TenantStore store = {end->ctx->store, end->lease->tenant};
    Status status = store_member_texts(store, end->lease->job.id, 0, MEMBER_TEXTS_MAX, end->arena,
                                       &said, &n_said, err);
    if (status == OK)
        status = ensemble_sum_init(&end->sum, end->job, said, n_said, end->arena, err);
    if (status == OK)
        status = result_hash_init(&end->hash, n_tables, end->arena, err);
    for (int table = -1; table < (int)n_tables && status == OK; table++)
        status = read_table(end, table, err);
    if (status == OK)
        result_hash_finish(&end->hash, end->hash_text);
    return status;
}

static void tell_reason(const EnsembleEnd *end, const char *reason, Text *out)
{
    const EnsembleEvidence *evidence = &end->sum.evidence;
    char detail[400];
    if (strcmp(reason, "timeout") == 0 && evidence->states[MEMBER_TIMEOUT] == 0) {
        snprintf(detail, sizeof detail, "The ensemble ran longer than its timeout of %.15g s.",
                 end->job->input.ensemble.timeout);
    } else {
        const char *message = evidence->n_failures ? evidence->failures[0].message : NULL;
        snprintf(detail, sizeof detail, "%llu of %llu members succeeded; member %llu failed%s%s",
                 (unsigned long long)evidence->states[MEMBER_SUCCEEDED],
                 (unsigned long long)evidence->total,
                 evidence->n_failures ? (unsigned long long)evidence->failures[0].member : 0,
                 message ? ": " : ".", message ? message : "");
    }
    job_problem(out, end->lease, reason, detail, NULL);
}

/* Whether another run gives the same: no member ended by time, by limits of the service or by a
 * process that died. */
static bool says_the_same_again(const EnsembleEvidence *evidence)
{
    const uint64_t *states = evidence->states;
    return states[MEMBER_SUCCEEDED] + states[MEMBER_MODEL] + states[MEMBER_NUMERIC] ==
           evidence->total;
}

/* Its time is that with members running, on any number of workers, and that of this end. */
static void write_digest(const EnsembleEnd *end, Text *out)
{
    const EnsembleEvidence *evidence = &end->sum.evidence;
    const JobDigest digest = {.steps = evidence->steps,
                              .worst_residual = evidence->worst_residual,
                              .energy_balance = evidence->energy_balance_max,
                              .wall_s =
                                  (double)end->lease->used_ms / 1e3 + clock_seconds() - end->since};
    job_digest_write(out, &digest);
}

static Status tell_end(EnsembleEnd *end, JobOutcome *outcome, Error *err)
{
    const JobLease *lease = end->lease;
    FinishTexts texts = {0};
    const char *warnings[ENSEMBLE_WARNINGS];
    /* cancelled, failed or succeeded */
    const bool cancelled = store_job_stop_wanted(end->ctx->store, lease->job.id, lease->token);
    const char *reason =
        cancelled ? NULL : ensemble_sum_reason(&end->sum, end->job->input.ensemble.stop_on_error);
    JobFinish finish = {.state = cancelled ? JOB_CANCELLED
                                 : reason  ? JOB_FAILED
                                           : JOB_SUCCEEDED,
                        .complete = lease->job.members.done == lease->job.members.total &&
                                    end->sum.evidence.states[MEMBER_CANCELLED] == 0,
                        .reason = reason,
                        .result_hash = end->hash_text};
    if (reason) {
        tell_reason(end, reason, &texts.error);
        finish.error = text_string(&texts.error);
    }
    /* evidence, warnings and digest */
    ensemble_evidence_write(&texts.diagnostics, &end->sum.evidence, end->ctx->setting->origin);
    const size_t n_warnings = ensemble_sum_warnings(&end->sum, warnings);
    job_warnings(&texts.warnings, &end->job->input, warnings, n_warnings);
    write_digest(end, &texts.digest);
    finish.digest = text_string(&texts.digest);
    if (finish.state == JOB_SUCCEEDED && finish.complete && says_the_same_again(&end->sum.evidence))
        finish.program = origin_program(end->ctx->setting->origin);
    finish.diagnostics = text_string(&texts.diagnostics);
    finish.warnings = text_string(&texts.warnings);
    Status status = job_end(end->ctx, lease, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

static Status end_prepared(EnsembleEnd *end, JobOutcome *outcome, Error *err)
{
    Error failure = {0};
    end->ctx->progress(end->ctx->self, "storing", 1.0, 0.0, 0);
    Status status = read_tables(end, &failure);
    outcome->rows = end->lease->job.members.done;
    if (status == OK)
        return tell_end(end, outcome, err);
    if (status == ERR_CANCELLED) {
        status = store_job_release(end->ctx->store, end->lease->job.id, end->lease->token, err);
        outcome->released = status == OK;
        return status;
    }
    if (status == ERR_IO || status == ERR_NO_SPACE || status == ERR_CONFLICT)
        return error_set(err, status, "%s", failure.message);
    return job_end_failed(end->ctx, end->lease, "internal", failure.message, NULL, &end->job->input,
                          outcome, err);
}

Status ensemble_end(const JobRunContext *ctx, UnitRunner *runner, const JobLease *lease,
                    Arena *arena, JobOutcome *ret_outcome, Error *err)
{
    const Diagnostics *diag;
    EnsembleEnd end = {.ctx = ctx,
                       .lease = lease,
                       .arena = arena,
                       .block = arena_new(BLOCK_MEMORY),
                       .since = clock_seconds()};
    Error failure = {0};
    *ret_outcome = (JobOutcome){0};
    /* prepare the ensemble, then end it */
    Status status = unit_runner_prepare(runner, ctx->setting, lease, &end.job, &diag, &failure);
    if (status == OK && !end.block)
        status = error_set(&failure, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = end_prepared(&end, ret_outcome, err);
    else
        status = job_end_unprepared(ctx, lease, status, &failure, diag, &end.job->input,
                                    ret_outcome, err);
    /* without memory for texts only the reason is stored */
    if (status == ERR_NO_MEMORY)
        status = job_end_without_words(ctx, lease, ret_outcome, err);
    arena_free(end.block);
    return status;
}
