/* The other job is looked up and its rows are read once, when the document is posted. The accepted
 * document does not refer to it any more. */
#include "api/routes/members_of.h"

#include "api/documents/members_of.h"
#include "api/json/validate.h"
#include "api/routes/common.h"
#include "api/routes/ensemble.h"

static Status mistake(Diagnostics *diag, const char *place, const char *hint, const char *message,
                      Error *err)
{
    diagnostics_add(diag, place, -1, hint, "%s", message);
    return error_set(err, ERR_INVALID, "%s", message);
}

/* Finds the other job; it must be done. */
static Status find_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const char *id, EnsembleJob *ret_ensemble, Error *err)
{
    static const char PLACE[] = MEMBERS_OF_POINTER "/job";
    ApiRequest other = *req;
    JobRecord job;

    other.params[0] = id;
    Status status = store_job_get(ctx->store, id, req->arena, &job, err);
    if (status == ERR_NOT_FOUND)
        diagnostics_add(res->diag, PLACE, -1, NULL, "there is no job \"%.40s\"", id);
    if (status != OK)
        return status;
    /* it must be an ensemble, and done */
    if (job.members.total == 0)
        return mistake(res->diag, PLACE, NULL, "the job is not an ensemble: it has no members",
                       err);
    if (!job_state_done(job.state)) {
        (void)!mistake(res->diag, PLACE, "wait until it is done, or cancel it",
                       "the job is not done: the selection of its members may still grow", err);
        return api_fail(res, PROBLEM_NOT_READY, err, "the job is %s", job_state_name(job.state));
    }
    return ensemble_open(ctx, &other, res, ret_ensemble, err);
}

/* Selects the members by the condition, into *ret_rows. */
static Status select_members(const ApiContext *ctx, const ApiResponse *res,
                             const EnsembleJob *ensemble, const char *where, SummaryRows **ret_rows,
                             SummaryPage *ret_page, Error *err)
{
    static const char PLACE[] = MEMBERS_OF_POINTER "/where";
    const SummaryColumns *columns = &ensemble->columns;
    const RowColumns row = {columns->names, columns->words, columns->n};
    RowExpression *condition = NULL;
    RowsSource source;
    Status status = OK;

    /* select */
    if (where)
        status = row_expression_new(where, true, &row, PLACE, res->diag, &condition, err);
    if (status == OK)
        status = ensemble_rows(ctx, ensemble, ret_rows, err);
    const SummaryQuery query = {.where = condition};
    if (status == OK)
        status = summary_rows_select(*ret_rows, &query, ret_page, &source, err);
    row_expression_free(condition);
    /* at least one */
    if (status == OK && ret_page->n == 0)
        status = mistake(res->diag, where ? PLACE : MEMBERS_OF_POINTER, NULL,
                         "no member of the job is selected", err);
    return status;
}

static Status write_document(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             const EnsembleJob *ensemble, const MembersOf *of,
                             MembersSource *source, Text *out, Error *err)
{
    Status status = OK;
    /* checked before the table is built: millions of values are no document */
    bool large = members_of_values(source) > JSON_MAX_VALUES;

    if (!large)
        status = accepted_model(ctx, &ensemble->job, req->arena, &source->document, err);
    if (status == OK && !large)
        status = members_of_write(source, of, req->body, req->body_size, out, err);
    large = large || out->length > ctx->limits.body_bytes;
    if (status != OK || !large)
        return status;
    diagnostics_add(res->diag, MEMBERS_OF_POINTER, -1, "select fewer by \"where\"",
                    "the values of %zu members are more than a document may hold (%d values, %zu "
                    "bytes)",
                    source->n, JSON_MAX_VALUES, ctx->limits.body_bytes);
    return error_set(err, ERR_INVALID, "too many members");
}

static Status expand(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                     const MembersOf *of, Text *out, Error *err)
{
    EnsembleDocument document;
    EnsembleJob ensemble;
    SummaryRows *rows = NULL;
    SummaryPage page = {0};

    /* the other job, its document, and the selected members */
    Status status = find_job(ctx, req, res, of->job, &ensemble, err);
    if (status == OK)
        status = ensemble_document(ctx, req, &ensemble.job, &document, err);
    if (status == OK)
        status = select_members(ctx, res, &ensemble, of->where, &rows, &page, err);
    /* a document with their values */
    if (status == OK) {
        MembersSource source = {.document = {.bytes = document.bytes, .size = document.size},
                                .design = document.design,
                                .axes = document.input.ensemble.design.axes,
                                .n_axes = document.input.ensemble.design.n_axes,
                                .members = summary_rows_members(rows),
                                .n = (size_t)page.n};
        status = write_document(ctx, req, res, &ensemble, of, &source, out, err);
    }
    summary_rows_free(rows);
    return status;
}

Status members_of_expand(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                         ApiRequest *ret_request, Error *err)
{
    Diagnostics *diag = reply_diagnostics(req, res);
    Text text = TEXT_INIT;
    MembersOf of = {0};
    bool given = false;

    *ret_request = *req;
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* does the document refer to another job? */
    Status status = members_of_read(req->body, req->body_size, req->arena, diag, &given, &of, err);
    if (status != OK || !given)
        return status;
    if (reply_later(res))
        return error_set(err, ERR_BUSY, "the members of another job must be read");
    /* the body of the new request */
    status = expand(ctx, req, res, &of, &text, err);
    if (status == OK) {
        ret_request->body = arena_strndup(req->arena, text_string(&text), text.length);
        ret_request->body_size = text.length;
        if (!text_ok(&text) || !ret_request->body)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    text_done(&text);
    return status;
}
