/* POST /v1/jobs/{id}/columns: observables that were not submitted with the job, evaluated on its
 * stored rows. The answer has every format and selection of the job's result. Nothing is stored. */
#include <string.h>

#include "api/documents/observed_rows.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/observe.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/selection.h"
#include "api/routes/stored_rows.h"
#include "api/routes/trajectory.h"

typedef struct ObserveWish {
    const NamedText *texts;
    size_t n;
} ObserveWish;

static Status read_wish(const ApiRequest *req, ApiResponse *res, ObserveWish *ret, Error *err)
{
    Diagnostics *diag = reply_diagnostics(req, res);
    bool is_json = true;

    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const Status status = observe_input_read(req->body, req->body_size, req->arena, diag,
                                             &ret->texts, &ret->n, &is_json, err);
    if (!is_json)
        res->problem = PROBLEM_NOT_JSON;
    return status;
}

Status observe_prepare(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                       PreparedJob *ret_job, Error *err)
{
    JobSource source = {.model_id = job->model_id, .formulation = job->formulation};
    Diagnostics diag;

    diagnostics_init(&diag, req->arena);
    Status status =
        store_job_request(ctx->store, job->id, req->arena, &source.bytes, &source.size, err);
    if (status == OK)
        status = prepared_job_read(ret_job, &ctx->setting, &source, req->arena, &diag, NULL, err);
    return status == ERR_INVALID
               ? error_set(err, ERR_INTERNAL, "the document of job %.40s cannot be read", job->id)
               : status;
}

/* The stored columns must be those of this program, and the new names must be unused. */
static Status check_names(ApiResponse *res, const ObserveWish *wish, const RowObserver *observer,
                          const ResultRequest *request, Error *err)
{
    const char *const *names, *const *units;
    const size_t n = row_observer_columns(observer, &names, &units);
    const Status status = observed_rows_check(observer, request->names, request->n_names, err);

    if (status != OK)
        return status;
    for (size_t c = n; c < request->n_names; c++) /* sensitivities, behind the job's observables */
        for (size_t k = 0; k < wish->n; k++)
            if (strcmp(request->names[c], wish->texts[k].name) == 0)
                diagnostics_add(res->diag, wish->texts[k].pointer, -1, "choose another name",
                                "there is a column \"%s\" already", wish->texts[k].name);
    return res->diag->total == 0 ? OK : error_set(err, ERR_INVALID, "names are taken");
}

/* Appends the new columns to the stored ones. By default, the time and the new columns are
 * selected. */
static Status add_columns(const ApiRequest *req, const ObserveWish *wish,
                          const RowObserver *observer, ResultRequest *request, Error *err)
{
    const size_t n = request->n_names, all = n + wish->n;
    const char **names = ARENA_NEW(req->arena, all, const char *);
    const char **units = ARENA_NEW(req->arena, all, const char *);
    size_t *columns = arena_sizes(req->arena, 1 + wish->n);
    const char *const *own_names, *const *own_units;
    const size_t own = row_observer_columns(observer, &own_names, &own_units);

    if (!names || !units || !columns)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the stored columns stay in the table, but only the time is selected by default */
    columns[0] = 0;
    for (size_t c = 0; c < n; c++) {
        names[c] = request->names[c];
        units[c] = request->units ? request->units[c] : NULL;
    }
    /* the new columns behind them, under the client's names */
    for (size_t k = 0; k < wish->n; k++) {
        names[n + k] = wish->texts[k].name;
        units[n + k] =
            own_units && own_units[own + k] ? arena_strdup(req->arena, own_units[own + k]) : NULL;
        columns[1 + k] = n + k;
    }
    request->names = names;
    if (own_units)
        request->units = units;
    request->n_names = all;
    request->columns = columns;
    request->n_columns = 1 + wish->n;
    return arena_status(req->arena, err);
}

static Status reply(const ApiContext *ctx, ApiResponse *res, const TrajectoryRows *rows,
                    RowObserver *observer, size_t n_more, uint64_t buckets, ResultRequest *request,
                    Error *err)
{
    const size_t n = request->n_names - n_more;
    RowsSource stored, observed;

    Status status =
        stored_rows_new(ctx->store, rows->job.id, ROWS_OF_JOB, rows->table, 0, &stored, err);
    if (status != OK) {
        row_observer_free(observer);
        return status;
    }
    /* the observer computes tile by tile */
    request->tile = observed_rows_tile(observer, request->n_names);
    status = observed_rows_new(&stored, stored_rows_free, observer, &(ObservedShape){n, n, n_more},
                               &observed, err);
    if (status != OK)
        return status;
    res->type = result_content_type(request->format);
    api_add_header(res, "Vary", "Accept");
    return selection_reply(ctx, res, &observed, observed_rows_free, buckets, request, err);
}

/* Compiles the expressions in the body, and selects rows and columns for the answer. */
static Status observe_rows(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                           const TrajectoryRows *rows, const ObserveWish *wish,
                           ResultRequest *request, Error *err)
{
    PreparedJob prepared = {0};
    RowObserver *observer = NULL;
    uint64_t buckets = 0;

    Status status = observe_prepare(ctx, req, &rows->job, &prepared, err);
    if (status == OK)
        status = row_observer_new(prepared.compiled, &prepared.input.spec, wish->texts, wish->n,
                                  res->diag, &observer, err);
    prepared_job_done(&prepared);
    /* columns and rows */
    if (status == OK)
        status = check_names(res, wish, observer, request, err);
    if (status == OK)
        status = add_columns(req, wish, observer, request, err);
    if (status == OK)
        status = columns_select(req, res, "columns", request, err);
    if (status == OK)
        status = selection_read(req, res, request, &buckets, err);
    if (status != OK) {
        row_observer_free(observer);
        return status;
    }
    return reply(ctx, res, rows, observer, wish->n, buckets, request, err);
}

Status observe_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                   JobRecord *ret_job, Error *err)
{
    const Status status = store_job_get(ctx->store, req->params[0], req->arena, ret_job, err);
    if (status != OK)
        return status;
    /* ensembles and jobs without rows are refused */
    if (ret_job->members.total > 0)
        return api_fail(res, PROBLEM_CONFLICT, err,
                        "the job %.40s is an ensemble with one row for each member: submit a "
                        "member alone, with the document of GET /v1/jobs/{id}/members/{k}",
                        ret_job->id);
    if (!ret_job->columns)
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: it has no rows before its run starts",
                        job_state_name(ret_job->state));
    return OK;
}

Status jobs_observe(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ResultRequest request = {.format = reply_format(req)};
    ObserveWish wish = {0};
    TrajectoryRows rows;

    Status status = observe_job(ctx, req, res, &rows.job, err);
    /* the expressions, and the table */
    if (status == OK)
        status = read_wish(req, res, &wish, err);
    if (status == OK)
        status = trajectory_open(ctx, req, res, &rows, &request, err);
    if (status == OK && (rows.evidence || rows.scene))
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "the rows of %s have no state that could be observed", request.table);
    if (status != OK || reply_later(res))
        return status;
    return observe_rows(ctx, req, res, &rows, &wish, &request, err);
}
