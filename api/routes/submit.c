/* POST /v1/jobs: all checks that need no integration are made here. Then the job is queued; the
 * request may wait for its end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/documents/documents.h"
#include "api/prepared_jobs.h"
#include "api/routes/common.h"
#include "api/routes/members_of.h"
#include "api/routes/routes.h"
#include "api/routes/submit.h"
#include "api/routes/submit_ensemble.h"
#include "api/routes/validation.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/stop_token.h"
#include "core/integrate/methods.h"

enum { IDEMPOTENCY_KEY_MAX = 255 };

static Status leave_to_others(void *self, Error *err)
{
    (void)self;
    return error_set(err, ERR_BUSY, "this takes too long for a thread that other clients wait for");
}

/* Encloses work without side effects. On a thread that other clients wait for, the work stops after
 * some milliseconds, and is repeated on a thread that may take long. */
static void quick_begin(StopToken *stop_token, const ApiResponse *res)
{
    stop_token_begin(stop_token, res->may_take_long ? NULL : leave_to_others, NULL);
}

static Status quick_end(StopToken *stop_token, ApiResponse *res, Status status, Error *err)
{
    status = stop_token_settle(status, err);
    stop_token_end(stop_token);
    res->takes_long = res->takes_long || (status == ERR_BUSY && !res->may_take_long);
    return status;
}

static Status submission_prepare(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                                 PreparedJob *ret_job, Error *err)
{
    const JobSource source = {
        .bytes = req->body, .size = req->body_size, .quickly = !res->may_take_long};
    Diagnostics *diag = reply_diagnostics(req, res);
    bool is_json = true;
    StopToken stop_token;
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* within some milliseconds, if this thread must not take long */
    quick_begin(&stop_token, res);
    const Status prepared =
        prepared_job_init(ret_job, &ctx->setting, &source, req->arena, diag, &is_json, err);
    const Status status = quick_end(&stop_token, res, prepared, err);
    if (!is_json)
        res->problem = PROBLEM_NOT_JSON;
    if (prepared == OK && status != OK)
        prepared_job_done(ret_job);
    return status;
}

/* The text of a quoted string (RFC 9651, section 3.3.3); "" if it is malformed. */
static const char *unquote(Arena *arena, const char *quoted)
{
    char *text = arena_strdup(arena, quoted), *out = text;
    if (!text)
        return NULL;
    for (quoted++; *quoted && *quoted != '"'; quoted++) {
        if (*quoted == '\\' && *++quoted != '"' && *quoted != '\\')
            return "";
        *out++ = *quoted;
    }
    *out = '\0';
    return strcmp(quoted, "\"") == 0 ? text : "";
}

Status submission_key(const ApiRequest *req, ApiResponse *res, const char **ret_key, Error *err)
{
    const char *key = api_header(req, "Idempotency-Key");
    *ret_key = NULL;
    if (!key)
        return OK;
    if (*key == '"')
        key = unquote(req->arena, key);
    if (!key)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* printable ASCII */
    size_t length = strlen(key);
    for (const char *c = key; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            length = 0;
    if (length == 0 || length > IDEMPOTENCY_KEY_MAX)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "Idempotency-Key must be 1 to %d printable ASCII characters, bare or in "
                        "quotes",
                        IDEMPOTENCY_KEY_MAX);
    *ret_key = key;
    return OK;
}

/* The seconds of "wait=N" in a Prefer header, at most limits.wait_seconds. Unknown preferences are
 * ignored, as RFC 7240 requires. */
static double preferred_wait(const ApiContext *ctx, const ApiRequest *req)
{
    const char *prefer = api_header(req, "Prefer");
    while (prefer && *prefer) {
        prefer += strspn(prefer, " \t,;");
        if (strncasecmp(prefer, "wait", 4) == 0) {
            const char *value = prefer + 4 + strspn(prefer + 4, " \t");
            if (*value == '=') {
                value += 1 + strspn(value + 1, " \t\"");
                if (*value >= '0' && *value <= '9') {
                    double seconds = strtod(value, NULL);
                    return seconds < ctx->limits.wait_seconds ? seconds : ctx->limits.wait_seconds;
                }
            }
        }
        prefer += strcspn(prefer, ",;");
    }
    return 0.0;
}

