/* GET /v1/jobs/{id}/result: the stored rows, selected by columns and time, and streamed in the
 * requested format. */
#include "api/routes/columns.h"
#include "api/routes/ensemble.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/scene.h"
#include "api/routes/selection.h"
#include "api/routes/stored_rows.h"
#include "api/routes/trajectory.h"

static Status start_download(const ApiContext *ctx, ApiResponse *res, const TrajectoryRows *rows,
                             uint64_t buckets, ResultRequest *request, Error *err)
{
    RowsSource source;
    Status status =
        stored_rows_new(ctx->store, rows->job.id, ROWS_OF_JOB, rows->table, 0, &source, err);
    if (status != OK)
        return status;
    return selection_reply(ctx, res, &source, stored_rows_free, buckets, request, err);
}

Status jobs_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    TrajectoryRows rows;
    uint64_t buckets = 0;
    ResultRequest request = {.format = reply_format(req)};

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &rows.job, err);
    if (status == OK && rows.job.members.total > 0)
        return ensemble_result(ctx, req, res, err);
    /* each step narrows the answer: table, times, columns, rows */
    if (status == OK)
        status = trajectory_open(ctx, req, res, &rows, &request, err);
    if (status == OK && rows.scene)
        return scene_rows(ctx, req, res, &rows, &request, err);
    if (status == OK)
        status = columns_select(req, res, "columns", &request, err);
    if (status == OK)
        status = selection_read(req, res, &request, &buckets, err);
    if (status != OK)
        return status;
    /* the client may have it already; otherwise it is read while it is sent */
    if (reply_not_modified(req, res, &rows.job))
        return OK;
    return start_download(ctx, res, &rows, buckets, &request, err);
}
