/* GET /v1/jobs/{id}/scene: what the job's motion looks like. Its moving numbers are columns, which
 * GET /v1/jobs/{id}/result?table=@scene evaluates on the stored rows. Nothing is stored. */
#include "api/routes/scene.h"

#include <string.h>

#include "api/documents/drawing.h"
#include "api/documents/observed_rows.h"
#include "api/documents/read.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/observe.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/selection.h"
#include "api/routes/stored_rows.h"

/* A job with its drawing. */
typedef struct DrawnJob {
    PreparedJob prepared;
    cJSON *tree; /* its document, with its model */
    DrawingOf of;
    Drawing drawing;
} DrawnJob;

static void drawn_job_done(DrawnJob *drawn)
{
    drawing_done(&drawn->drawing);
    prepared_job_done(&drawn->prepared);
    cJSON_Delete(drawn->tree);
}

/* The job's document, with the model that it refers to. */
static Status read_document(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                            cJSON **ret_tree, Error *err)
{
    AcceptedDocument document = {0};
    Diagnostics diag;

    diagnostics_init(&diag, req->arena);
    Status status =
        store_job_request(ctx->store, job->id, req->arena, &document.bytes, &document.size, err);
    if (status == OK)
        status = accepted_model(ctx, job, req->arena, &document, err);
    if (status == OK)
        status = json_parse(document.bytes, document.size, &diag, ret_tree, NULL, err);
    return status == OK ? accepted_model_put(*ret_tree, &document, err) : status;
}

/* The first row of the trajectory; NULL if there is none yet. */
static Status first_row(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                        const double **ret_row, Error *err)
{
    ResultBlock block;
    const Status status =
        store_result_block(ctx->store, job->id, TRAJECTORY, 0, req->arena, &block, err);

    *ret_row = status == OK ? block.rows : NULL;
    return status == ERR_NOT_FOUND ? OK : status;
}

/* stored: the names of the stored columns. */
static Status draw(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                   const ResultRequest *stored, DrawnJob *ret, Error *err)
{
    *ret = (DrawnJob){0};
    Status status = observe_prepare(ctx, req, job, &ret->prepared, err);
    if (status == OK)
        status = read_document(ctx, req, job, &ret->tree, err);
    ret->of = (DrawingOf){.job = ret->tree,
                          .model = cJSON_GetObjectItemCaseSensitive(ret->tree, "model"),
                          .compiled = ret->prepared.compiled,
                          .spec = &ret->prepared.input.spec,
                          .columns = stored->names,
                          .n_columns = stored->n_names};
    if (status == OK)
        status = first_row(ctx, req, job, &ret->of.row, err);
    if (status == OK)
        status = drawing_new(&ret->of, req->arena, &ret->drawing, err);
    if (status != OK)
        drawn_job_done(ret);
    return status;
}

Status jobs_scene(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ResultRequest stored = {0};
    JobRecord job;
    DrawnJob drawn;

    Status status = observe_job(ctx, req, res, &job, err);
    if (status == OK)
        status = reply_columns(job.columns, req->arena, &stored, err);
    if (status != OK || reply_not_modified(req, res, &job) || reply_later(res))
        return status;
    status = draw(ctx, req, &job, &stored, &drawn, err);
    if (status != OK)
        return status;
    status = drawing_write(&drawn.drawing, &res->body, err);
    drawn_job_done(&drawn);
    return status;
}

/* The columns of the table: the time, and those of the observer. */
static Status name_columns(const ApiRequest *req, const RowObserver *observer,
                           const char *const *more, size_t n_more, ResultRequest *request,
                           Error *err)
{
    const char **names = ARENA_NEW(req->arena, 1 + n_more, const char *);
    const char **units = ARENA_NEW(req->arena, 1 + n_more, const char *);
    const char *const *own_names, *const *own_units;
    const size_t own = row_observer_columns(observer, &own_names, &own_units);

    if (!names || !units)
        return arena_status(req->arena, err);
    names[0] = request->names[0];
    units[0] = request->units ? request->units[0] : NULL;
    for (size_t k = 0; k < n_more; k++) {
        names[1 + k] = more[k];
        units[1 + k] =
            own_units && own_units[own + k] ? arena_strdup(req->arena, own_units[own + k]) : NULL;
    }
    request->names = names;
    request->units = own_units ? units : NULL;
    request->n_names = 1 + n_more;
    return arena_status(req->arena, err);
}

/* The stored rows with the observer's columns behind the time. Takes the observer over. */
static Status open_rows(const ApiContext *ctx, const TrajectoryRows *rows, RowObserver *observer,
                        const ObservedShape *shape, RowsSource *ret, Error *err)
{
    RowsSource stored;
    const Status status =
        stored_rows_new(ctx->store, rows->job.id, ROWS_OF_JOB, rows->table, 0, &stored, err);

    if (status != OK) {
        row_observer_free(observer);
        return status;
    }
    return observed_rows_new(&stored, stored_rows_free, observer, shape, ret, err);
}

Status scene_rows(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                  const TrajectoryRows *rows, ResultRequest *request, Error *err)
{
    const size_t n_stored = request->n_names;
    const char *const *names = NULL;
    RowObserver *observer = NULL;
    uint64_t buckets = 0;
    RowsSource source;
    DrawnJob drawn;
    size_t n = 0;

    if (reply_not_modified(req, res, &rows->job) || reply_later(res))
        return OK;
    /* the columns of the scene */
    Status status = draw(ctx, req, &rows->job, request, &drawn, err);
    if (status != OK)
        return status;
    status = drawing_observer(&drawn.drawing, &drawn.of, req->arena, &observer, &names, &n, err);
    drawn_job_done(&drawn);
    if (status == OK)
        status = name_columns(req, observer, names, n, request, err);
    /* the selection */
    if (status == OK)
        status = columns_select(req, res, "columns", request, err);
    if (status == OK)
        status = selection_read(req, res, request, &buckets, err);
    if (status != OK) {
        row_observer_free(observer);
        return status;
    }
    /* the rows, computed tile by tile */
    const ObservedShape shape = {n_stored, 1, n};
    request->tile = observed_rows_tile(observer, request->n_names);
    status = open_rows(ctx, rows, observer, &shape, &source, err);
    return status == OK
               ? selection_reply(ctx, res, &source, observed_rows_free, buckets, request, err)
               : status;
}
