/* Ensembles from the store: their rows, documents and tables. */
#include "api/routes/ensemble.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/rows.h"
#include "api/routes/stored_rows.h"
#include "api/routes/trajectory.h"

enum { SUMMARY = -1, BLOCK_MEMORY = 64 * 1024 * 1024 };

Status ensemble_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                     EnsembleJob *ret_ensemble, Error *err)
{
    EnsembleJob e = {0};
    ResultRequest stored = {0};

    /* the job */
    Status status = store_job_get(ctx->store, req->params[0], req->arena, &e.job, err);
    if (status != OK)
        return status;
    if (e.job.members.total == 0)
        return api_fail(res, PROBLEM_NOT_FOUND, err,
                        "the job %.40s is not an ensemble: it has no members", e.job.id);
    /* its columns */
    status = reply_columns(e.job.columns, req->arena, &stored, err);
    if (status == OK && stored.n_names < 2)
        status = error_set(err, ERR_INTERNAL, "an ensemble without columns");
    if (status == OK)
        status = summary_columns(stored.names, stored.units, stored.n_names, req->arena, &e.columns,
                                 err);
    if (status == OK)
        *ret_ensemble = e;
    return status;
}

Status ensemble_document(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                         EnsembleDocument *ret_document, Error *err)
{
    EnsembleDocument d = {0};
    Diagnostics diag;

    diagnostics_init(&diag, req->arena);
    /* the stored document, without its model */
    Status status = store_job_request(ctx->store, job->id, req->arena, &d.bytes, &d.size, err);
    if (status == OK)
        status = job_input_reread(d.bytes, d.size, req->arena, &diag, &d.input, err);
    if (status == OK && !d.input.design)
        status = ERR_INVALID;
    if (status == OK)
        status = design_new(&d.input.ensemble.design, UINT64_MAX, req->arena, &d.design, err);
    /* it was accepted before, so a mistake now is an internal error */
    if (status == ERR_INVALID)
        status = error_set(err, ERR_INTERNAL, "the document of job %.40s cannot be read", job->id);
    if (status == OK)
        *ret_document = d;
    return status;
}

Status ensemble_rows(const ApiContext *ctx, const EnsembleJob *ensemble, SummaryRows **ret_rows,
                     Error *err)
{
    RowsSource source;

    Status status =
        stored_rows_new(ctx->store, ensemble->job.id, ROWS_OF_MEMBERS, SUMMARY, 0, &source, err);
    if (status != OK)
        return status;
    return summary_rows_new(&source, stored_rows_free, ensemble->columns.n, ctx->downloads,
                            ret_rows, err);
}

Status ensemble_expression(const ApiRequest *req, ApiResponse *res, const EnsembleJob *ensemble,
                           const char *parameter, bool condition, RowExpression **ret_expression,
                           Error *err)
{
    const SummaryColumns *columns = &ensemble->columns;
    const RowColumns row = {columns->names, columns->words, columns->n};
    const char *text = api_query(req, parameter);
    Diagnostics *diag = text ? reply_diagnostics(req, res) : NULL;

    /* an absent parameter gives NULL */
    if (!text)
        return OK;
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const Status status =
        row_expression_new(text, condition, &row, parameter, diag, ret_expression, err);
    if (status == ERR_INVALID || status == ERR_LIMIT)
        return api_fail(res, PROBLEM_PARAMETER, err, "%s: %.400s", parameter,
                        err ? err->message : "");
    return status;
}

/* The cursor of a selection in the order of members is a member, else the number of rows before the
 * page. */
static Status read_page(const ApiRequest *req, ApiResponse *res, SummaryQuery *query, int64_t limit,
                        Error *err)
{
    int64_t cursor = 0;
    Status status = api_query_integer(req, res, "limit", 1, INT64_MAX, &limit, err);

    if (status == OK)
        status = api_query_integer(req, res, "cursor", 0, INT64_MAX, &cursor, err);
    if (status == OK) {
        query->limit = (uint64_t)limit;
        query->first = (uint64_t)cursor;
    }
    return status;
}

/* For a request without a condition and an order, of an ensemble with all its rows: the page
 * follows from the numbers of the members. */
