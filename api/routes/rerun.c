/* POST /v1/jobs/{id}/rerun: a new job. For a plain job it is the same; for an ensemble it has the
 * members that have not succeeded. */
#include <string.h>

#include "api/json/validate.h"
#include "api/routes/common.h"
#include "api/routes/ensemble.h"
#include "api/routes/routes.h"

static Status write_plain(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                          Text *out, Error *err)
{
    AcceptedDocument document = {0};

    Status status =
        store_job_request(ctx->store, job->id, req->arena, &document.bytes, &document.size, err);
    if (status == OK)
        status = accepted_model(ctx, job, req->arena, &document, err);
    return status == OK ? rerun_document_write(&document, out, err) : status;
}

static Status select_succeeded(const ApiContext *ctx, const ApiRequest *req,
                               const EnsembleJob *ensemble, SummaryRows **ret_rows,
                               SummaryPage *ret_page, Error *err)
{
    const SummaryColumns *columns = &ensemble->columns;
    const RowColumns row = {columns->names, columns->words, columns->n};
    RowExpression *succeeded = NULL;
    RowsSource source;
    Diagnostics diag;

    /* the condition cannot have mistakes */
    diagnostics_init(&diag, req->arena);
    Status status =
        row_expression_new("state == \"succeeded\"", true, &row, "where", &diag, &succeeded, err);
    if (status == OK)
        status = ensemble_rows(ctx, ensemble, ret_rows, err);
    const SummaryQuery query = {.where = succeeded};
    if (status == OK)
        status = summary_rows_select(*ret_rows, &query, ret_page, &source, err);
    row_expression_free(succeeded);
    return status;
}

/* The numbers of all members that the rows do not select. The selected rows are in order. Members
 * that never began have no row, and are included. */
static Status take_others(const SummaryRows *rows, uint64_t n_selected, uint64_t total,
                          Arena *arena, const uint64_t **ret_members, Error *err)
{
    const uint64_t *selected = summary_rows_members(rows);
    uint64_t *others = ARENA_NEW(arena, total - n_selected, uint64_t);

    if (!others)
        return arena_status(arena, err);
    for (uint64_t k = 0, s = 0; k < total; k++) {
        if (s < n_selected && selected[s] == k)
            s++;
        else
            others[k - s] = k;
    }
    *ret_members = others;
    return OK;
}

static Status refuse_so_many(ApiResponse *res, const JobRecord *job, Error *err)
{
    return api_fail(res, PROBLEM_CONFLICT, err,
                    "the values of these members are more than a document may hold: select some of "
                    "those that were begun by \"ensemble\": {\"members_of\": {\"job\": \"%.40s\", "
                    "\"where\": \"state != \\\"succeeded\\\" and member < ..\"}}, or post the "
                    "whole document again",
                    job->id);
}

static Status write_members(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                            Text *out, Error *err)
{
    EnsembleDocument document = {0};
    EnsembleJob ensemble;
    SummaryRows *rows = NULL;
    SummaryPage page = {0};
    MembersTable table = {0};
    AcceptedDocument accepted = {0};

    /* the members that have succeeded; the others run again */
    Status status = ensemble_open(ctx, req, res, &ensemble, err);
    if (status == OK)
        status = ensemble_document(ctx, req, &ensemble.job, &document, err);
    if (status == OK)
        status = select_succeeded(ctx, req, &ensemble, &rows, &page, err);
    const uint64_t total = status == OK ? design_count(document.design) : 0;
    if (status == OK && page.n == total)
        status = api_fail(res, PROBLEM_CONFLICT, err, "all members of the job have succeeded");
    /* checked before the table is built: millions of values are no document */
    if (status == OK &&
        (double)(total - page.n) * (double)design_axes(document.design) > (double)JSON_MAX_VALUES)
        status = refuse_so_many(res, &ensemble.job, err);
    /* their inputs as a posted table, with the original document and model */
    if (status == OK)
        status = take_others(rows, page.n, total, req->arena, &table.members, err);
    summary_rows_free(rows);
    if (status == OK) {
        accepted = (AcceptedDocument){.bytes = document.bytes, .size = document.size};
        status = accepted_model(ctx, &ensemble.job, req->arena, &accepted, err);
    }
    if (status != OK)
        return status;
    table.design = document.design;
    table.axes = document.input.ensemble.design.axes;
    table.n_axes = document.input.ensemble.design.n_axes;
    table.n = (size_t)(total - page.n);
    return members_document_write(&accepted, &table, out, err);
}

Status jobs_rerun(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ApiRequest again = *req;
    Text text = TEXT_INIT;
    JobRecord job;

    Status status = store_job_get(ctx->store, req->params[0], req->arena, &job, err);
    if (status != OK)
        return status;
    if (!job_state_done(job.state))
        return api_fail(res, PROBLEM_NOT_READY, err,
                        "the job is %s: it can be run again when it is done",
                        job_state_name(job.state));
    if (reply_later(res))
        return OK;
    /* the new document */
    status = job.members.total > 0 ? write_members(ctx, req, res, &text, err)
                                   : write_plain(ctx, req, &job, &text, err);
    if (status == OK && text.length > ctx->limits.body_bytes)
        status = refuse_so_many(res, &job, err);
    /* is submitted like a posted one */
    again.body = status == OK ? arena_strndup(req->arena, text_string(&text), text.length) : NULL;
    again.body_size = text.length;
    text_done(&text);
    if (status == OK && !again.body)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    return status == OK ? jobs_create(ctx, &again, res, err) : status;
}
