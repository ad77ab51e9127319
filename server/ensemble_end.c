/* The end of an ensemble: its tables are read in the order of members, for the hash and the evidence, and told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/job_end.h"
#include "server/result_hash.h"
#include "server/unit_run.h"

enum { BLOCK_MEMORY = 256 * 1024 * 1024 };

typedef struct EnsembleEnd {
    const JobRunContext *ctx;
    const JobLease *lease;
    Arena *arena, *block; /* of the job, of one block */
    MemberFailures *said;
    Diagnostics diag;
    PreparedJob job;
    size_t n_columns, worst_residual, energy_balance, steps;
    EnsembleEvidence evidence;
    MemberFailure *failures;
    ResultHash hash;
    char hash_text[HASH_TEXT_MAX];
} EnsembleEnd;

static size_t column_of(const char *const *names, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static void find_columns(EnsembleEnd *end)
{
    const char *const *names;
    const size_t n = ensemble_columns(end->job.ensemble, &names);
    end->n_columns = n;
    end->worst_residual = column_of(names, n, "worst_residual");
    end->energy_balance = column_of(names, n, "energy_balance");
    end->steps = column_of(names, n, "steps");
}

static double greater(double a, double b)
{
    return b > a || isnan(a) ? b : a;
}

static void add_failure(EnsembleEnd *end, uint64_t member, MemberState state)
{
    EnsembleEvidence *evidence = &end->evidence;
    if (evidence->n_failures == MEMBER_FAILURES_MAX)
        return;
    end->failures[evidence->n_failures++] = (MemberFailure){
        member, state, member_failures_find(end->said, end->lease->job.id, member, end->arena)};
}

static void add_row(EnsembleEnd *end, const double *row)
{
    EnsembleEvidence *evidence = &end->evidence;
    const double number = row[end->n_columns - 1];
    const MemberState state =
        number >= 0.0 && number < MEMBER_STATES ? (MemberState)number : MEMBER_INTERNAL;
    evidence->states[state]++;
    if (state != MEMBER_SUCCEEDED)
        add_failure(end, (uint64_t)row[0], state);
    if (end->worst_residual < end->n_columns)
        evidence->worst_residual = greater(evidence->worst_residual, row[end->worst_residual]);
    if (end->energy_balance < end->n_columns)
        evidence->energy_balance_max =
            greater(evidence->energy_balance_max, fabs(row[end->energy_balance]));
    if (end->steps < end->n_columns && row[end->steps] >= 0.0)
        evidence->steps += (uint64_t)row[end->steps];
}

/* -1: the summary. ERR_CANCELLED: its worker is to put it back. */
static Status read_table(EnsembleEnd *end, int table, Error *err)
{
    Store *store = end->ctx->store;
    uint64_t place = 0;
    Status status = OK;
    while (status == OK) {
        ResultBlock block;
        arena_reset(end->block);
        status =
            store_table_next(store, end->lease->job.id, table, &place, end->block, &block, err);
        if (status != OK)
            break;
        result_hash_add(&end->hash, table, block.rows, (size_t)block.n_rows * block.n_columns);
        for (uint64_t i = 0; table < 0 && i < block.n_rows; i++)
            add_row(end, block.rows + i * block.n_columns);
        if (atomic_load_explicit(end->ctx->put_back, memory_order_relaxed))
            status = error_set(err, ERR_CANCELLED, "put back");
    }
    return status == ERR_NOT_FOUND ? OK : status;
}

static Status read_tables(EnsembleEnd *end, Error *err)
{
    const char *const *names;
    const size_t n_tables = ensemble_tables(end->job.ensemble, &names);
    end->failures = arena_alloc(end->arena, MEMBER_FAILURES_MAX, sizeof *end->failures);
    Status status = arena_status(end->arena, err);
    if (status == OK)
        status = result_hash_init(&end->hash, n_tables, end->arena, err);
    end->evidence = (EnsembleEvidence){.total = end->lease->job.members.total,
                                       .worst_residual = NAN,
                                       .energy_balance_max = NAN,
                                       .failures = end->failures};
    for (int table = -1; table < (int)n_tables && status == OK; table++)
        status = read_table(end, table, err);
    if (status == OK)
        result_hash_finish(&end->hash, end->hash_text);
    return status;
}

/* The state that most of those that failed have; MEMBER_SUCCEEDED: none has. */
static MemberState most_failed(const EnsembleEvidence *evidence)
{
    MemberState most = MEMBER_SUCCEEDED;
    for (int state = MEMBER_MODEL; state < MEMBER_CANCELLED; state++)
        if (evidence->states[state] > (most ? evidence->states[most] : 0))
            most = (MemberState)state;
    return most;
}

/* Why it has failed; NULL: it has not. Members that nobody has run, though nobody has cancelled them and none of those
 * that failed stops the others: time was up. */
static const char *reason_of(const EnsembleEnd *end)
{
    const EnsembleEvidence *evidence = &end->evidence;
    const bool stops = end->job.input.ensemble.stop_on_error;
    const MemberState most = most_failed(evidence);
    if (most != MEMBER_SUCCEEDED && (stops || evidence->states[MEMBER_SUCCEEDED] == 0))
        return member_state_reason(most);
    uint64_t told = 0;
    for (int state = 0; state < MEMBER_CANCELLED; state++)
        told += evidence->states[state];
    return told < evidence->total ? "timeout" : NULL;
}

static void tell_reason(const EnsembleEnd *end, const char *reason, Text *out)
{
    const EnsembleEvidence *evidence = &end->evidence;
    char detail[400];
    if (strcmp(reason, "timeout") == 0 && evidence->states[MEMBER_TIMEOUT] == 0) {
        snprintf(detail, sizeof detail, "The ensemble ran longer than its timeout of %.15g s.",
                 end->job.input.ensemble.timeout);
    } else {
        const char *message = evidence->n_failures ? end->failures[0].message : NULL;
        snprintf(detail, sizeof detail, "%llu of %llu members succeeded; member %llu failed%s%s",
                 (unsigned long long)evidence->states[MEMBER_SUCCEEDED],
                 (unsigned long long)evidence->total,
                 evidence->n_failures ? (unsigned long long)end->failures[0].member : 0,
                 message ? ": " : ".", message ? message : "");
    }
    job_problem(out, end->lease, reason, detail, NULL);
}

static Status tell_end(EnsembleEnd *end, JobOutcome *outcome, Error *err)
{
    const JobLease *lease = end->lease;
    FinishTexts texts = {0};
    const bool cancelled = store_job_stop_wanted(end->ctx->store, lease->job.id, lease->token);
    const char *reason = cancelled ? NULL : reason_of(end);
    JobFinish finish = {.state = cancelled ? JOB_CANCELLED
                                 : reason  ? JOB_FAILED
                                           : JOB_SUCCEEDED,
                        .complete = lease->job.members.done == lease->job.members.total &&
                                    end->evidence.states[MEMBER_CANCELLED] == 0,
                        .reason = reason,
                        .result_hash = end->hash_text};
    if (reason) {
        tell_reason(end, reason, &texts.error);
        finish.error = text_string(&texts.error);
    }
    ensemble_evidence_write(&texts.diagnostics, &end->evidence);
    job_warnings(&texts.warnings, &end->job.input, NULL, 0);
    finish.diagnostics = text_string(&texts.diagnostics);
    finish.warnings = text_string(&texts.warnings);
    Status status = job_end(end->ctx, lease, &finish, &texts, outcome, err);
    finish_texts_done(&texts);
    return status;
}

static Status end_prepared(EnsembleEnd *end, JobOutcome *outcome, Error *err)
{
    Error failure = {0};
    find_columns(end);
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
    return job_end_failed(end->ctx, end->lease, "internal", failure.message, NULL, &end->job.input,
                          outcome, err);
}

Status ensemble_end(const JobRunContext *ctx, MemberFailures *failures, const JobLease *lease,
                    Arena *arena, JobOutcome *ret_outcome, Error *err)
{
    EnsembleEnd end = {.ctx = ctx,
                       .lease = lease,
                       .arena = arena,
                       .block = arena_new(BLOCK_MEMORY),
                       .said = failures};
    Error failure = {0};
    *ret_outcome = (JobOutcome){0};
    diagnostics_init(&end.diag, arena);
    Status status = end.block
                        ? job_prepare(ctx->setting, lease, arena, &end.diag, &end.job, &failure)
                        : error_set(&failure, ERR_NO_MEMORY, "out of memory");
    if (status == OK && !end.job.ensemble)
        status = error_set(&failure, ERR_INTERNAL, "the document is no ensemble's");
    if (status == OK)
        status = end_prepared(&end, ret_outcome, err);
    else
        status = job_end_unprepared(ctx, lease, status, &failure, &end.diag, &end.job.input,
                                    ret_outcome, err);
    if (status == ERR_NO_MEMORY)
        status = job_end_without_words(ctx, lease, ret_outcome, err);
    if (status == OK && !ret_outcome->released)
        member_failures_drop(failures, lease->job.id);
    prepared_job_done(&end.job);
    arena_free(end.block);
    return status;
}
