/* POST /v1/jobs:batch: many jobs, accepted in one transaction, all or none.
 *
 * The documents are cut out of the body, so that each is read, hashed and stored as if it had been
 * posted alone, within the limits of one document. They are read one after the other in the same
 * scratch memory; only the data for a job's record is kept. */
#include <string.h>

#include "api/documents/batch.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "api/routes/submit.h"

typedef struct Batch {
    const ApiContext *ctx;
    const ApiRequest *req;
    ApiResponse *res;
    const BatchItem *items; /* n */
    JobDraft *drafts;
    size_t n;
    Arena scratch; /* of the document being read */
} Batch;

static Status keep_text(Arena *arena, const char **text, Error *err)
{
    if (*text)
        *text = arena_strdup(arena, *text);
    return arena_status(arena, err);
}

/* Copies the model's text, or shares it with an earlier job of the same model: neighbors mostly
 * have the same model, or the batch has few. */
static Status keep_model(const Batch *batch, size_t k, Error *err)
{
    JobDraft *draft = &batch->drafts[k];
    if (!draft->model)
        return OK;
    for (size_t i = k; i-- > 0;)
        if (batch->drafts[i].model && strcmp(batch->drafts[i].model_id, draft->model_id) == 0) {
            draft->model = batch->drafts[i].model;
            return OK;
        }
    draft->model = arena_strndup(batch->req->arena, draft->model, draft->model_size);
    return arena_status(batch->req->arena, err);
}

/* Copies all borrowed texts of the draft into the request's memory. */
static Status keep_draft(const Batch *batch, size_t k, Error *err)
{
    JobDraft *draft = &batch->drafts[k];
    const char **texts[] = {&draft->request_hash,  &draft->model_id,    &draft->model_name,
                            &draft->labels,        &draft->formulation, &draft->notify.url,
                            &draft->notify.origin, &draft->notify.on,   &draft->reuse_key};
    Status status = keep_model(batch, k, err);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == OK; i++)
        status = keep_text(batch->req->arena, texts[i], err);
    return status;
}

/* Adds the mistakes of one document to those of the batch. */
static void tell_mistakes(const Batch *batch, size_t k, const Diagnostics *diag, bool is_json)
{
    Diagnostics *all = batch->res->diag;
    const size_t before = is_json ? 0 : text_characters(batch->req->body, batch->items[k].start);
    for (size_t i = 0; i < diag->count; i++) {
        const Diagnostic *item = &diag->items[i];
        const char *pointer =
            arena_printf(batch->req->arena, "/jobs/%zu%s", k, is_json ? item->pointer : "");
        diagnostics_add(all, pointer ? pointer : "",
                        item->offset < 0 ? -1 : item->offset + (long)before, item->hint, "%s",
                        item->message);
    }
    all->total += diag->total - diag->count;
    all->no_memory = all->no_memory || diag->no_memory;
}

/* Reads one document into its draft, or adds its mistakes. An error ends the batch. */
static Status read_one(Batch *batch, size_t k, Error *err)
{
    const BatchItem *item = &batch->items[k];
    const char *bytes = batch->req->body + item->start;
    const JobSource source = {.bytes = bytes, .size = item->size};
    Diagnostics *diag = ARENA_NEW(&batch->scratch, 1, Diagnostics);
    PreparedJob prepared = {0};
    bool is_json = true;
    /* mistakes are collected, so that the answer lists those of all documents */
    if (!diag)
        return arena_status(&batch->scratch, err);
    diagnostics_init(diag, &batch->scratch);
    Status status = prepared_job_init(&prepared, &batch->ctx->setting, &source, &batch->scratch,
                                      diag, &is_json, err);
    if (diag->total > 0)
        tell_mistakes(batch, k, diag, is_json);
    if (!is_json)
        batch->res->problem = PROBLEM_NOT_JSON;
    if (status != OK)
        return status == ERR_INVALID && is_json && diag->total > 0 ? OK : status;
    /* the draft */
    status = submission_draft(batch->ctx, &prepared, bytes, item->size, batch->req->arena,
                              &batch->drafts[k], err);
    batch->drafts[k].trace = batch->req->trace;
    if (status == OK)
        status = keep_draft(batch, k, err);
    prepared_job_done(&prepared);
    return status;
}

static Status read_all(Batch *batch, Error *err)
{
    Status status = OK;
    for (size_t k = 0; k < batch->n && status == OK; k++) {
        status = read_one(batch, k, err);
        arena_done(&batch->scratch);
    }
    if (status == OK && batch->res->diag->total > 0)
        status = error_set(err, ERR_INVALID, "%s", batch->res->diag->items[0].message);
    return status;
}

