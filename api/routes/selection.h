/* Selects the rows of a table for the answer: a page, its end, or a few that represent all. For
 * routes with the parameters SELECTION_QUERY. */
#ifndef API_ROUTES_SELECTION_H
#define API_ROUTES_SELECTION_H

#include "api/api.h"
#include "api/documents/result_writer.h"

#define SELECTION_QUERY "stride tail points limit cursor"

/* Narrows the rows [first, end) of the request by `stride`, `tail` and `limit` with `cursor`, and
 * links to the next page. *ret_buckets: the buckets of extremes.h for `points`; 0 if `points` is
 * absent or all rows fit. */
Status selection_read(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                      uint64_t *ret_buckets, Error *err) MUST_CHECK;

/* The same as reply_rows(), with these buckets. */
Status selection_reply(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                       void (*free_source)(void *self), uint64_t buckets, ResultRequest *request,
                       Error *err) MUST_CHECK;

#endif
