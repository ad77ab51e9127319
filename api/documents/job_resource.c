/* The job resource as JSON: its record in the store, its progress while it runs, its links. */
#include "api/documents/documents.h"

#include <math.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/base/clock.h"
#include "core/program/program.h"

#ifndef DALEMBERT_VERSION
#define DALEMBERT_VERSION "unknown"
#endif

static void member_time(JsonWriter *writer, const char *name, int64_t unix_ms)
{
    char text[CLOCK_TEXT_MAX];

    if (unix_ms != 0)
        clock_format(unix_ms, text);
    json_member_string(writer, name, unix_ms != 0 ? text : NULL);
}

static void put_progress(JsonWriter *writer, const JobRecord *job, const JobProgress *progress)
{
    json_key(writer, "progress");
    /* no worker of this process runs it: the fraction from the store */
    if (!progress) {
        json_open_object(writer);
        if (job->members.total > 0)
            json_member_number(writer, "fraction",
                               (double)job->members.done / (double)job->members.total);
        else if (job->state == JOB_SUCCEEDED || job->state == JOB_QUEUED)
            json_member_number(writer, "fraction", job->state == JOB_SUCCEEDED ? 1 : 0);
        else
            json_member_raw(writer, "fraction", NULL);
        json_close_object(writer);
        return;
    }
    json_open_object(writer);
    double eta = progress->eta_s;
    /* a motion by its time, an ensemble by its members */
    if (job->members.total == 0) {
        json_member_number(writer, "fraction", progress->fraction);
        json_member_number(writer, "t", progress->t);
        json_member_unsigned(writer, "steps", progress->steps);
    } else {
        const double total = (double)job->members.total;
        const double ended = (double)(job->members.done + progress->unstored);
        const double left = ended < total ? total - ended : 0;
        json_member_number(writer, "fraction", (total - left) / total);
        json_member_number(writer, "rate", progress->rate > 0 ? progress->rate : (double)NAN);
        eta = progress->rate > 0 ? left / progress->rate : -1;
    }
    if (eta >= 0)
        json_member_number(writer, "eta_s", eta);
    else
        json_member_raw(writer, "eta_s", NULL);
    json_close_object(writer);
}

/* The counts of an ensemble's members whose rows are visible: members of unfinished ranges do not
 * count. */
static void put_members(JsonWriter *writer, const JobRecord *job)
{
    if (job->members.total == 0) {
        json_member_raw(writer, "members", NULL);
        json_member_raw(writer, "design", NULL);
        return;
    }
    json_member_object(writer, "members");
    json_member_unsigned(writer, "total", job->members.total);
    json_member_unsigned(writer, "done", job->members.done);
    json_member_unsigned(writer, "succeeded", job->members.done - job->members.failed);
    json_member_unsigned(writer, "failed", job->members.failed);
    json_close_object(writer);
    json_member_raw(writer, "design", job->members.design);
}

static void put_queue(JsonWriter *writer, const JobPlace *place)
{
    if (!place) {
        json_member_raw(writer, "queue", NULL);
        return;
    }
    json_member_object(writer, "queue");
    json_member_unsigned(writer, "position", place->position);
    json_member_number(writer, "eta_s", place->eta_s >= 0 ? place->eta_s : (double)NAN);
    json_close_object(writer);
}

static void put_provenance(JsonWriter *writer, const JobRecord *job)
{
    json_member_object(writer, "provenance");
    json_member_string(writer, "version", DALEMBERT_VERSION);
    json_member_string(writer, "formulation", job->formulation);
    json_member_string(writer, "method", job->method);
    json_member_string(writer, "evaluator", program_evaluator());
    json_member_string(writer, "request_hash", job->request_hash);
    json_member_string(writer, "result_hash", job->result_hash);
    if (job->reused.job) {
        json_member_object(writer, "reused");
        json_member_string(writer, "job", job->reused.job);
        member_time(writer, "finished", job->reused.finished_ms);
        json_close_object(writer);
    } else {
        json_member_raw(writer, "reused", NULL);
    }
    json_close_object(writer);
}

static void put_trace(JsonWriter *writer, const JobTrace *trace)
{
    if (!trace->request_id) {
        json_member_raw(writer, "trace", NULL);
        return;
    }
    json_member_object(writer, "trace");
    json_member_string(writer, "request_id", trace->request_id);
    json_member_string(writer, "traceparent", trace->traceparent);
    json_close_object(writer);
}

/* The state of a notification: due, delivered or given up. */
static const char *calls_state(const JobRecord *job)
{
    if (!job_state_done(job->state))
        return "waiting";
    if (job->calls.delivered_ms != 0)
        return "delivered";
    if (job->calls.next_ms != 0)
        return "pending";
    return job->calls.attempts > 0 ? "given_up" : "not_wanted";
}

