/* Which of a table's rows are sent: a page, its end, few that stand for all. Of routes with the
 * parameters SELECTION_QUERY. */
#ifndef API_ROUTES_SELECTION_H
#define API_ROUTES_SELECTION_H

#include "api/api.h"
#include "api/documents/result_writer.h"

#define SELECTION_QUERY "stride tail points limit cursor"

/* Narrows the rows [first, end) of the request by `stride`, `tail` and `limit` with `cursor`, and
 * links to the next page;
 * *ret_buckets: those of extremes.h that `points` asks for, 0 where it asks for none or all are as
 * few. */
Status selection_read(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                      uint64_t *ret_buckets, Error *err) MUST_CHECK;

/* As reply_rows(), of as many buckets. */
Status selection_reply(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                       void (*free_source)(void *self), uint64_t buckets, ResultRequest *request,
                       Error *err) MUST_CHECK;

#endif
