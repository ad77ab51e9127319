/* What submissions of one job and of many share. */
#ifndef API_ROUTES_SUBMIT_H
#define API_ROUTES_SUBMIT_H

#include "api/api.h"

/* The Idempotency-Key, NULL: none. A string in quotes as the draft of that header wants it, or a
 * bare token: both name the same key. Printable ASCII, so that it can be shown and logged. */
Status submission_key(const ApiRequest *req, ApiResponse *res, const char **ret_key,
                      Error *err) MUST_CHECK;

/* What the store is to know of a job without reading its document again. Borrows from `prepared`;
 * what is made for it lives in the arena. */
Status submission_draft(const ApiContext *ctx, const PreparedJob *prepared, const char *request,
                        size_t size, Arena *arena, JobDraft *ret_draft, Error *err) MUST_CHECK;

/* Tells the host of a job that was added. */
void submission_tell(const ApiContext *ctx, const JobRecord *job);

#endif
