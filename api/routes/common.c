/* Functions that handlers share: bodies read, the job resource as an answer, lists with a link to
 * the next page, wishes to wait. */
#include "api/routes/common.h"

#include <stdio.h>
#include <string.h>

#include "api/gzip.h"
#include "core/base/hash.h"

Diagnostics *reply_diagnostics(const ApiRequest *req, ApiResponse *res)
{
    res->diag = arena_alloc(req->arena, 1, sizeof *res->diag);
    if (res->diag)
        diagnostics_init(res->diag, req->arena);
    return res->diag;
}

Status reply_read_body(const ApiRequest *req, ApiResponse *res, BodyReader *read, void *self,
                       Error *err)
{
    Diagnostics *diag = reply_diagnostics(req, res);
    bool is_json = true;
    cJSON *tree = NULL;
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = json_parse(req->body, req->body_size, diag, &tree, &is_json, err);
    if (!is_json)
        res->problem = PROBLEM_NOT_JSON;
    if (status != OK)
        return status;
    JsonReader reader = {.arena = req->arena, .diag = diag};
    read(&reader, (JsonValue){tree, ""}, self);
    status = json_read_end(&reader, 0, err);
    cJSON_Delete(tree);
    return status;
}

/* Estimated seconds until the job begins, if the jobs before it take as long as the last ones; -1:
 * unknown. */
static double eta_of(const ApiPace *pace, uint64_t position)
{
    const uint64_t idle = pace->workers - pace->busy;
    if (position < idle)
        return 0;
    if (pace->seconds_per_job <= 0)
        return -1;
    return pace->seconds_per_job * (double)(position - idle + 1) / pace->workers;
}

bool sees_all(const ApiContext *ctx, const ApiRequest *req)
{
    return !ctx->keyring || (req->caller.scopes & SCOPE_ADMIN) ||
           store_tenant_count(ctx->store.store) == 1;
}

Status reply_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                 const JobRecord *job, Error *err)
{
    JobProgress progress;
    JobPlace place = {0};
    ApiPace pace;
    /* the progress of a running job, or its place in the queue */
    bool told =
        job->state == JOB_RUNNING && ctx->host.job_progress(ctx->host.self, job->id, &progress);
    bool queued = job->state == JOB_QUEUED;
    if (job->state == JOB_RUNNING && !told && store_job_waits(ctx->store, job->id)) {
        progress = (JobProgress){.phase = "waiting", .eta_s = -1.0};
        told = true;
    }
    if (queued) {
        Status status = store_job_position(ctx->store, job, &place.position, err);
        if (status != OK)
            return status;
        ctx->host.pace(ctx->host.self, &pace);
        place.eta_s = sees_all(ctx, req) ? eta_of(&pace, place.position) : -1.0;
    }
    job_write(&res->body, job, told ? &progress : NULL, queued ? &place : NULL);
    return OK;
}

Status accepted_model(const ApiContext *ctx, const JobRecord *job, Arena *arena,
                      AcceptedDocument *document, Error *err)
{
    ModelRecord model;
    const Status status = store_model_kept(ctx->store, job->model_id, arena, &model, err);

    if (status == OK) {
        document->model = model.document;
        document->model_size = model.document_size;
    }
    return status == ERR_NOT_FOUND ? OK : status;
}

void reply_html(ApiResponse *res)
{
    res->type = HTML_TYPE;
    text_puts(&res->body, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width\">\n"
                          "<style>:root { color-scheme: light dark; } "
                          "body { font: 1rem/1.6 sans-serif; max-width: 44rem; margin: 2rem auto; "
                          "padding: 0 1rem; } pre { white-space: pre-wrap; }</style>\n");
}

void reply_text(ApiResponse *res, const char *text, size_t size)
{
    text_append(&res->body, text, size);
}

bool reply_tagged(const ApiRequest *req, ApiResponse *res, const char *key)
{
    char digits[HASH_TEXT_MAX];
    Hash hash = hash_bytes(key, strlen(key));
    hash_format(&hash, digits);
    /* the compressed answer has other bytes, so it needs another tag */
    const char *tag =
        arena_printf(req->arena, "\"%.32s%s\"", digits, gzip_wanted(req) ? "-gzip" : "");
    const char *known = api_header(req, "If-None-Match");
    api_add_header(res, "ETag", tag);
    if (!tag || !known || (strcmp(known, "*") != 0 && !strstr(known, tag)))
        return false;
    api_add_header(res, "Vary", "Accept-Encoding");
    res->status = 304;
    return true;
}

void reply_next_page(const ApiRequest *req, ApiResponse *res, const char *parameter,
                     const char *cursor)
{
    Text link = TEXT_INIT;
    const size_t name = strlen(parameter);
    text_printf(&link, "<%s?", req->path);
    /* the query without the old cursor */
    const char *query = strchr(req->target, '?');
    for (query = query ? query + 1 : ""; *query; query += *query == '&') {
        size_t length = strcspn(query, "&");
        if (length > 0 && !(strncmp(query, parameter, name) == 0 && query[name] == '=')) {
            text_append(&link, query, length);
            text_putc(&link, '&');
        }
        query += length;
    }
    text_printf(&link, "%s=%s>; rel=\"next\"", parameter, cursor);
    if (text_ok(&link))
        api_add_header(res, "Link", arena_strdup(req->arena, text_string(&link)));
    text_done(&link);
}

void reply_list_begin(ApiResponse *res, JsonWriter *writer, const char *name)
{
    json_writer_init(writer, &res->body);
    json_open_object(writer);
    json_member_array(writer, name);
}

void reply_list_end(const ApiRequest *req, ApiResponse *res, JsonWriter *writer, const char *cursor)
{
    json_close_array(writer);
    json_member_string(writer, "next", cursor);
    json_close_object(writer);
    if (cursor)
        reply_next_page(req, res, "cursor", cursor);
}

bool reply_later(ApiResponse *res)
{
    res->takes_long = !res->may_take_long;
    return res->takes_long;
}

void reply_wait(ApiResponse *res, ApiHandler again, const void *memo, const char *job_id,
                double deadline)
{
    res->wait.again = again;
    res->wait.until_done = false;
    res->wait.memo = memo;
    res->wait.deadline = deadline;
    snprintf(res->wait.job_id, sizeof res->wait.job_id, "%s", job_id);
}
