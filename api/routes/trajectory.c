/* The parameters that select rows of a trajectory. */
#include "api/routes/trajectory.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/routes/rows.h"
#include "core/simulate.h"

/* Derives the names of the evidence columns from those of the job and the number of columns: the
 * time, a residual for each multiplier(NAME) behind the velocities, and the rest. */
static Status name_evidence(const ApiRequest *req, size_t n, ResultRequest *request, Error *err)
{
    static const char MULTIPLIER[] = "multiplier(";
    const char **names = ARENA_NEW(req->arena, n, const char *);
    const char **units = ARENA_NEW(req->arena, n, const char *);
    const size_t rest = n - EVIDENCE_REST;
    size_t first = 1;

    if (!names || !units)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    while (first < request->n_names &&
           strncmp(request->names[first], MULTIPLIER, strlen(MULTIPLIER)) != 0)
        first++;
    /* only the time and the step size have a unit */
    names[0] = "t";
    for (size_t c = 1; c < rest; c++)
        names[c] = arena_join(req->arena, "residual(",
                              request->names[first + c - 1] + strlen(MULTIPLIER), "");
    for (size_t k = 0; k < EVIDENCE_REST; k++)
        names[rest + k] = evidence_names[k];
    units[0] = units[rest + EVIDENCE_STEP] = request->units ? request->units[0] : NULL;
    request->names = names;
    request->units = request->units ? units : NULL;
    request->n_names = n;
    return arena_status(req->arena, err);
}

/* The table of evidence, behind those of the events. */
static Status open_evidence(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                            TrajectoryRows *rows, ResultRequest *request, Error *err)
{
    const JobRecord *job = &rows->job;
    ResultBlock block;

    const Status status =
        store_result_block(ctx->store, job->id, rows->table, 0, req->arena, &block, err);
    /* reasons why it is missing */
    if (status == ERR_NOT_FOUND && job_state_done(job->state) && job->rows > 1)
        return api_fail(res, PROBLEM_CONFLICT, err,
                        "the job was run by a version without evidence by instants: run it again "
                        "with POST /v1/jobs/%.40s/rerun",
                        job->id);
    if (status == ERR_NOT_FOUND)
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: there is no evidence by instants yet",
                        job_state_name(job->state));
    if (status != OK)
        return status;
    if (block.n_columns <= EVIDENCE_REST || block.n_columns - EVIDENCE_REST > request->n_names)
        return error_set(err, ERR_DAMAGED, "the evidence of job %.40s has %zu columns", job->id,
                         block.n_columns);
    return name_evidence(req, block.n_columns, request, err);
}

static Status select_table(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                           ResultRequest *request, TrajectoryRows *rows, Error *err)
{
    const char **names = NULL;
    size_t n = 0;
    request->table = api_query(req, "table");
    rows->evidence = rows->scene = false;
    rows->table = TRAJECTORY;
    if (!request->table)
        return OK;
    rows->scene = strcmp(request->table, SCENE_TABLE) == 0;
    if (rows->scene)
        return OK;
    Status status = reply_names(job->tables, req->arena, &names, &n, err);
    if (status != OK)
        return status;
    /* an event, or the evidence */
    size_t i = 0;
    while (i < n && strcmp(names[i], request->table) != 0)
        i++;
    rows->evidence = i == n && strcmp(request->table, EVIDENCE_TABLE) == 0;
    if (i == n && !rows->evidence)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "this job has no event \"%.80s\"; \"" EVIDENCE_TABLE
                        "\" is the table of its evidence, \"" SCENE_TABLE "\" that of its scene",
                        request->table);
    rows->table = (int)i;
    return OK;
}

/* The time of a row. */
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

/* Selects the rows with times between `from` and `to`, both included, in the run's direction. */
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
    /* the first row at `from`, and the first row behind `to` */
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
                        "the job is %s: it has no columns and tables before its run starts",
                        job_state_name(job->state));
    /* the table and its rows */
    request->complete = job->complete;
    request->ended_by = job_digest_ended_by(job->digest, req->arena);
    status = select_table(req, res, job, request, rows, err);
    if (status == OK && rows->evidence)
        status = open_evidence(ctx, req, res, rows, request, err);
    if (status == OK && job->columns)
        status = store_result_rows(ctx->store, job->id, rows->table, &request->end, err);
    return status == OK ? select_times(ctx, req, res, job, rows->table, request, err) : status;
}
