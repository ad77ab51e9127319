/* gzip (RFC 1952) of bodies: request bodies are expanded, responses are compressed while they are
 * sent. */
#ifndef API_GZIP_H
#define API_GZIP_H

#include "api/exchange.h"

/* Appends the expanded bytes of all gzip members in the input. ERR_LIMIT: more than `most` bytes.
 * ERR_INVALID: no gzip, or incomplete. Each growth calls may_grow(self, total bytes) first; if that
 * returns false, ERR_BUSY. */
Status gzip_expand(const char *bytes, size_t size, size_t most,
                   bool (*may_grow)(void *self, size_t total), void *self, Text *out,
                   Error *err) MUST_CHECK;

/* Should an answer of this request be compressed, if it is long enough? Yes if its type is a text
 * and the client accepts gzip with at least the weight of the unpacked body. The result is the same
 * for all answers of a request, so their entity tags can depend on it. */
bool gzip_wanted(const ApiRequest *req);

/* Compresses the answer: a short one at once, longer ones piece by piece while they are sent. An
 * answer whose handler has set Content-Encoding stays as it is. */
Status gzip_answer(const ApiRequest *req, ApiResponse *res, Error *err) MUST_CHECK;

#endif
