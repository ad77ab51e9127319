/* GET /v1/jobs/{id}/result: the stored rows, selected by columns and time, streamed in the format
 * the client asks for. */
#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/result_writer.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"

enum { BLOCK_MEMORY = 64 * 1024 * 1024, TRAJECTORY = -1 };

static const ResultFormat FORMATS[] = {RESULT_JSON, RESULT_NDJSON, RESULT_CSV}; /* as in the table
                                                                                   of routes */

/* A result on its way: owns everything its writer needs, because it outlives the request. */
typedef struct Download {
    Store *store;
    char job_id[JOB_ID_MAX];
    int table;
    Arena *arena; /* of the block in memory */
    ResultWriter *writer;
    Budget *budget; /* NULL: none */
    size_t bytes;   /* of it */
} Download;

static void download_free(void *self)
{
    Download *download = self;
    if (!download)
        return;
    result_writer_free(download->writer);
    arena_free(download->arena);
    if (download->budget)
        budget_give(download->budget, &download->bytes);
    free(download);
}

/* A client may take its time between two pieces: what it keeps here meanwhile is one tile, and that of
 * many clients is small. The numbers of the tile. */
static size_t download_take_tile(Download *download, const ResultRequest *request)
{
    size_t tile = result_tile(request);
    if (!download->budget)
        return tile;
    while (tile > RESULT_TILE_LEAST &&
           !budget_take(download->budget, &download->bytes, tile * sizeof(double)))
        tile = tile / 2 > RESULT_TILE_LEAST ? tile / 2 : RESULT_TILE_LEAST;
    budget_take_anyway(download->budget, &download->bytes, tile * sizeof(double));
    return tile;
}

static void download_release(void *self)
{
    Download *download = self;
    arena_reset(download->arena);
}

static Status download_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    Download *download = self;
    ResultBlock block;
    download_release(download);
    Status status = store_result_block(download->store, download->job_id, download->table, row,
                                       download->arena, &block, err);
    if (status == OK)
        *ret_block = (RowsBlock){block.first_row, block.n_rows, block.rows};
    return status;
}

static Status download_read(void *self, char *buffer, size_t most, size_t *ret_n, Error *err)
{
    Download *download = self;
    *ret_n = result_writer_read(download->writer, buffer, most);
    return *ret_n > 0 ? OK : result_writer_status(download->writer, err);
}

static Status start_download(const ApiContext *ctx, ApiResponse *res, const JobRecord *job,
                             int table, ResultRequest *request, Error *err)
{
    Download *download = calloc(1, sizeof *download);
    if (!download)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    download->store = ctx->store;
    download->table = table;
    memcpy(download->job_id, job->id, sizeof download->job_id);
    download->arena = arena_new(BLOCK_MEMORY);
    download->budget = ctx->downloads;
    request->tile = download_take_tile(download, request);
    RowsSource source = {download, download_block, download_release};
    Status status = download->arena ? result_writer_new(request, &source, &download->writer, err)
                                    : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = result_writer_begin(download->writer, err);
    if (status != OK) {
        download_free(download);
        return status;
    }
    res->stream = (ApiStream){download, download_read, download_free};
    return OK;
}

/* The strings of a JSON array that the store keeps; NULL stands for an empty one. */
static Status read_names(const char *json, Arena *arena, const char ***ret_names, size_t *ret_n,
                         Error *err)
{
    cJSON *array = json ? cJSON_Parse(json) : NULL;
    int count = cJSON_GetArraySize(array);
    const char **names = arena_alloc(arena, (size_t)count + 1, sizeof *names);
    size_t n = 0;
    bool ok = names != NULL && (array || !json);
    for (const cJSON *item = array ? array->child : NULL; ok && item; item = item->next) {
        const char *name = cJSON_GetStringValue(item);
        names[n] = name ? arena_strdup(arena, name) : NULL;
        ok = names[n++] != NULL;
    }
    cJSON_Delete(array);
    if (!ok)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret_names = names;
    *ret_n = n;
    return OK;
}

static Status select_table(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                           ResultRequest *request, int *ret_table, Error *err)
{
    const char **names = NULL;
    size_t n = 0;
    request->table = api_query(req, "table");
    *ret_table = TRAJECTORY;
    if (!request->table)
        return OK;
    Status status = read_names(job->tables, req->arena, &names, &n, err);
    if (status != OK)
        return status;
    size_t i = 0;
    while (i < n && strcmp(names[i], request->table) != 0)
        i++;
    if (i == n)
        return api_fail(res, PROBLEM_PARAMETER, err, "this job has no event \"%.80s\"",
                        request->table);
    *ret_table = (int)i;
    return OK;
}

/* Time of a row. */
static Status row_time(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                       int table, uint64_t row, double *ret_t, Error *err)
{
    ResultBlock block;
    Status status = store_result_block(ctx->store, job->id, table, row, req->arena, &block, err);
    if (status == OK)
        *ret_t = block.rows[(row - block.first_row) * block.n_columns];
    return status;
}

