/* Functions shared by submissions of one job and of batches. */
#ifndef API_ROUTES_SUBMIT_H
#define API_ROUTES_SUBMIT_H

#include "api/api.h"

/* The Idempotency-Key; NULL: none. A quoted string, as the draft of that header requires, or a bare
 * token: both name the same key. Printable ASCII, so that it can be shown and logged. */
Status submission_key(const ApiRequest *req, ApiResponse *res, const char **ret_key,
                      Error *err) MUST_CHECK;

/* The data of a job that the store needs without reading its document again. Borrows from
 * `prepared`; new texts live in the arena. */
Status submission_draft(const ApiContext *ctx, const PreparedJob *prepared, const char *request,
                        size_t size, Arena *arena, JobDraft *ret_draft, Error *err) MUST_CHECK;

/* Tells the host about an added job. */
void submission_tell(const ApiContext *ctx, const JobRecord *job);

#endif
