/* The parameters of results that select rows by their number. */
#include "api/routes/selection.h"

#include "api/documents/extremes.h"
#include "api/routes/rows.h"

/* Refuses parameters that contradict each other. */
static Status refuse_beside(const ApiRequest *req, ApiResponse *res, const char *name,
                            const char *does, const char *const *others, size_t n, Error *err)
{
    for (size_t i = 0; i < n; i++)
        if (api_query(req, others[i]))
            return api_fail(res, PROBLEM_PARAMETER, err, "\"%s\" %s: not together with \"%s\"",
                            name, does, others[i]);
    return OK;
}

static Status read_page(const ApiRequest *req, ApiResponse *res, ResultRequest *request, Error *err)
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

/* The last rows at the stride. Rows of a running job thus stay the same when more are added. */
static Status read_tail(const ApiRequest *req, ApiResponse *res, ResultRequest *request, Error *err)
{
    static const char *const PAGES[] = {"limit", "cursor"};
    int64_t tail = 0;
    uint64_t next;

    Status status = api_query_integer(req, res, "tail", 1, INT64_MAX, &tail, err);
    if (status != OK || tail == 0)
        return status;
    status = refuse_beside(req, res, "tail", "counts from the end", PAGES, 2, err);
    if (status != OK)
        return status;
    const uint64_t n = result_rows(request, &next);
    if (n > (uint64_t)tail)
        request->first += (n - (uint64_t)tail) * request->stride;
    return OK;
}

static Status read_points(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                          uint64_t *ret_buckets, Error *err)
{
    static const char *const PAGES[] = {"stride", "limit", "cursor"};
    int64_t points = 0;

    *ret_buckets = 0;
    Status status = api_query_integer(req, res, "points", 1, EXTREMES_BUCKETS_MAX, &points, err);
    if (status != OK || points == 0)
        return status;
    /* only if there are more rows than points */
    status = refuse_beside(req, res, "points",
                           "selects among all rows between \"from\" and \"to\", or among the last "
                           "rows",
                           PAGES, 3, err);
    if (status != OK)
        return status;
    const uint64_t n = request->end - request->first;
    if (extremes_rows(n, (uint64_t)points) < n) {
        request->downsampled = true;
        *ret_buckets = (uint64_t)points;
    }
    return OK;
}

Status selection_read(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                      uint64_t *ret_buckets, Error *err)
{
    Status status = read_page(req, res, request, err);
    if (status == OK)
        status = read_tail(req, res, request, err);
    return status == OK ? read_points(req, res, request, ret_buckets, err) : status;
}

Status selection_reply(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                       void (*free_source)(void *self), uint64_t buckets, ResultRequest *request,
                       Error *err)
{
    const uint64_t n = request->end - request->first;
    RowsSource few;

    if (buckets == 0)
        return reply_rows(ctx, res, source, free_source, request, err);
    Status status =
        extremes_new(source, free_source, request->n_names, request->first, n, buckets, &few, err);
    if (status != OK)
        return status;
    request->first = 0;
    request->end = extremes_rows(n, buckets);
    return reply_rows(ctx, res, &few, extremes_free, request, err);
}
