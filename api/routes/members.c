/* GET /v1/jobs/{id}/members, /members/{k} and /members/{k}/result: the members of an ensemble,
 * selected and sorted, as a matrix, or one by one. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/documents/member_document.h"
#include "api/json/writer.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/ensemble.h"
#include "api/routes/routes.h"
#include "api/routes/rows.h"
#include "api/routes/selection.h"
#include "api/routes/stored_rows.h"
#include "core/base/number.h"

enum { PAGE = 1000 };

/* A grid as a matrix. */

static Status check_grid(const ApiRequest *req, ApiResponse *res, const EnsembleDocument *document,
                         Error *err)
{
    static const char *const PAGED[] = {"sort", "limit", "cursor"};
    const ResultFormat format = reply_format(req);

    /* the parameters and the format */
    if (strcmp(api_query(req, "shape"), "grid") != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "shape must be grid");
    for (size_t i = 0; i < sizeof PAGED / sizeof *PAGED; i++)
        if (api_query(req, PAGED[i]))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "a matrix is complete and in the order of its axes: \"%s\" is not "
                            "allowed",
                            PAGED[i]);
    if (format != RESULT_JSON && format != RESULT_NPY)
        return api_fail(res, PROBLEM_NOT_ACCEPTABLE, err,
                        "a matrix is available as application/json or application/x-npy");
    /* the design */
    if (document->input.ensemble.design.kind != DESIGN_GRID)
        return api_fail(res, PROBLEM_PARAMETER, err, "shape=grid needs a grid, not \"%s\"",
                        document->input.design);
    if (document->input.ensemble.design.n_axes > RESULT_SHAPE_MAX)
        return api_fail(res, PROBLEM_PARAMETER, err, "a matrix has at most %d indices",
                        RESULT_SHAPE_MAX);
    return OK;
}

static Status reply_grid(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                         const EnsembleJob *ensemble, RowExpression *where, Error *err)
{
    ResultRequest request = {.format = reply_format(req),
                             .names = ensemble->columns.names,
                             .n_names = ensemble->columns.n,
                             .units = ensemble->columns.units,
                             .words = ensemble->columns.words,
                             .end = ensemble->job.members.total,
                             .complete = ensemble->job.complete};
    uint64_t shape[RESULT_SHAPE_MAX];
    EnsembleDocument document;
    SummaryRows *rows = NULL;
    GridAxes *axes = NULL;

    /* the parameters for this design; the rows are only read if the client does not have them */
    Status status = ensemble_document(ctx, req, &ensemble->job, &document, err);
    if (status == OK)
        status = check_grid(req, res, &document, err);
    if (status == OK)
        status = columns_select(req, res, "columns", &request, err);
    const DesignSpec *grid = &document.input.ensemble.design;
    if (status == OK && !reply_not_modified(req, res, &ensemble->job))
        status = ensemble_rows(ctx, ensemble, &rows, err);
    if (status == OK && rows)
        status = grid_axes_new(grid, ctx->downloads, &axes, err);
    if (status != OK || !rows) {
        row_expression_free(where);
        summary_rows_free(rows);
        return status;
    }
    /* streamed as a matrix; null if the condition does not hold */
    for (size_t a = 0; a < grid->n_axes; a++)
        shape[a] = grid->axes[a].count;
    request.shape = shape;
    request.n_shape = grid->n_axes;
    request.axes = (ResultMember){axes, grid_axes_write};
    const RowsSource source = summary_rows_whole(rows, where, axes);
    return reply_rows(ctx, res, &source, summary_rows_free, &request, err);
}

Status members_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    EnsembleSelection selection = {.limit = PAGE};
    EnsembleJob ensemble;

    Status status = ensemble_open(ctx, req, res, &ensemble, err);
    if (status == OK)
        status = ensemble_expression(req, res, &ensemble, "where", true, &selection.where, err);
    if (status == OK)
        status = ensemble_expression(req, res, &ensemble, "sort", false, &selection.sort, err);
    if (status != OK) {
        row_expression_free(selection.where);
        return status;
    }
    if (!api_query(req, "shape"))
        return ensemble_reply(ctx, req, res, &ensemble, &selection, err);
    row_expression_free(selection.sort);
    return reply_grid(ctx, req, res, &ensemble, selection.where, err);
}

/* One member. */

