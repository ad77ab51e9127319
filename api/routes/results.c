/* GET /v1/jobs/{id}/result: the stored rows, selected by columns and time, streamed in the format
 * the client asks for. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/extremes.h"
#include "api/documents/result_writer.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/ensemble.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"

enum { BLOCK_MEMORY = 64 * 1024 * 1024, TRAJECTORY = -1 };

/* Rows of a table of a job, block by block. */
typedef struct StoredRows {
    Store *store;
    char job_id[JOB_ID_MAX];
    int table;
    Arena *arena; /* of the block in memory */
} StoredRows;

static void stored_free(void *self)
{
    StoredRows *stored = self;
    arena_free(stored->arena);
    free(stored);
}

static void stored_release(void *self)
{
    StoredRows *stored = self;
    arena_reset(stored->arena);
}

static Status stored_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    StoredRows *stored = self;
    ResultBlock block;
    stored_release(stored);
    Status status = store_result_block(stored->store, stored->job_id, stored->table, row,
                                       stored->arena, &block, err);
    if (status == OK)
        *ret_block = (RowsBlock){block.first_row, block.n_rows, block.rows};
    return status;
}

/* The rows asked for, as few as asked for. */
static Status reply_extremes(const ApiContext *ctx, ApiResponse *res, const RowsSource *stored,
                             uint64_t buckets, ResultRequest *request, Error *err)
{
    const uint64_t n = request->end - request->first;
    RowsSource few;

    Status status =
        extremes_new(stored, stored_free, request->n_names, request->first, n, buckets, &few, err);
    if (status != OK)
        return status;
    request->first = 0;
    request->end = extremes_rows(n, buckets);
    return reply_rows(ctx, res, &few, extremes_free, request, err);
}

static Status start_download(const ApiContext *ctx, ApiResponse *res, const JobRecord *job,
                             int table, uint64_t buckets, ResultRequest *request, Error *err)
{
    StoredRows *stored = calloc(1, sizeof *stored);
    if (!stored)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    stored->store = ctx->store;
    stored->table = table;
    memcpy(stored->job_id, job->id, sizeof stored->job_id);
    stored->arena = arena_new(BLOCK_MEMORY);
    if (!stored->arena) {
        stored_free(stored);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    const RowsSource source = {stored, stored_block, stored_release};
    if (buckets == 0)
        return reply_rows(ctx, res, &source, stored_free, request, err);
    return reply_extremes(ctx, res, &source, buckets, request, err);
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
    Status status = reply_names(job->tables, req->arena, &names, &n, err);
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
    return reply_more(req, res, request, err);
}

/* Few rows that keep what stands out: the buckets of extremes.h; 0: all are as few. */
static Status select_points(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                            uint64_t *ret_buckets, Error *err)
{
    static const char *const PAGES[] = {"stride", "limit", "cursor"};
    int64_t points = 0;

    Status status = api_query_integer(req, res, "points", 1, EXTREMES_BUCKETS_MAX, &points, err);
    if (status != OK || points == 0)
        return status;
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++)
        if (api_query(req, PAGES[i]))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "\"points\" chooses of all rows between \"from\" and \"to\": not "
                            "together with \"%s\"",
                            PAGES[i]);
    const uint64_t n = request->end - request->first;
    if (extremes_rows(n, (uint64_t)points) < n) {
        request->downsampled = true;
        *ret_buckets = (uint64_t)points;
    }
    return OK;
}

Status jobs_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JobRecord job;
    const char **names = NULL;
    int table = TRAJECTORY;
    uint64_t buckets = 0;
    ResultRequest request = {.format = reply_format(req)};

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status == OK && job.members.total > 0)
        return ensemble_result(ctx, req, res, err);
    if (status == OK)
        status = reply_names(job.columns, req->arena, &names, &request.n_names, err);
    if (status != OK)
        return status;
    if (!job.columns && (api_query(req, "columns") || api_query(req, "table")))
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: its columns and tables are there from the start of its run",
                        job_state_name(job.state));
    /* each step narrows what is sent: table, columns, times, page or points */
    request.names = names;
    request.complete = job.complete;
    status = select_table(req, res, &job, &request, &table, err);
    if (status == OK && job.columns)
        status = store_result_rows(ctx->store, job.id, table, &request.end, err);
    if (status == OK)
        status = columns_select(req, res, "columns", &request, err);
    if (status == OK)
        status = select_times(ctx, req, res, &job, table, &request, err);
    if (status == OK)
        status = select_page(req, res, &request, err);
    if (status == OK)
        status = select_points(req, res, &request, &buckets, err);
    if (status != OK)
        return status;
    /* the client may have it already; otherwise it is read while it is sent */
    if (reply_not_modified(req, res, &job))
        return OK;
    return start_download(ctx, res, &job, table, buckets, &request, err);
}
