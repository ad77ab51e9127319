/* Functions that several resources share. */
#ifndef API_ROUTES_COMMON_H
#define API_ROUTES_COMMON_H

#include "api/api.h"
#include "api/documents/documents.h"
#include "api/documents/member_document.h"
#include "api/json/reader.h"
#include "api/json/writer.h"

/* A fresh list of mistakes; it becomes the `errors` of the problem document. NULL if out of
 * memory. */
Diagnostics *reply_diagnostics(const ApiRequest *req, ApiResponse *res);

/* Whether the request may see what all tenants do together: there is only one, or its key has the
 * scope admin, or there are no keys. */
bool sees_all(const ApiContext *ctx, const ApiRequest *req);

/* Fills `self` from the root of a JSON document. Mistakes become diagnostics of the reader. */
typedef void BodyReader(JsonReader *reader, JsonValue root, void *self);
/* Reads a body that is a JSON document. ERR_INVALID: the mistakes are in the response. */
Status reply_read_body(const ApiRequest *req, ApiResponse *res, BodyReader *read, void *self,
                       Error *err) MUST_CHECK;

/* Writes the job resource as the body. */
Status reply_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                 const JobRecord *job, Error *err) MUST_CHECK;

/* Adds the model that the store keeps for a job, if there is one. */
Status accepted_model(const ApiContext *ctx, const JobRecord *job, Arena *arena,
                      AcceptedDocument *document, Error *err) MUST_CHECK;

/* The type of HTML pages, which are all in UTF-8. */
#define HTML_TYPE "text/html; charset=utf-8"

/* Begins an HTML page, up to its title; it suits phones and dark screens. */
void reply_html(ApiResponse *res);

/* Appends a text from the store or the catalog to the body. */
void reply_text(ApiResponse *res, const char *text, size_t size);

/* Adds a strong ETag made of `key`, which must identify the bytes of the answer. True: the client
 * has these bytes, and the answer is 304 without a body. */
bool reply_tagged(const ApiRequest *req, ApiResponse *res, const char *key);

/* Adds a Link to the next page: the request's own query with this cursor. */
void reply_next_page(const ApiRequest *req, ApiResponse *res, const char *parameter,
                     const char *cursor);

/* Begins and ends a body {"NAME": [ITEMS], "next": CURSOR}; between them the caller writes the
 * items. `cursor`: of the next page, for "next" and a Link; NULL on the last page. */
void reply_list_begin(ApiResponse *res, JsonWriter *writer, const char *name);
void reply_list_end(const ApiRequest *req, ApiResponse *res, JsonWriter *writer,
                    const char *cursor);

/* Must the handler return OK at once, to be called again on a thread that may take long? */
bool reply_later(ApiResponse *res);

/* Makes the response a wish to be called again. */
void reply_wait(ApiResponse *res, ApiHandler again, const void *memo, const char *job_id,
                double deadline);

#endif