static void put_notify(JsonWriter *writer, const JobRecord *job)
{
    const JobCalls *calls = &job->calls;

    if (!job->notify.url) {
        json_member_raw(writer, "notify", NULL);
        return;
    }
    /* the request, then the attempts */
    json_member_object(writer, "notify");
    json_member_string(writer, "url", job->notify.url);
    json_member_raw(writer, "on", job->notify.on);
    json_member_string(writer, "state", calls_state(job));
    json_member_unsigned(writer, "attempts", calls->attempts);
    member_time(writer, "last_attempt", calls->last_ms);
    json_member_number(writer, "last_status", calls->status ? calls->status : (double)NAN);
    json_member_string(writer, "last_error", calls->error);
    member_time(writer, "next_attempt", calls->next_ms);
    member_time(writer, "delivered", calls->delivered_ms);
    json_close_object(writer);
}

/* The condition of a link: the job has the resource, so that a request to it answers. */
typedef enum LinkNeeds {
    NEEDS_NOTHING,
    NEEDS_NO_END,
    NEEDS_END,
    NEEDS_RUN,
    NEEDS_EVIDENCE
} LinkNeeds;

static bool link_works(LinkNeeds needs, const JobRecord *job)
{
    switch (needs) {
    case NEEDS_NO_END:
        return !job_state_done(job->state);
    case NEEDS_END:
        return job_state_done(job->state);
    case NEEDS_RUN: /* its rows have columns */
        return job->columns != NULL;
    case NEEDS_EVIDENCE: /* written together with the hash */
        return job->result_hash != NULL;
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

static void put_links(JsonWriter *writer, const JobRecord *job)
{
    static const struct {
        const char *name, *path;
        enum { OF_ANY, OF_MOTION, OF_ENSEMBLE } of;
        LinkNeeds needs;
    } LINKS[] = {{"self", "", OF_ANY, NEEDS_NOTHING},
                 {"request", "/request", OF_ANY, NEEDS_NOTHING},
                 {"stream", "/stream", OF_ANY, NEEDS_NO_END},
                 {"cancel", "/cancel", OF_ANY, NEEDS_NO_END},
                 {"rerun", "/rerun", OF_ANY, NEEDS_END},
                 {"result", "/result", OF_ANY, NEEDS_NOTHING},
                 {"scene", "/scene", OF_MOTION, NEEDS_RUN},
                 {"plot", "/plot.svg", OF_MOTION, NEEDS_RUN},
                 {"members", "/members", OF_ENSEMBLE, NEEDS_NOTHING},
                 {"statistics", "/statistics", OF_ENSEMBLE, NEEDS_NOTHING},
                 {"diagnostics", "/diagnostics", OF_ANY, NEEDS_EVIDENCE},
                 {"invariants", "/invariants", OF_MOTION, NEEDS_EVIDENCE}};
    const bool ensemble = job->members.total > 0;

    json_member_object(writer, "links");
    for (size_t i = 0; i < sizeof LINKS / sizeof LINKS[0]; i++) {
        if (!link_works(LINKS[i].needs, job) || LINKS[i].of == (ensemble ? OF_MOTION : OF_ENSEMBLE))
            continue;
        json_key(writer, LINKS[i].name);
        text_printf(writer->out, "\"/v1/jobs/%s%s\"", job->id, LINKS[i].path);
        writer->comma = true;
    }
    json_close_object(writer);
}

void job_write(Text *out, const JobRecord *job, const JobProgress *progress, const JobPlace *place)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    json_member_string(w, "id", job->id);
    json_member_string(w, "state", job_state_name(job->state));
    json_member_bool(w, "done", job_state_done(job->state));
    json_member_string(w, "phase", progress ? progress->phase : NULL);
    json_member_string(w, "reason", job->reason);
    put_progress(w, job, progress);
    put_queue(w, place);
    json_member_unsigned(w, "attempt", job->attempt);
    json_member_signed(w, "priority", job->priority);
    member_time(w, "created", job->created_ms);
    member_time(w, "started", job->started_ms);
    member_time(w, "finished", job->finished_ms);
    member_time(w, "not_after", job->not_after_ms);
    json_member_signed(w, "revision", job->revision);
    /* the client's input */
    json_member_object(w, "model");
    json_member_string(w, "id", job->model_id);
    json_member_string(w, "name", job->model_name);
    json_close_object(w);
    json_member_raw(w, "labels", job->labels ? job->labels : "{}");
    /* the outcome */
    json_member_bool(w, "cancel_requested", job->cancel_requested);
    json_member_bool(w, "complete", job->complete);
    json_member_bool(w, "cached", job->reused.job != NULL);
    json_member_unsigned(w, "rows", job->rows);
    json_member_raw(w, "tables", job->tables ? job->tables : "[]");
    json_member_raw(w, "warnings", job->warnings ? job->warnings : "[]");
    json_member_raw(w, "error", job->error);
    json_member_raw(w, "digest", job->digest);
    put_members(w, job);
    put_notify(w, job);
    put_trace(w, &job->trace);
    put_provenance(w, job);
    put_links(w, job);
    json_close_object(w);
}
