/* Server-sent events (the standard of HTML, section 9.2). */
#ifndef API_ROUTES_STREAM_H
#define API_ROUTES_STREAM_H

#include "api/api.h"

#define EVENT_STREAM "text/event-stream"

/* The feed of changes as a stream: filter->since or Last-Event-ID, else from now on; nothing else
 * of the filter. */
Status stream_changes(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                      const JobFilter *filter, Error *err) MUST_CHECK;

#endif
