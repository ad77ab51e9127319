/* GET /v1/jobs/{id}/result: the stored rows, selected by columns and time, streamed in the format
 * the client asks for. */
#include "api/documents/extremes.h"
#include "api/routes/columns.h"
#include "api/routes/ensemble.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/stored_rows.h"
#include "api/routes/trajectory.h"

/* The rows asked for, as few as asked for. */
static Status reply_extremes(const ApiContext *ctx, ApiResponse *res, const RowsSource *stored,
                             uint64_t buckets, ResultRequest *request, Error *err)
{
    const uint64_t n = request->end - request->first;
    RowsSource few;

    Status status = extremes_new(stored, stored_rows_free, request->n_names, request->first, n,
                                 buckets, &few, err);
    if (status != OK)
        return status;
    request->first = 0;
    request->end = extremes_rows(n, buckets);
    return reply_rows(ctx, res, &few, extremes_free, request, err);
}

static Status start_download(const ApiContext *ctx, ApiResponse *res, const TrajectoryRows *rows,
                             uint64_t buckets, ResultRequest *request, Error *err)
{
    RowsSource source;
    Status status =
        stored_rows_new(ctx->store, rows->job.id, ROWS_OF_JOB, rows->table, 0, &source, err);
    if (status != OK)
        return status;
    if (buckets == 0)
        return reply_rows(ctx, res, &source, stored_rows_free, request, err);
    return reply_extremes(ctx, res, &source, buckets, request, err);
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
    TrajectoryRows rows;
    uint64_t buckets = 0;
    ResultRequest request = {.format = reply_format(req)};

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &rows.job, err);
    if (status == OK && rows.job.members.total > 0)
        return ensemble_result(ctx, req, res, err);
    /* each step narrows what is sent: table, times, columns, page or points */
    if (status == OK)
        status = trajectory_open(ctx, req, res, &rows, &request, err);
    if (status == OK)
        status = columns_select(req, res, "columns", &request, err);
    if (status == OK)
        status = select_page(req, res, &request, err);
    if (status == OK)
        status = select_points(req, res, &request, &buckets, err);
    if (status != OK)
        return status;
    /* the client may have it already; otherwise it is read while it is sent */
    if (reply_not_modified(req, res, &rows.job))
        return OK;
    return start_download(ctx, res, &rows, buckets, &request, err);
}
