/* The parameters that select rows of a trajectory. */
#include "api/routes/trajectory.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "api/routes/rows.h"

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

Status trajectory_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       TrajectoryRows *rows, ResultRequest *request, Error *err)
{
    const JobRecord *job = &rows->job;

    Status status = reply_columns(job->columns, req->arena, request, err);
    if (status != OK)
        return status;
    if (!job->columns && (api_query(req, "columns") || api_query(req, "table")))
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: its columns and tables are there from the start of its run",
                        job_state_name(job->state));
    request->complete = job->complete;
    status = select_table(req, res, job, request, &rows->table, err);
    if (status == OK && job->columns)
        status = store_result_rows(ctx->store, job->id, rows->table, &request->end, err);
    return status == OK ? select_times(ctx, req, res, job, rows->table, request, err) : status;
}