/* The number of the member in the path. */
static Status read_member(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                          uint64_t *ret_member, Error *err)
{
    const char *text = req->params[1];
    const size_t length = strlen(text);
    double value = 0;
    const bool number = length > 0 && strspn(text, "0123456789") == length && length < 16 &&
                        number_parse(text, length, &value) == length;

    if (!number || value >= (double)job->members.total)
        return api_fail(res, PROBLEM_NOT_FOUND, err,
                        "there is no member %.40s: they are numbered from 0 to %" PRIu64, text,
                        job->members.total - 1);
    *ret_member = (uint64_t)value;
    return OK;
}

/* The member's row of the summary, in the request's arena; NULL: there is none yet. */
static Status member_row(const ApiContext *ctx, const ApiRequest *req, const EnsembleJob *ensemble,
                         uint64_t member, const double **ret_row, Error *err)
{
    SummaryRows *rows = NULL;
    RowsBlock block;

    *ret_row = NULL;
    Status status = ensemble_rows(ctx, ensemble, &rows, err);
    if (status != OK)
        return status;
    status = summary_rows_next(rows, member, &block, err);
    if (status == OK && block.first_row == member)
        *ret_row = arena_copy_doubles(req->arena, block.rows, ensemble->columns.n);
    summary_rows_free(rows);
    return status == ERR_NOT_FOUND ? OK : status;
}

static void write_row(JsonWriter *w, const SummaryColumns *columns, const double *row)
{
    if (!row) {
        json_key(w, "row");
        json_put_null(w);
        return;
    }
    json_member_object(w, "row");
    for (size_t c = 0; c < columns->n - 2; c++)
        json_member_number(w, columns->names[c], row[c]);
    json_close_object(w);
}

/* The words for the member's state and reason. Without a row, the state follows from that of the
 * job. */
static void write_state(JsonWriter *w, const EnsembleJob *ensemble, const double *row)
{
    const SummaryColumns *columns = &ensemble->columns;
    const size_t n = columns->n;

    json_member_string(w, "state",
                       row ? result_word(&columns->words[n - 2], row[n - 2])
                       : job_state_done(ensemble->job.state) ? job_state_name(JOB_CANCELLED)
                                                             : job_state_name(JOB_QUEUED));
    json_member_string(w, "reason", row ? result_word(&columns->words[n - 1], row[n - 1]) : NULL);
}

/* The message of a failed member, which the store keeps until the diagnostics are written. */
static Status stored_message(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                             uint64_t member, const char **ret_message, Error *err)
{
    MemberText *said;
    size_t n;

    const Status status =
        store_member_texts(ctx->store, job->id, member, 1, req->arena, &said, &n, err);
    if (status == OK && n > 0 && said->member == member)
        *ret_message = said->text;
    return status;
}

/* The message of a failed member, if it is one of the first that failed; else NULL. */
static Status member_message(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                             uint64_t member, const char **ret_message, Error *err)
{
    const char *text = NULL;
    const cJSON *failure;

    /* stored while the job runs */
    *ret_message = NULL;
    Status status = stored_message(ctx, req, job, member, ret_message, err);
    if (status != OK || *ret_message)
        return status;
    /* in the diagnostics afterwards */
    status = store_job_document(ctx->store, job->id, JOB_DIAGNOSTICS, req->arena, &text, err);
    if (status != OK || !text)
        return status;
    cJSON *tree = cJSON_Parse(text);
    cJSON_ArrayForEach(failure, cJSON_GetObjectItemCaseSensitive(tree, "failures"))
    {
        const cJSON *number = cJSON_GetObjectItemCaseSensitive(failure, "member");
        if (cJSON_IsNumber(number) && number->valuedouble == (double)member) {
            const cJSON *message = cJSON_GetObjectItemCaseSensitive(failure, "message");
            if (cJSON_IsString(message))
                *ret_message = arena_strdup(req->arena, message->valuestring);
            break;
        }
    }
    cJSON_Delete(tree);
    return OK;
}

/* Adds the model that the ensemble names by id, if that model was deleted. */
static Status find_deleted_model(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                                 AcceptedDocument *document, Error *err)
{
    ModelRecord listed;
    const Status status = store_model_get(ctx->store, job->model_id, req->arena, &listed, err);

    return status == ERR_NOT_FOUND ? accepted_model(ctx, job, req->arena, document, err) : status;
}

