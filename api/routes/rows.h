/* Rows as an answer: streamed in the format that the client asks for. */
#ifndef API_ROUTES_ROWS_H
#define API_ROUTES_ROWS_H

#include "api/api.h"
#include "api/documents/result_writer.h"

/* Of a route with the types ROWS_TYPES. */
#define ROWS_TYPES \
    "application/json,application/x-ndjson,text/csv,application/x-npy,application/vnd.numpy"
ResultFormat reply_format(const ApiRequest *req);

/* The columns of a table that the store keeps: names, units and n_names of the request, in the
 * arena. */
Status reply_columns(const char *json, Arena *arena, ResultRequest *request, Error *err) MUST_CHECK;
/* The names in such a list alone; NULL stands for an empty one. */
Status reply_names(const char *json, Arena *arena, const char ***ret_names, size_t *ret_n,
                   Error *err) MUST_CHECK;

/* Of rows of a job: what their answer depends on, and a tag. True: the client has them, and the
 * answer is there. */
bool reply_not_modified(const ApiRequest *req, ApiResponse *res, const JobRecord *job);

/* Sets request->next, where its limit leaves rows out, and adds a Link to them. */
Status reply_more(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                  Error *err) MUST_CHECK;

/* How many numbers a download may read ahead, of those that it wants; the holding pays for them. A
 * large one takes at most half of what is left, so that others find room, too. Budget NULL: what it
 * wants. */
size_t reply_tile(Budget *budget, size_t *holding, size_t wanted);

/* Starts to stream. The source is the answer's from now on, also when this fails: `free_source` is
 * called once. Lowers request->tile, if it is set, to what may be read ahead. */
Status reply_rows(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                  void (*free_source)(void *self), ResultRequest *request, Error *err) MUST_CHECK;

#endif