/* An idempotency key stands for the whole batch. */
static Status set_keys(const Batch *batch, const char *key, Error *err)
{
    static const char KIND[] = "batch ";
    Arena *arena = batch->req->arena;
    char digest[HASH_TEXT_MAX];
    if (!key)
        return OK;
    /* with its own prefix, so that a single job with these bytes has another digest */
    Hash hash = hash_bytes(batch->req->body, batch->req->body_size);
    hash_format(&hash, digest);
    const char *both = arena_join(arena, KIND, digest, "");
    if (!both)
        return arena_status(arena, err);
    hash = hash_bytes(both, strlen(both));
    hash_format(&hash, digest);
    const char *kept = arena_strdup(arena, digest);
    for (size_t k = 0; k < batch->n; k++) {
        batch->drafts[k].idempotency_key = k == 0 ? key : batch_key(key, k, arena);
        batch->drafts[k].idempotency_digest = kept;
    }
    return arena_status(arena, err);
}

/* Writes the jobs in the order of the documents; null if a job of the replayed batch was
 * deleted. */
static Status reply_jobs(const Batch *batch, const JobRecord *jobs, bool replayed, Error *err)
{
    JsonWriter writer;
    if (replayed)
        api_add_header(batch->res, "Idempotency-Replayed", "true");
    json_writer_init(&writer, &batch->res->body);
    json_open_object(&writer);
    json_member_array(&writer, "jobs");
    /* a replayed job may be deleted */
    for (size_t k = 0; k < batch->n; k++) {
        if (k > 0)
            text_putc(&batch->res->body, ',');
        Status status = OK;
        if (*jobs[k].id)
            status = reply_job(batch->ctx, batch->req, batch->res, &jobs[k], err);
        else
            text_puts(&batch->res->body, "null");
        if (status != OK)
            return status;
    }
    json_close_array(&writer);
    json_close_object(&writer);
    return OK;
}

static Status add_jobs(Batch *batch, const char *key, JobRecord *jobs, Error *err)
{
    bool replayed = false;
    const ApiContext *ctx = batch->ctx;
    Status status = read_all(batch, err);
    if (status == OK)
        status = set_keys(batch, key, err); /* again, because reading replaced the drafts */
    if (status == OK && !api_claim(batch->res->claim, API_CLAIM_STORING))
        status = error_set(err, ERR_CANCELLED, "the client was told to try again");
    if (status == OK)
        status = store_jobs_add(ctx->store, batch->drafts, batch->n, batch->req->arena, jobs,
                                &replayed, err);
    if (status == ERR_CONFLICT && key)
        batch->res->problem = PROBLEM_KEY_REUSED;
    if (status == ERR_LIMIT)
        batch->res->problem = PROBLEM_QUOTA;
    for (size_t k = 0; k < batch->n && status == OK && !replayed; k++)
        submission_tell(ctx, &jobs[k]);
    return status == OK ? reply_jobs(batch, jobs, replayed, err) : status;
}

/* A retry gets the answer of the first request (*ret_found), even if a model was deleted since. */
static Status find_jobs(Batch *batch, const char *key, JobRecord *jobs, bool *ret_found, Error *err)
{
    const ApiContext *ctx = batch->ctx;
    Status status = set_keys(batch, key, err);
    *ret_found = false;
    if (status != OK || !key)
        return status;
    status = store_jobs_replay(ctx->store, batch->drafts, batch->n, batch->req->arena, jobs, err);
    *ret_found = status == OK;
    if (status == ERR_CONFLICT)
        batch->res->problem = PROBLEM_KEY_REUSED;
    return status == ERR_NOT_FOUND ? OK : status;
}

Status jobs_batch(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    Batch batch = {.ctx = ctx, .req = req, .res = res};
    const char *key;
    bool is_json = true, found = false;
    /* the key, and the documents in the body */
    Status status = submission_key(req, res, &key, err);
    if (status != OK || reply_later(res))
        return status;
    Diagnostics *diag = reply_diagnostics(req, res);
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    status = batch_cut(req->body, req->body_size, req->arena, diag, &batch.items, &batch.n,
                       &is_json, err);
    if (!is_json)
        res->problem = PROBLEM_NOT_JSON;
    if (status != OK)
        return status;

    /* an earlier request with this key, or a new one */
    batch.drafts = ARENA_NEW(req->arena, batch.n, JobDraft);
    JobRecord *jobs = ARENA_NEW(req->arena, batch.n, JobRecord);
    if (!batch.drafts || !jobs)
        return arena_status(req->arena, err);
    status = find_jobs(&batch, key, jobs, &found, err);
    if (status != OK)
        return status;
    return found ? reply_jobs(&batch, jobs, true, err) : add_jobs(&batch, key, jobs, err);
}
