/* GET /v1/jobs/{id}/stream, and GET /v1/jobs as a stream: server-sent events.
 *
 * The id of an event is a revision: a client that reconnects with Last-Event-ID gets all later
 * changes. An event shows the state at the time of sending. A slow reader therefore misses
 * intermediate states, and no events pile up here. Between events the stream waits like a request
 * that waits for a job, and counts as one. If there are too many of them, the stream ends and the
 * client must reconnect. */
#include "api/routes/stream.h"

#include <stdlib.h>
#include <string.h>

#include "api/routes/common.h"
#include "api/routes/jobs_page.h"
#include "api/routes/routes.h"
#include "core/base/clock.h"

enum { PAGE = 50, STREAM_MEMORY = 16 * 1024 * 1024 };

/* Seconds between two looks: for progress, and for changes that became visible after the
 * wake-up. */
static const double LOOK_SECONDS = 1;
/* Seconds between two beats, which reveal a lost connection. */
static const double BEAT_SECONDS = 15;

typedef struct Events {
    const ApiContext *ctx;
    Arena *arena;
    char job_id[JOB_ID_MAX]; /* empty: the changes of all jobs */
    int64_t known;           /* the last revision sent */
    bool ended;
    double last_told; /* of clock_seconds() */
    ApiResponse out;  /* its body is to be sent, `at` bytes of it already were */
    size_t at;
} Events;

static void events_free(void *self)
{
    Events *events = self;
    api_response_done(&events->out);
    arena_free(events->arena);
    free(events);
}

/* Begins an event. The caller appends its data, one line. */
static void begin_event(Events *events, const char *name, int64_t id)
{
    text_printf(&events->out.body, "event: %s\n", name);
    if (id >= 0)
        text_printf(&events->out.body, "id: %lld\n", (long long)id);
    text_puts(&events->out.body, "data: ");
}

static void end_event(Events *events)
{
    text_puts(&events->out.body, "\n\n");
    events->last_told = clock_seconds();
}

static void put_beat(Events *events)
{
    if (clock_seconds() - events->last_told < BEAT_SECONDS)
        return;
    text_puts(&events->out.body, ": nothing new");
    end_event(events);
}

static Status tell_job(Events *events, const JobRecord *job, const char *name, int64_t id,
                       Error *err)
{
    const ApiRequest req = {.arena = events->arena};
    begin_event(events, name, id);
    Status status = reply_job(events->ctx, &req, &events->out, job, err);
    end_event(events);
    return status;
}

static Status fill_from_job(Events *events, Error *err)
{
    JobRecord job;
    Status status = store_job_get(events->ctx->store, events->job_id, events->arena, &job, err);
    if (status == ERR_NOT_FOUND) {
        begin_event(events, "deleted", -1);
        text_printf(&events->out.body, "{\"id\":\"%s\"}", events->job_id);
        end_event(events);
        events->ended = true;
        return OK;
    }
    if (status != OK)
        return status;
    /* a new revision, or progress of a running job, or a beat */
    if (job.revision != events->known) {
        events->known = job.revision;
        events->ended = job_state_done(job.state);
        return tell_job(events, &job, events->ended ? "done" : "state", job.revision, err);
    }
    if (job.state == JOB_RUNNING && clock_seconds() - events->last_told >= LOOK_SECONDS)
        return tell_job(events, &job, "progress", -1, err);
    put_beat(events);
    return OK;
}

static Status fill_from_changes(Events *events, Error *err)
{
    const ApiRequest req = {.arena = events->arena};
    const JobFilter filter = {.since = events->known, .limit = PAGE + 1};
    JobsPage page = {0};
    Status status = OK;
    if (store_revision(events->ctx->store) != events->known)
        status = jobs_page_read(events->ctx, &req, &filter, &page, err);
    if (status != OK)
        return status;
    /* changes, or a beat */
    if (page.n + page.n_deleted == 0 && !page.reset) {
        put_beat(events);
        return OK;
    }
    begin_event(events, "changes", page.revision);
    status = jobs_page_write(events->ctx, &req, &events->out, &page, err);
    end_event(events);
    events->known = page.revision;
    return status;
}

static Status events_fill(Events *events, Error *err)
{
    text_done(&events->out.body);
    events->at = 0;
    arena_reset(events->arena);
    if (events->ended)
        return OK;
    Status status = *events->job_id ? fill_from_job(events, err) : fill_from_changes(events, err);
    if (status == OK && !text_ok(&events->out.body))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    return status == OK ? arena_status(events->arena, err) : status;
}

static Status events_read(void *self, char *buffer, size_t most, size_t *ret_n, Error *err)
{
    Events *events = self;
    const Text *text = &events->out.body;
    Status status = events->at == text->length ? events_fill(events, err) : OK;
    if (status != OK)
        return status;
    const size_t left = text->length - events->at, n = left < most ? left : most;
    if (n > 0)
        memcpy(buffer, text->data + events->at, n);
    events->at += n;
    *ret_n = n;
    return OK;
}

static bool events_wait(void *self, char ret_job_id[JOB_ID_MAX], double *ret_deadline)
{
    const Events *events = self;
    memcpy(ret_job_id, events->job_id, sizeof events->job_id);
    *ret_deadline = clock_seconds() + LOOK_SECONDS;
    return !events->ended;
}

static Status begin_stream(const ApiContext *ctx, ApiResponse *res, const char *job_id,
                           int64_t known, Error *err)
{
    Events *events = calloc(1, sizeof *events);
    Arena *arena = arena_new(STREAM_MEMORY);
    if (!events || !arena) {
        free(events);
        arena_free(arena);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *events = (Events){.ctx = ctx, .arena = arena, .known = known, .last_told = clock_seconds()};
    api_response_init(&events->out);
    memcpy(events->job_id, job_id, strlen(job_id) + 1);
    text_puts(&events->out.body, "retry: 1000\n\n");
    res->stream = (ApiStream){events, events_read, events_free, events_wait};
    return OK;
}

/* The revision in Last-Event-ID; false if it is missing or not a number. */
static bool read_last_id(const ApiRequest *req, int64_t *ret_revision)
{
    const char *text = api_header(req, "Last-Event-ID");
    char *end = NULL;
    if (!text || *text < '0' || *text > '9')
        return false;
    const long long value = strtoll(text, &end, 10);
    if (*end)
        return false;
    *ret_revision = value;
    return true;
}

/* A client that has seen the end gets 204, so that it does not reconnect. */
Status jobs_stream(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job;
    int64_t known = -1;
    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status != OK)
        return status;
    (void)read_last_id(req, &known);
    if (job_state_done(job.state) && known == job.revision) {
        res->status = 204;
        return OK;
    }
    return begin_stream(ctx, res, job.id, known, err);
}

Status stream_changes(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                      const JobFilter *filter, Error *err)
{
    int64_t known = filter->since;
    if (filter->by_state || filter->model_id || filter->n_labels || filter->before ||
        api_query(req, "limit") || api_query(req, "wait"))
        return api_fail(res, PROBLEM_PARAMETER, err, "a stream of changes takes only since");
    if (!read_last_id(req, &known) && known < 0)
        known = store_revision(ctx->store);
    return begin_stream(ctx, res, "", known, err);
}
