/* The routes of jobs that are there: one, lists, documents, cancelling, deleting, and waiting for
 * a change. */
#include <math.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/clock.h"

enum { LIST_DEFAULT = 50, LIST_MOST = 500 };

/* What is remembered of a request that waits. */
typedef struct WaitMemo {
    double deadline;
    int64_t since;
} WaitMemo;

/* The wait of a GET: begun at the first call, remembered at further ones. NULL: none asked for. */
static Status begin_wait(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                         int64_t since, const WaitMemo **ret_memo, Error *err)
{
    double seconds = 0.0;
    *ret_memo = res->wait.memo;
    if (*ret_memo)
        return OK;
    Status status = api_query_real(req, res, "wait", 0.0, ctx->limits.wait_seconds, &seconds, err);
    if (status == OK)
        status = api_query_integer(req, res, "since", 0, INT64_MAX, &since, err);
    if (status != OK || seconds <= 0.0)
        return status;
    WaitMemo *memo = arena_alloc(req->arena, 1, sizeof *memo);
    if (!memo)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *memo = (WaitMemo){clock_seconds() + seconds, since};
    *ret_memo = memo;
    return OK;
}

Status jobs_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job;
    const WaitMemo *memo;
    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status == OK)
        status = begin_wait(ctx, req, res, job.revision, &memo, err);
    if (status != OK)
        return status;
    if (memo && !res->wait_over && !job_state_done(job.state) && job.revision == memo->since) {
        reply_wait(res, jobs_get, memo, job.id, memo->deadline);
        return OK;
    }
    return reply_job(ctx, req, res, &job, err);
}

/* Cursors are ids of jobs, which need not be there any more. */
static bool is_id(const char *text)
{
    return strlen(text) == 36 && strspn(text, "0123456789abcdef-") == 36;
}

static Status read_filter(const ApiRequest *req, ApiResponse *res, JobFilter *ret, Error *err)
{
    static const char PREFIX[] = "label.";
    JobFilter filter = {
        .since = -1, .model_id = api_query(req, "model"), .before = api_query(req, "cursor")};
    const char *state = api_query(req, "state");
    int64_t limit = LIST_DEFAULT;
    if (filter.before && !is_id(filter.before))
        return api_fail(res, PROBLEM_PARAMETER, err, "cursor must be the next of a former answer");
    if (state) {
        if (!job_state_parse(state, &filter.state))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "state must be queued, running, succeeded, failed or cancelled");
        filter.by_state = true;
    }
    for (size_t i = 0; i < req->n_query; i++) {
        if (strncmp(req->query[i].name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        if (filter.label_key)
            return api_fail(res, PROBLEM_PARAMETER, err, "only one label at a time");
        filter.label_key = req->query[i].name + strlen(PREFIX);
        filter.label_value = req->query[i].value;
    }
    Status status = api_query_integer(req, res, "limit", 1, LIST_MOST, &limit, err);
    if (status == OK)
        status = api_query_integer(req, res, "since", 0, INT64_MAX, &filter.since, err);
    if (status != OK)
        return status;
    if (api_query(req, "wait") && filter.since < 0)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "wait needs since, the revision of a former answer");
    filter.limit = (size_t)limit + 1; /* one more tells whether there is a next page */
    *ret = filter;
    return OK;
}

static Status jobs_write_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                              const JobRecord *jobs, size_t n, bool more, int64_t revision,
                              Error *err)
{
    JsonWriter writer;
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_array(&writer, "jobs");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text_putc(&res->body, ',');
        Status status = reply_job(ctx, req, res, &jobs[i], err);
        if (status != OK)
            return status;
    }
    json_close_array(&writer);
    json_member_string(&writer, "next", more ? jobs[n - 1].id : NULL);
    json_member_signed(&writer, "revision", revision);
    json_close_object(&writer);
    if (more)
        reply_next_page(req, res, jobs[n - 1].id);
    return OK;
}

Status jobs_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobFilter filter = {0};
    JobRecord *jobs = NULL;
    size_t n = 0;
    const WaitMemo *memo = NULL;
    /* read first: what changes meanwhile is told again by the next request, never missed */
    int64_t revision = store_revision(ctx->store);
    Status status = read_filter(req, res, &filter, err);
    if (status == OK)
        status = begin_wait(ctx, req, res, filter.since, &memo, err);
    if (status == OK)
        status = store_job_list(ctx->store, &filter, req->arena, &jobs, &n, err);
    if (status != OK)
        return status;
    if (n == 0 && memo && !res->wait_over) {
        reply_wait(res, jobs_list, memo, "", memo->deadline);
        return OK;
    }
    bool more = n == filter.limit;
    return jobs_write_list(ctx, req, res, jobs, more ? n - 1 : n, more, revision, err);
}

Status jobs_request(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const char *bytes;
    size_t size;
    Status status = store_job_request(ctx->store, req->params[0], req->arena, &bytes, &size, err);
    if (status == OK) {
        reply_text(res, bytes, size);
        res->verbatim = true;
    }
    return status;
}

Status jobs_cancel(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job;
    Status status = store_job_cancel(ctx->store, req->params[0], req->arena, &job, err);
    if (status != OK)
        return status;
    ctx->host.job_changed(ctx->host.self, job.id, job_state_done(job.state));
    res->status = job_state_done(job.state) ? 200 : 202;
    return reply_job(ctx, req, res, &job, err);
}

Status jobs_delete(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    Status status = store_job_delete(ctx->store, req->params[0], err);
    if (status == OK) {
        ctx->host.job_changed(ctx->host.self, req->params[0], true);
        res->status = 204;
    }
    return status;
}

static Status reply_document(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             JobDocument which, Error *err)
{
    JobRecord job;
    const char *text = NULL;
    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status != OK)
        return status;
    if (!job_state_done(job.state))
        return api_fail(res, PROBLEM_NOT_READY, err, "the job is %s; ask again when it is done",
                        job_state_name(job.state));
    status = store_job_document(ctx->store, job.id, which, req->arena, &text, err);
    if (status != OK)
        return status;
    if (!text)
        return error_set(err, ERR_NOT_FOUND, "the job ended before it had any");
    reply_text(res, text, strlen(text));
    return OK;
}

Status jobs_diagnostics(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    return reply_document(ctx, req, res, JOB_DIAGNOSTICS, err);
}

Status jobs_invariants(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    return reply_document(ctx, req, res, JOB_INVARIANTS, err);
}