Status members_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    EnsembleDocument document;
    EnsembleJob ensemble;
    const double *row = NULL;
    const char *message = NULL;
    uint64_t member = 0;
    Text job = TEXT_INIT;
    JsonWriter w;

    /* the member's stored data: its row, and the message of its failure */
    Status status = ensemble_open(ctx, req, res, &ensemble, err);
    if (status == OK)
        status = read_member(req, res, &ensemble.job, &member, err);
    if (status == OK)
        status = member_row(ctx, req, &ensemble, member, &row, err);
    if (status == OK && row)
        status = member_message(ctx, req, &ensemble.job, member, &message, err);
    if (status == OK)
        status = ensemble_document(ctx, req, &ensemble.job, &document, err);
    if (status != OK)
        return status;
    /* its own job: the document with the member's values at their paths */
    const DesignSpec *design = &document.input.ensemble.design;
    double *values = arena_doubles(req->arena, design->n_axes);
    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    AcceptedDocument accepted = {.bytes = document.bytes, .size = document.size};
    design_values(document.design, member, values);
    status = find_deleted_model(ctx, req, &ensemble.job, &accepted, err);
    if (status == OK)
        status = member_document_write(&accepted, design->axes, design->n_axes, values, &job, err);
    if (status == OK) {
        json_writer_init(&w, &res->body);
        json_open_object(&w);
        json_member_unsigned(&w, "member", member);
        write_state(&w, &ensemble, row);
        json_member_string(&w, "message", message);
        write_row(&w, &ensemble.columns, row);
        json_member_raw(&w, "job", text_string(&job));
        json_close_object(&w);
    }
    text_done(&job);
    return status;
}

static Status reply_member_table(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                                 const JobRecord *job, int table, uint64_t member,
                                 ResultRequest *request, Error *err)
{
    RowsSource source;
    uint64_t buckets = 0;

    /* the rows, narrowed by the parameters */
    Status status =
        stored_rows_new(ctx->store, job->id, ROWS_OF_MEMBER, table, member, &source, err);
    if (status != OK)
        return status;
    status = stored_rows_count(&source, &request->end, err);
    if (status == OK)
        status = selection_read(req, res, request, &buckets, err);
    if (status != OK || reply_not_modified(req, res, job)) {
        stored_rows_free(source.self);
        return status;
    }
    return selection_reply(ctx, res, &source, stored_rows_free, buckets, request, err);
}

/* Selects all columns except the first, the member's number; or the columns in the query. */
static Status select_own_columns(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                                 Error *err)
{
    size_t *own = arena_sizes(req->arena, request->n_names);

    if (!own)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t c = 1; c < request->n_names; c++)
        own[c - 1] = c;
    request->columns = own;
    request->n_columns = request->n_names - 1;
    return columns_select(req, res, "columns", request, err);
}

/* PROBLEM_NOT_READY unless the member has ended. */
static Status check_ended(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                          const EnsembleJob *ensemble, uint64_t member, Error *err)
{
    const double *row = NULL;
    const Status status = member_row(ctx, req, ensemble, member, &row, err);

    if (status != OK || row)
        return status;
    return api_fail(res, PROBLEM_NOT_READY, err, "member %" PRIu64 " has not ended: its job is %s",
                    member, job_state_name(ensemble->job.state));
}

Status members_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const char *table = api_query(req, "table");
    ResultRequest request = {.format = reply_format(req), .table = table, .complete = true};
    uint64_t member = 0;
    int kept = 0;
    EnsembleJob ensemble;

    /* a member that has ended, and a table that is kept */
    Status status = ensemble_open(ctx, req, res, &ensemble, err);
    if (status == OK)
        status = read_member(req, res, &ensemble.job, &member, err);
    if (status == OK)
        status = ensemble_table(req, res, &ensemble.job, table ? table : "trajectory", &kept, err);
    if (status == OK)
        status = check_ended(ctx, req, res, &ensemble, member, err);
    /* the columns except the member's number */
    if (status == OK)
        status = reply_columns(ensemble.job.table_columns, req->arena, &request, err);
    if (status == OK && request.n_names < 2)
        status = error_set(err, ERR_INTERNAL, "a table without columns");
    if (status == OK)
        status = select_own_columns(req, res, &request, err);
    return status == OK
               ? reply_member_table(ctx, req, res, &ensemble.job, kept, member, &request, err)
               : status;
}