static void select_members(const EnsembleJob *ensemble, const SummaryQuery *query,
                           SummaryRows *rows, SummaryPage *ret_page, RowsSource *ret_source)
{
    const uint64_t total = ensemble->job.members.total;
    const uint64_t first = query->first < total ? query->first : total;
    const bool more = query->limit > 0 && total - first > query->limit;

    *ret_page = (SummaryPage){more ? query->limit : total - first, more, first + query->limit};
    *ret_source = summary_rows_all(rows);
}

static Status reply_page(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                         const EnsembleJob *ensemble, const SummaryQuery *query,
                         ResultRequest *request, Error *err)
{
    const bool all =
        !query->where && !query->sort && ensemble->job.members.done == ensemble->job.members.total;
    SummaryRows *rows = NULL;
    SummaryPage page;
    RowsSource source;

    /* the rows of the page */
    Status status = ensemble_rows(ctx, ensemble, &rows, err);
    if (status == OK && all)
        select_members(ensemble, query, rows, &page, &source);
    else if (status == OK)
        status = summary_rows_select(rows, query, &page, &source, err);
    /* the link to the next page */
    if (status == OK && page.more) {
        request->next = arena_printf(req->arena, "%" PRIu64, page.next);
        if (!request->next)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
        else
            reply_next_page(req, res, "cursor", request->next);
    }
    if (status != OK) {
        summary_rows_free(rows);
        return status;
    }
    /* the answer */
    request->first = all && query->first < ensemble->job.members.total ? query->first : 0;
    request->end = request->first + page.n;
    return reply_rows(ctx, res, &source, summary_rows_free, request, err);
}

Status ensemble_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                      const EnsembleJob *ensemble, const EnsembleSelection *selection, Error *err)
{
    SummaryQuery query = {.where = selection->where, .sort = selection->sort};
    ResultRequest request = {.format = reply_format(req),
                             .names = ensemble->columns.names,
                             .n_names = ensemble->columns.n,
                             .units = ensemble->columns.units,
                             .words = ensemble->columns.words,
                             .complete = ensemble->job.complete};

    /* the parameters */
    Status status = columns_select(req, res, "columns", &request, err);
    if (status == OK)
        status = read_page(req, res, &query, selection->limit, err);
    /* the answer, and the end of the expressions */
    if (status == OK && !reply_not_modified(req, res, &ensemble->job) && !reply_later(res))
        status = reply_page(ctx, req, res, ensemble, &query, &request, err);
    row_expression_free(selection->where);
    row_expression_free(selection->sort);
    return status;
}

Status ensemble_table(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                      const char *name, int *ret_table, Error *err)
{
    const char **names = NULL;
    size_t n = 0, i = 0;
    /* the table of this name */
    Status status = reply_names(job->tables, req->arena, &names, &n, err);

    if (status != OK)
        return status;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    /* reasons why there is none */
    if (i == n && strcmp(name, EVIDENCE_TABLE) == 0)
        return api_fail(
            res, PROBLEM_CONFLICT, err,
            "evidence by instants is not kept for members: run the member alone, with the document "
            "of GET /v1/jobs/%.40s/members/K",
            job->id);
    if (i == n && n > 0 && strcmp(name, "trajectory") != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "this job has no event \"%.80s\"", name);
    if (i == n)
        return api_fail(res, PROBLEM_CONFLICT, err,
                        "this ensemble keeps no \"%.80s\" of its members: submit it with "
                        "ensemble.keep \"%s\", or run the member alone, with the document of GET "
                        "/v1/jobs/%.40s/members/K",
                        name, strcmp(name, "trajectory") == 0 ? "trajectories" : "events", job->id);
    *ret_table = (int)i;
    return OK;
}

/* A table of all members, read forward block by block; an earlier row is read from the start. */
typedef struct WholeTable {
    TenantStore store;
    char job_id[JOB_ID_MAX];
    int table;
    Arena *arena;                    /* of the block in memory */
    uint64_t place;                  /* of the store, behind the last block */
    uint64_t first;                  /* first row of the next block */
    uint64_t last_place, last_first; /* the same of the last block itself */
} WholeTable;

static void whole_free(void *self)
{
    WholeTable *whole = self;

    arena_free(whole->arena);
    free(whole);
}

static void whole_release(void *self)
{
    WholeTable *whole = self;

    arena_reset(whole->arena);
}

