/* The routes of existing jobs: one job, lists, documents, cancellation, deletion, and waiting for a
 * change. */
#include <math.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/jobs_page.h"
#include "api/routes/routes.h"
#include "api/routes/stream.h"
#include "core/base/clock.h"

enum { LIST_DEFAULT = 50, LIST_MOST = 500 };

/* The state of a waiting request. */
typedef struct WaitMemo {
    double deadline;
    int64_t since;
} WaitMemo;

/* The wait of a GET: it begins with the first call; later calls find it in res->wait.memo. NULL: no
 * wait. */
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

/* Reads the job from the store. The answer about a finished job is cached: most requests for it
 * come from clients that still wait for its end. */
static Status jobs_read(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const uint64_t mark = resource_cache_mark(ctx->resources);
    JobRecord job;
    const WaitMemo *memo;
    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status == OK)
        status = begin_wait(ctx, req, res, job.revision, &memo, err);
    if (status != OK)
        return status;
    if (memo && !res->wait_over && !job_state_done(job.state) && job.revision == memo->since) {
        reply_wait(res, jobs_read, memo, job.id, memo->deadline);
        return OK;
    }
    status = reply_job(ctx, req, res, &job, err);
    if (status == OK && job_state_done(job.state) && job.calls.next_ms == 0)
        resource_cache_keep(ctx->resources, mark, ctx->store.tenant, job.id, &res->body);
    return status;
}

Status jobs_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const WaitMemo *memo;
    if (resource_cache_find(ctx->resources, ctx->store.tenant, req->params[0], &res->body))
        return begin_wait(ctx, req, res, 0, &memo, err); /* only its parameters are checked */
    return jobs_read(ctx, req, res, err);
}

/* Cursors are ids of jobs; the job itself may be deleted. */
static bool is_id(const char *text)
{
    return strlen(text) == 36 && strspn(text, "0123456789abcdef-") == 36;
}

static Status read_filter(const ApiRequest *req, ApiResponse *res, JobFilter *ret, Error *err)
{
    static const char PREFIX[] = "label.";
    JobFilter filter = {.since = -1,
                        .model_id = api_query(req, "model"),
                        .name = api_query(req, "name"),
                        .searched = JOBS_SEARCHED,
                        .before = api_query(req, "cursor")};
    const char *include = api_query(req, "include");
    const char *state = api_query(req, "state");
    JobLabel *labels = ARENA_NEW(req->arena, req->n_query, JobLabel);
    int64_t limit = LIST_DEFAULT;
    if (!labels)
        return arena_status(req->arena, err);
    filter.labels = labels;
    if (filter.before && !is_id(filter.before))
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "cursor must be the \"next\" of an earlier answer");
    if (state) {
        if (!job_state_parse(state, &filter.state))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "state must be queued, running, succeeded, failed or cancelled");
        filter.by_state = true;
    }
    if (include && strcmp(include, "counts") != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "include must be counts");
    for (size_t i = 0; i < req->n_query; i++) {
        if (strncmp(req->query[i].name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        labels[filter.n_labels++] =
            (JobLabel){req->query[i].name + strlen(PREFIX), req->query[i].value};
    }
    Status status = api_query_integer(req, res, "limit", 1, LIST_MOST, &limit, err);
    if (status == OK)
        status = api_query_integer(req, res, "since", 0, INT64_MAX, &filter.since, err);
    if (status != OK)
        return status;
    if (api_query(req, "wait") && filter.since < 0)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "wait needs since, the revision of an earlier answer");
    if (filter.before && filter.since >= 0)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "a page of changes continues with since = its \"next\", without cursor");
    filter.limit = (size_t)limit + 1; /* one more, to know whether there is a next page */
    *ret = filter;
    return OK;
}

/* If `more`, drops the extra job that was read beyond the page. Returns `more`. */
static bool cut_page(bool more, size_t *n)
{
    *n -= more;
    return more;
}

/* Cuts jobs and deletions at the last revision that is complete in both lists. */
static void cut_changes(bool more_jobs, bool more_deleted, JobsPage *page)
{
    int64_t end = INT64_MAX;
    if (cut_page(more_jobs, &page->n))
        end = page->jobs[page->n - 1].revision;
    if (cut_page(more_deleted, &page->n_deleted) &&
        page->deleted[page->n_deleted - 1].revision < end)
        end = page->deleted[page->n_deleted - 1].revision;
    page->more = end < INT64_MAX;
    if (!page->more)
        return;
    while (page->n > 0 && page->jobs[page->n - 1].revision > end)
        page->n--;
    while (page->n_deleted > 0 && page->deleted[page->n_deleted - 1].revision > end)
        page->n_deleted--;
    page->revision = end;
}

static const char *page_next(const ApiRequest *req, const JobsPage *page)
{
    if (!page->more)
        return NULL;
    return page->by_revision ? arena_printf(req->arena, "%lld", (long long)page->revision)
                             : page->jobs[page->n - 1].id;
}

static void write_deleted(JsonWriter *writer, const JobsPage *page)
{
    json_member_array(writer, "deleted");
    for (size_t i = 0; i < page->n_deleted; i++)
        json_put_string(writer, page->deleted[i].id);
    json_close_array(writer);
    json_member_bool(writer, "reset", page->reset);
}