static Status read_wait(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                        double *ret_seconds, Error *err)
{
    double seconds = preferred_wait(ctx, req);
    if (seconds > 0.0)
        api_add_header(res, "Preference-Applied", arena_printf(req->arena, "wait=%.0f", seconds));
    Status status = api_query_real(req, res, "wait", 0.0, ctx->limits.wait_seconds, &seconds, err);
    if (status == OK)
        *ret_seconds = seconds;
    return status;
}

/* A retry gets the answer of the first request (*ret_found), even if a model was deleted since. */
static Status find_submission(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                              const char *key, JobRecord *ret_job, bool *ret_found, Error *err)
{
    if (!key)
        return OK;
    const JobDraft draft = {
        .request = req->body, .request_size = req->body_size, .idempotency_key = key};
    Status status = store_job_replay(ctx->store, &draft, req->arena, ret_job, err);
    *ret_found = status == OK;
    if (*ret_found)
        api_add_header(res, "Idempotency-Replayed", "true");
    if (status == ERR_CONFLICT)
        res->problem = PROBLEM_KEY_REUSED;
    return status == ERR_NOT_FOUND ? OK : status;
}

Status submission_draft(const ApiContext *ctx, const PreparedJob *prepared, const char *request,
                        size_t size, Arena *arena, JobDraft *ret_draft, Error *err)
{
    const JobInput *input = &prepared->input;
    double seconds = input->timeout > 0.0 ? input->timeout : ctx->limits.job_seconds;
    *ret_draft =
        (JobDraft){.request = request,
                   .request_size = size,
                   .request_hash = input->request_hash,
                   .model_id = input->model.id,
                   .model_name = input->model.name,
                   .model = input->model.elsewhere ? input->model.canonical : NULL,
                   .model_size = input->model.canonical_size,
                   .labels = input->labels,
                   .formulation = input->spec.formulation,
                   .method = ode_method_name(ode_method_find(input->spec.integrator.method)),
                   .notify = {.url = input->notify.url.text,
                              .origin = input->notify.url.origin,
                              .on = input->notify.on},
                   .priority = input->priority,
                   .timeout_ms = (uint64_t)ceil(seconds * 1e3),
                   .not_after_ms = input->not_after_ms,
                   .reuse_key = input->reuse_key,
                   .program = input->cache ? origin_program(ctx->setting.origin) : NULL};
    return prepared->ensemble ? submit_describe_ensemble(prepared, arena, ret_draft, err) : OK;
}

void submission_tell(const ApiContext *ctx, const JobRecord *job)
{
    if (job->reused.job)
        ctx->host.job_reused(ctx->host.self, ctx->store.tenant, job);
    else
        ctx->host.job_added(ctx->host.self, job->id);
}

/* An idempotency key belongs to the client's bytes, even if they were expanded. */
static Status set_key(const ApiRequest *sent, const ApiRequest *meant, const char *key,
                      JobDraft *draft, Error *err)
{
    char digest[HASH_TEXT_MAX];
    draft->idempotency_key = key;
    if (!key || sent->body == meant->body)
        return OK;
    const Hash hash = hash_bytes(sent->body, sent->body_size);
    hash_format(&hash, digest);
    draft->idempotency_digest = arena_strdup(sent->arena, digest);
    return arena_status(sent->arena, err);
}

/* `sent` is the client's request, `meant` the expanded one. */
static Status store_submission(const ApiContext *ctx, const ApiRequest *sent,
                               const ApiRequest *meant, ApiResponse *res, PreparedJob *prepared,
                               const char *key, JobRecord *ret_job, Error *err)
{
    bool replayed = false;
    JobDraft draft;
    Status status =
        submission_draft(ctx, prepared, meant->body, meant->body_size, meant->arena, &draft, err);
    if (status == OK)
        status = set_key(sent, meant, key, &draft, err);
    if (status != OK)
        return status;
    draft.trace = sent->trace;
    if (!api_claim(res->claim, API_CLAIM_STORING))
        return error_set(err, ERR_CANCELLED, "the client was told to try again");
    status = store_job_add(ctx->store, &draft, meant->arena, ret_job, &replayed, err);
    /* the key may name an older request: an equal one is answered again, another one is refused */
    if (status == ERR_CONFLICT && key)
        res->problem = PROBLEM_KEY_REUSED;
    if (status == ERR_LIMIT)
        res->problem = PROBLEM_QUOTA;
    if (status != OK)
        return status;
    if (replayed) {
        api_add_header(res, "Idempotency-Replayed", "true");
        return OK;
    }
    if (!ret_job->reused.job)
        prepared_jobs_keep(ctx->setting.prepared, ret_job->id, meant->body_size, prepared);
    submission_tell(ctx, ret_job);
    return OK;
}

