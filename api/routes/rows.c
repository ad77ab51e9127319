/* Downloads: they outlive their request, and own everything that their writer needs. */
#include "api/routes/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/column_list.h"
#include "api/routes/common.h"

typedef struct Download {
    RowsSource source;
    void (*free_source)(void *self);
    ResultWriter *writer;
    Budget *budget; /* NULL: no limit */
    size_t bytes;   /* held of the budget */
} Download;

ResultFormat reply_format(const ApiRequest *req)
{
    static const ResultFormat FORMATS[] = {RESULT_JSON, RESULT_NDJSON, RESULT_CSV, RESULT_NPY,
                                           RESULT_NPY};

    return FORMATS[req->type];
}

Status reply_names(const char *json, Arena *arena, const char ***ret_names, size_t *ret_n,
                   Error *err)
{
    const char **units;

    return column_list_read(json, arena, ret_names, &units, ret_n, err);
}

Status reply_columns(const char *json, Arena *arena, ResultRequest *request, Error *err)
{
    const char **names = NULL, **units = NULL;
    const Status status = column_list_read(json, arena, &names, &units, &request->n_names, err);

    request->names = names;
    request->units = units;
    return status;
}

/* The tag is strong: a finished result never changes, and a version of the program gives the same
 * bytes every time. */
static bool tag_is_known(const ApiRequest *req, ApiResponse *res, const JobRecord *job)
{
    if (!job_state_done(job->state))
        return false;
    const char *query = strchr(req->target, '?');
    const char *key =
        arena_printf(req->arena, "%s %lld %s %s %s %s", job->id, (long long)job->revision,
                     job->result_hash ? job->result_hash : "", api_type(req), query ? query : "",
                     DALEMBERT_VERSION);
    return key && reply_tagged(req, res, key);
}

bool reply_not_modified(const ApiRequest *req, ApiResponse *res, const JobRecord *job)
{
    res->type = result_content_type(reply_format(req));
    api_add_header(res, "Vary", "Accept");
    return tag_is_known(req, res, job);
}

Status reply_more(const ApiRequest *req, ApiResponse *res, ResultRequest *request, Error *err)
{
    uint64_t next;

    result_rows(request, &next);
    if (next >= request->end)
        return OK;
    request->next = arena_printf(req->arena, "%" PRIu64, next);
    if (!request->next)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    reply_next_page(req, res, "cursor", request->next);
    return OK;
}

static void download_free(void *self)
{
    Download *download = self;
    if (!download)
        return;
    result_writer_free(download->writer);
    download->free_source(download->source.self);
    if (download->budget)
        budget_give(download->budget, &download->bytes);
    free(download);
}

static size_t half_of(size_t tile, size_t least)
{
    return tile / 2 > least ? tile / 2 : least;
}

/* Between two reads of a slow client, a download holds one tile in memory. Tiles are therefore
 * small when many clients download. */
size_t reply_tile(Budget *budget, size_t *holding, size_t wanted)
{
    size_t tile = wanted;

    if (!budget)
        return tile;
    const size_t most = budget_left(budget) / 2 / sizeof(double);
    while (tile > RESULT_TILE_FAIR && tile > most)
        tile = half_of(tile, RESULT_TILE_FAIR);
    while (tile > RESULT_TILE_LEAST && !budget_take(budget, holding, tile * sizeof(double)))
        tile = half_of(tile, RESULT_TILE_LEAST);
    budget_take_anyway(budget, holding, tile * sizeof(double));
    return tile;
}

static Status download_read(void *self, char *buffer, size_t most, size_t *ret_n, Error *err)
{
    Download *download = self;
    *ret_n = result_writer_read(download->writer, buffer, most);
    return *ret_n > 0 ? OK : result_writer_status(download->writer, err);
}

Status reply_rows(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                  void (*free_source)(void *self), ResultRequest *request, Error *err)
{
    Download *download = calloc(1, sizeof *download);
    if (!download) {
        free_source(source->self);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    download->source = *source;
    download->free_source = free_source;
    download->budget = ctx->downloads;
    /* the tile is paid by the budget */
    const size_t wanted = result_tile(request);
    const bool lowered = request->tile > 0 && request->tile < wanted;
    request->tile = reply_tile(ctx->downloads, &download->bytes, lowered ? request->tile : wanted);
    /* errors before the first byte still become a problem document */
    Status status = result_writer_new(request, source, &download->writer, err);
    if (status == OK)
        status = result_writer_begin(download->writer, err);
    if (status != OK) {
        download_free(download);
        return status;
    }
    res->stream = (ApiStream){.self = download, .read = download_read, .free = download_free};
    return OK;
}