static void write_counts(JsonWriter *writer, const JobsPage *page)
{
    json_member_object(writer, "counts");
    json_member_unsigned(writer, "queued", page->counts->queued);
    json_member_unsigned(writer, "running", page->counts->running);
    json_member_unsigned(writer, "succeeded", page->counts->succeeded);
    json_member_unsigned(writer, "failed", page->counts->failed);
    json_member_unsigned(writer, "cancelled", page->counts->cancelled);
    json_member_bool(writer, "more", page->counts_more);
    json_close_object(writer);
}

Status jobs_page_write(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const JobsPage *page, Error *err)
{
    const char *next = page_next(req, page);
    JsonWriter writer;
    if (page->more && !next)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_array(&writer, "jobs");
    /* the jobs, then the deleted ones */
    for (size_t i = 0; i < page->n; i++) {
        if (i > 0)
            text_putc(&res->body, ',');
        Status status = reply_job(ctx, req, res, &page->jobs[i], err);
        if (status != OK)
            return status;
    }
    json_close_array(&writer);
    if (page->by_revision)
        write_deleted(&writer, page);
    json_member_string(&writer, "next", next);
    json_member_signed(&writer, "revision", page->revision);
    if (*page->searched_to)
        json_member_string(&writer, "searched_to", page->searched_to);
    if (page->counts)
        write_counts(&writer, page);
    json_close_object(&writer);
    return OK;
}

/* Deletions are read after the jobs, so that no deletion in between is missed. */
Status jobs_page_read(const ApiContext *ctx, const ApiRequest *req, const JobFilter *filter,
                      JobsPage *ret_page, Error *err)
{
    JobRecord *jobs = NULL;
    DeletedJob *deleted = NULL;
    int64_t forgotten = 0;
    bool more = false;
    /* read first: a change in the meantime is reported again by the next request, and never
     * missed */
    JobsPage page = {.revision = store_revision(ctx->store), .by_revision = filter->since >= 0};
    Status status = store_job_list(ctx->store, filter, req->arena, &jobs, &page.n, &more, err);
    if (status == OK && page.by_revision)
        status = store_deleted_list(ctx->store, filter->since, filter->limit, req->arena, &deleted,
                                    &page.n_deleted, &forgotten, err);
    if (status != OK)
        return status;
    page.jobs = jobs;
    page.deleted = deleted;
    /* Revision 0 needs no reset: it begins with everything. A revision that this store has not
     * reached is that of another store, as after a restore. */
    page.reset = filter->since > page.revision || (filter->since > 0 && filter->since < forgotten);
    if (page.by_revision)
        cut_changes(more, page.n_deleted == filter->limit, &page);
    else
        page.more = cut_page(more, &page.n);
    *ret_page = page;
    return OK;
}

/* Adds what a request asks for beside the jobs: counts by state, and where a search has ended. */
static Status add_counts(const ApiContext *ctx, const ApiRequest *req, const JobFilter *filter,
                         JobsPage *page, Error *err)
{
    StoreCounts *counts = api_query(req, "include") ? ARENA_NEW(req->arena, 1, StoreCounts) : NULL;
    Status status = arena_status(req->arena, err);
    if (status == OK && counts)
        status =
            store_job_counts(ctx->store, filter, JOBS_COUNTED, counts, &page->counts_more, err);
    if (status == OK && filter->name && !page->more && !page->by_revision)
        status = store_job_searched(ctx->store, filter, page->searched_to, err);
    page->counts = counts;
    return status;
}

Status jobs_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobFilter filter = {0};
    JobsPage page;
    const WaitMemo *memo = NULL;
    Status status = read_filter(req, res, &filter, err);
    const char *type = api_type(req);
    /* a stream, or a page */
    if (status == OK && type && strcmp(type, EVENT_STREAM) == 0)
        return stream_changes(ctx, req, res, &filter, err);
    if (status == OK)
        status = begin_wait(ctx, req, res, filter.since, &memo, err);
    if (status == OK)
        status = jobs_page_read(ctx, req, &filter, &page, err);
    if (status != OK)
        return status;
    /* nothing yet: wait */
    if (page.n == 0 && page.n_deleted == 0 && !page.reset && memo && !res->wait_over) {
        reply_wait(res, jobs_list, memo, "", memo->deadline);
        return OK;
    }
    status = add_counts(ctx, req, &filter, &page, err);
    if (status != OK)
        return status;
    if (page.more)
        reply_next_page(req, res, page.by_revision ? "since" : "cursor", page_next(req, &page));
    return jobs_page_write(ctx, req, res, &page, err);
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
        resource_cache_forget(ctx->resources, req->params[0]);
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
    /* the document exists when the job is done */
    if (!job_state_done(job.state))
        return api_fail(res, PROBLEM_NOT_READY, err, "the job is %s; ask again when it is done",
                        job_state_name(job.state));
    status = store_job_document(ctx->store, job.id, which, req->arena, &text, err);
    if (status != OK)
        return status;
    /* reasons why it is missing */
    if (!text && job.members.total && which == JOB_INVARIANTS)
        return error_set(err, ERR_NOT_FOUND,
                         "an ensemble has the invariants of its members: the columns "
                         "\"drift.NAME\" of its result");
    if (!text)
        return error_set(err, ERR_NOT_FOUND, "the job ended before this document was written");
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
