/* Server-sent events (the HTML standard, section 9.2). */
#ifndef API_ROUTES_STREAM_H
#define API_ROUTES_STREAM_H

#include "api/api.h"

#define EVENT_STREAM "text/event-stream"

/* The feed of changes as a stream, from filter->since or Last-Event-ID, else from now on. No other
 * part of the filter may be set. */
Status stream_changes(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                      const JobFilter *filter, Error *err) MUST_CHECK;

#endif