static Status whole_next(WholeTable *whole, RowsBlock *ret_block, Error *err)
{
    ResultBlock block;
    const uint64_t place = whole->place;

    whole_release(whole);
    const Status status = store_table_next(whole->store, whole->job_id, whole->table, &whole->place,
                                           whole->arena, &block, err);
    if (status != OK)
        return status;
    *ret_block = (RowsBlock){whole->first, block.n_rows, block.rows};
    whole->last_place = place;
    whole->last_first = whole->first;
    whole->first += block.n_rows;
    return OK;
}

/* The block that contains the row. The last block is read again at its place, an earlier one from
 * the start of the table. */
static Status whole_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    WholeTable *whole = self;
    Status status = OK;

    if (row < whole->last_first) {
        whole->place = whole->first = 0;
    } else if (row < whole->first) {
        whole->place = whole->last_place;
        whole->first = whole->last_first;
    }
    do {
        status = whole_next(whole, ret_block, err);
    } while (status == OK && row >= whole->first);
    return status;
}

/* Counts the rows, at least up to `most` if there are that many. */
static Status count_rows(WholeTable *whole, uint64_t most, uint64_t *ret_n, Error *err)
{
    RowsBlock block;
    Status status = OK;

    while (status == OK && whole->first < most)
        status = whole_next(whole, &block, err);
    if (status != OK && status != ERR_NOT_FOUND)
        return status;
    *ret_n = whole->first;
    return OK;
}

static Status whole_new(const ApiContext *ctx, const JobRecord *job, int table,
                        WholeTable **ret_whole, Error *err)
{
    WholeTable *whole = calloc(1, sizeof *whole);
    Arena *arena = arena_new(BLOCK_MEMORY);

    if (!whole || !arena) {
        free(whole);
        arena_free(arena);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *whole = (WholeTable){.store = ctx->store, .table = table, .arena = arena};
    memcpy(whole->job_id, job->id, sizeof whole->job_id);
    *ret_whole = whole;
    return OK;
}

/* Sends the rows of a table of all members; the cursor is the number of rows before the page. */
static Status reply_table(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                          const JobRecord *job, int table, ResultRequest *request, Error *err)
{
    SummaryQuery page = {0};
    WholeTable *whole = NULL;
    uint64_t n = 0;

    Status status = read_page(req, res, &page, 0, err);
    if (status != OK || reply_not_modified(req, res, job) || reply_later(res))
        return status;
    status = whole_new(ctx, job, table, &whole, err);
    if (status != OK)
        return status;
    /* rows are counted up to one beyond the page, to know whether there is a next page */
    const uint64_t most = page.limit > 0 && page.limit < UINT64_MAX - page.first - 1
                              ? page.first + page.limit + 1
                              : UINT64_MAX;
    status = count_rows(whole, most, &n, err);
    if (status != OK) {
        whole_free(whole);
        return status;
    }
    /* the page, and the link to the next */
    request->first = page.first < n ? page.first : n;
    request->end = n;
    request->limit = page.limit;
    status = reply_more(req, res, request, err);
    if (status != OK) {
        whole_free(whole);
        return status;
    }
    const RowsSource source = {whole, whole_block, whole_release};
    return reply_rows(ctx, res, &source, whole_free, request, err);
}

static Status refuse_times(const ApiRequest *req, ApiResponse *res, Error *err)
{
    static const char *const TIMES[] = {"from", "to", "stride", "tail", "points"};

    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++)
        if (api_query(req, TIMES[i]))
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "the result of an ensemble has one row for each member, so \"%s\" does "
                            "not apply; select members with GET /v1/jobs/{id}/members?where=",
                            TIMES[i]);
    return OK;
}

Status ensemble_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ResultRequest request = {.format = reply_format(req), .table = api_query(req, "table")};
    const EnsembleSelection all = {0};
    EnsembleJob ensemble;
    int table = SUMMARY;

    /* the summary */
    Status status = ensemble_open(ctx, req, res, &ensemble, err);
    if (status == OK)
        status = refuse_times(req, res, err);
    if (status == OK && !request.table)
        return ensemble_reply(ctx, req, res, &ensemble, &all, err);
    /* a table of all members */
    if (status == OK)
        status = ensemble_table(req, res, &ensemble.job, request.table, &table, err);
    if (status == OK)
        status = reply_columns(ensemble.job.table_columns, req->arena, &request, err);
    request.complete = status == OK && ensemble.job.complete;
    if (status == OK)
        status = columns_select(req, res, "columns", &request, err);
    if (status == OK)
        status = reply_table(ctx, req, res, &ensemble.job, table, &request, err);
    return status;
}
