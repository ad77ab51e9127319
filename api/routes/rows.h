/* Rows as an answer: streamed in the requested format. */
#ifndef API_ROUTES_ROWS_H
#define API_ROUTES_ROWS_H

#include "api/api.h"
#include "api/documents/result_writer.h"

/* The format of a route with the types ROWS_TYPES. */
#define ROWS_TYPES \
    "application/json,application/x-ndjson,text/csv,application/x-npy,application/vnd.numpy"
ResultFormat reply_format(const ApiRequest *req);

/* Sets names, units and n_names of the request from a stored list of columns, in the arena. */
Status reply_columns(const char *json, Arena *arena, ResultRequest *request, Error *err) MUST_CHECK;
/* Only the names in such a list; NULL is an empty list. */
Status reply_names(const char *json, Arena *arena, const char ***ret_names, size_t *ret_n,
                   Error *err) MUST_CHECK;

/* For rows of a job: adds Vary and, if the job is done, a tag. True: the client has these rows, and
 * the answer is complete. */
bool reply_not_modified(const ApiRequest *req, ApiResponse *res, const JobRecord *job);

/* If the limit leaves rows out, sets request->next and adds a Link to them. */
Status reply_more(const ApiRequest *req, ApiResponse *res, ResultRequest *request,
                  Error *err) MUST_CHECK;

/* The numbers that a download may read ahead, at most `wanted`; *holding counts their bytes. A
 * large download takes at most half of the remaining budget, so that others can start too. Budget
 * NULL: `wanted`. */
size_t reply_tile(Budget *budget, size_t *holding, size_t wanted);

/* Starts to stream. Takes the source over, also if this fails: `free_source` is called once. Lowers
 * request->tile, if it is set, to the numbers that may be read ahead. */
Status reply_rows(const ApiContext *ctx, ApiResponse *res, const RowsSource *source,
                  void (*free_source)(void *self), ResultRequest *request, Error *err) MUST_CHECK;

#endif
