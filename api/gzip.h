/* gzip (RFC 1952) of bodies: what clients send is expanded, what they take is packed while it is
 * sent. */
#ifndef API_GZIP_H
#define API_GZIP_H

#include "api/exchange.h"

/* Appends what the bytes were before: of all members that follow each other. ERR_LIMIT: more than
 * `most` bytes; ERR_INVALID: it is no gzip, or not whole. `may_grow` is asked before so many bytes
 * in all are held; false ends it with ERR_BUSY. */
Status gzip_expand(const char *bytes, size_t size, size_t most,
                   bool (*may_grow)(void *self, size_t total), void *self, Text *out,
                   Error *err) MUST_CHECK;

/* Whether this answer is to be packed, where it is long enough: the client likes that at least as
 * much, and its type is a text. The same for all answers of a request, so that its tag tells the
 * two apart. */
bool gzip_wanted(const ApiRequest *req);

/* Packs the answer: a short one at once, others piece by piece while they are sent. */
Status gzip_answer(const ApiRequest *req, ApiResponse *res, Error *err) MUST_CHECK;

#endif