/* The state of a submission that waits for its job. */
typedef struct WaitMemo {
    char job_id[JOB_ID_MAX];
    double deadline;
} WaitMemo;

static Status reply_submitted(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                              const JobRecord *job, bool waited, Error *err)
{
    bool finished = (waited || job->reused.job) && job_state_done(job->state);
    res->status = finished ? 200 : 202;
    api_add_header(res, "Location", arena_printf(req->arena, "/v1/jobs/%s", job->id));
    return reply_job(ctx, req, res, job, err);
}

static Status jobs_create_again(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                                Error *err)
{
    const WaitMemo *memo = res->wait.memo;
    JobRecord job;
    Status status = store_job_get(ctx->store, memo->job_id, req->arena, &job, err);
    if (status != OK)
        return status;
    if (!job_state_done(job.state) && !res->wait_over) {
        reply_wait(res, jobs_create_again, memo, memo->job_id, memo->deadline);
        res->wait.until_done = true;
        return OK;
    }
    return reply_submitted(ctx, req, res, &job, true, err);
}

/* A new job, or the job of an earlier request with the same key. */
static Status accept_submission(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                                JobRecord *ret_job, Error *err)
{
    PreparedJob prepared;
    ApiRequest meant;
    const char *key = NULL;
    bool found = false;
    Status status = submission_key(req, res, &key, err);
    if (status == OK)
        status = find_submission(ctx, req, res, key, ret_job, &found, err);
    if (status != OK || found)
        return status;
    /* expand, prepare, store */
    status = members_of_expand(ctx, req, res, &meant, err);
    if (status == OK)
        status = submission_prepare(ctx, &meant, res, &prepared, err);
    if (status != OK)
        return status;
    status = store_submission(ctx, req, &meant, res, &prepared, key, ret_job, err);
    prepared_job_done(&prepared);
    return status;
}

static Status validate_submission(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                                  const ValidationWish *wish, Error *err)
{
    PreparedJob prepared;
    ApiRequest meant;
    StopToken stop_token;
    Status status = members_of_expand(ctx, req, res, &meant, err);
    if (status == OK)
        status = submission_prepare(ctx, &meant, res, &prepared, err);
    if (status != OK)
        return status;
    quick_begin(&stop_token, res);
    status = validation_reply(ctx, &meant, res, wish, prepared.input.model.id, prepared.compiled,
                              &prepared, err);
    status = quick_end(&stop_token, res, status, err);
    prepared_job_done(&prepared);
    return status;
}

Status jobs_create(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job = {0};
    double wait = 0.0;
    ValidationWish validation;

    Status status = read_wait(ctx, req, res, &wait, err);
    if (status == OK)
        status = validation_read(req, res, &validation, err);
    WaitMemo *memo = arena_alloc(req->arena, 1, sizeof *memo); /* before anything is accepted */
    if (status == OK && !memo)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    const ArenaMark start = arena_mark(req->arena);
    if (status == OK)
        status = validation.only ? validate_submission(ctx, req, res, &validation, err)
                                 : accept_submission(ctx, req, res, &job, err);
    if (status != OK || validation.only)
        return status;
    if (wait <= 0.0)
        return reply_submitted(ctx, req, res, &job, false, err);

    /* the request sleeps until its job ends, without its document; jobs_create_again() answers
     * it */
    arena_release(req->arena, start);
    res->diag = NULL;
    memcpy(memo->job_id, job.id, sizeof memo->job_id);
    memo->deadline = clock_seconds() + wait;
    reply_wait(res, jobs_create_again, memo, job.id, memo->deadline);
    res->wait.until_done = true;
    return OK;
}