static Status results_find_row(const ApiContext *ctx, const JobRecord *job, int table, double t,
                               uint64_t rows, uint64_t *ret_row, Error *err)
{
    Status status = store_result_find(ctx->store, job->id, table, t, ret_row, err);
    if (status == ERR_NOT_FOUND) {
        *ret_row = rows;
        return OK;
    }
    return status;
}

/* The rows with times between from and to, both included, in the run's direction. */
static Status select_times(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                           const JobRecord *job, int table, ResultRequest *request, Error *err)
{
    double from = 0.0, to = 0.0, first = 0.0, last = 0.0;
    uint64_t rows = request->end;
    Status status = api_query_real(req, res, "from", -DBL_MAX, DBL_MAX, &from, err);
    if (status == OK)
        status = api_query_real(req, res, "to", -DBL_MAX, DBL_MAX, &to, err);
    bool has_from = api_query(req, "from"), has_to = api_query(req, "to");
    if (status != OK || rows == 0 || (!has_from && !has_to))
        return status;
    status = row_time(ctx, req, job, table, 0, &first, err);
    if (status == OK)
        status = row_time(ctx, req, job, table, rows - 1, &last, err);
    if (status == OK && has_from)
        status = results_find_row(ctx, job, table, from, rows, &request->first, err);
    if (status == OK && has_to) {
        double beyond = nextafter(to, last >= first ? INFINITY : -INFINITY);
        status = results_find_row(ctx, job, table, beyond, rows, &request->end, err);
    }
    if (request->first > request->end)
        request->first = request->end;
    return status;
}

static Status select_page(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                          Error *err)
{
    int64_t stride = 1, limit = 0, cursor = -1;
    Status status = api_query_integer(req, res, "stride", 1, INT64_MAX, &stride, err);
    if (status == OK)
        status = api_query_integer(req, res, "limit", 1, INT64_MAX, &limit, err);
    if (status == OK)
        status = api_query_integer(req, res, "cursor", 0, INT64_MAX, &cursor, err);
    if (status != OK)
        return status;
    request->stride = (uint64_t)stride;
    request->limit = (uint64_t)limit;
    if (cursor >= 0)
        request->first = (uint64_t)cursor < request->end ? (uint64_t)cursor : request->end;
    uint64_t next;
    result_rows(request, &next);
    if (next < request->end) {
        request->next = arena_printf(req->arena, "%llu", (unsigned long long)next);
        if (!request->next)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        reply_next_page(req, res, "cursor", request->next);
    }
    return OK;
}

/* Strong: a finished result never changes, and the writer gives the same bytes every time. */
static bool not_modified(const ApiRequest *req, ApiResponse *res, const JobRecord *job)
{
    char digits[HASH_TEXT_MAX];
    if (!job_state_done(job->state))
        return false;
    const char *query = strchr(req->target, '?');
    const char *key =
        arena_printf(req->arena, "%s %lld %s %s %s", job->id, (long long)job->revision,
                     job->result_hash ? job->result_hash : "", api_type(req), query ? query : "");
    if (!key)
        return false;
    Hash hash = hash_bytes(key, strlen(key));
    hash_format(&hash, digits);
    const char *tag = arena_printf(req->arena, "\"%.32s\"", digits);
    api_add_header(res, "ETag", tag);
    const char *known = api_header(req, "If-None-Match");
    return tag && known && (strcmp(known, "*") == 0 || strstr(known, tag));
}

Status jobs_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job;
    const char **names = NULL;
    int table = TRAJECTORY;
    ResultRequest request = {.format = FORMATS[req->type]};

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status == OK)
        status = read_names(job.columns, req->arena, &names, &request.n_names, err);
    if (status != OK)
        return status;
    if (!job.columns && (api_query(req, "columns") || api_query(req, "table")))
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: its columns and tables are there from the start of its run",
                        job_state_name(job.state));
    /* each step narrows what is sent: table, columns, times, page */
    request.names = names;
    request.complete = job.complete;
    status = select_table(req, res, &job, &request, &table, err);
    if (status == OK && job.columns)
        status = store_result_rows(ctx->store, job.id, table, &request.end, err);
    if (status == OK)
        status = columns_select(req, res, &request, err);
    if (status == OK)
        status = select_times(ctx, req, res, &job, table, &request, err);
    if (status == OK)
        status = select_page(req, res, &request, err);
    if (status != OK)
        return status;
    /* the client may have it already; otherwise it is read while it is sent */
    res->type = result_content_type(request.format);
    api_add_header(res, "Vary", "Accept");
    if (not_modified(req, res, &job)) {
        res->status = 304;
        return OK;
    }
    return start_download(ctx, res, &job, table, &request, err);
}
