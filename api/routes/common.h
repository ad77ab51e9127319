/* What several resources share. */
#ifndef API_ROUTES_COMMON_H
#define API_ROUTES_COMMON_H

#include "api/api.h"
#include "api/documents/documents.h"
#include "api/documents/member_document.h"

/* A fresh list of mistakes, which becomes the `errors` of the problem document. NULL when out of
 * memory. */
Diagnostics *reply_diagnostics(const ApiRequest *req, ApiResponse *res);

/* The job resource as the body. */
Status reply_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                 const JobRecord *job, Error *err) MUST_CHECK;

/* Adds the model that is kept for a job, if one is. */
Status accepted_model(const ApiContext *ctx, const JobRecord *job, Arena *arena,
                      AcceptedDocument *document, Error *err) MUST_CHECK;

/* A text from the store or the catalog as the body. */
/* The beginning of a page for people, up to its title; it fits telephones and dark screens. */
#define PAGE_HEAD                                                             \
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"           \
    "<meta name=\"viewport\" content=\"width=device-width\">\n"               \
    "<style>:root { color-scheme: light dark; } "                             \
    "body { font: 1rem/1.6 sans-serif; max-width: 44rem; margin: 2rem auto; " \
    "padding: 0 1rem; } pre { white-space: pre-wrap; }</style>\n"

void reply_text(ApiResponse *res, const char *text, size_t size);

/* Adds a strong ETag made of `key`, which names the bytes of the answer; true where the client has
 * them: then the answer is 304 without a body. */
bool reply_tagged(const ApiRequest *req, ApiResponse *res, const char *key);

/* The request's own query without `cursor`, and with this one: the next page. Adds a Link. */
void reply_next_page(const ApiRequest *req, ApiResponse *res, const char *parameter,
                     const char *cursor);

/* Whether the handler is to return OK at once, to be called again where it may take long. */
bool reply_later(ApiResponse *res);

/* Makes the response a wish to be called again. */
void reply_wait(ApiResponse *res, ApiHandler again, const void *memo, const char *job_id,
                double deadline);

#endif
