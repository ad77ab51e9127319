/* The head of a request, its request line and header fields (RFC 9112), read from bytes.
 *
 * Requests about whose borders two readers could disagree (request smuggling), or that are not HTTP
 * as it should be, are refused. */
#ifndef SERVER_HEAD_H
#define SERVER_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"

/* So that no head that passes is too much for the memory libmicrohttpd has for a connection: 64
 * KiB, half of it for what is read; there it also needs 64 bytes for each field and each parameter
 * of the query. */
enum {
    HEAD_TARGET_MAX = 8 * 1024,
    HEAD_BYTES_MAX = 24 * 1024,
    HEAD_FIELDS_MAX = 100,
    HEAD_PARAMETERS_MAX = 200,
};

/* Why something is not let in; reason NULL: it is. */
typedef struct Refusal {
    Problem problem;
    const char *reason;
} Refusal;

typedef struct Head {
    const char *method, *target;
    ApiPair *headers; /* n_headers */
    size_t n_headers;
    int64_t content_length; /* -1: chunked */
    bool last;              /* the client wants no other on this connection */
} Head;

/* Whether a request may begin so. */
bool head_may_begin(char c);
/* Text without control characters, as values of fields are. */
bool head_is_text(const char *text, size_t length);

/* A line of a head, or of the trailers behind chunks, without its end. */
Refusal head_check_request_line(const char *line, size_t length);
Refusal head_check_field(const char *line, size_t length);

/* The lines of a head up to the empty one, each checked by itself and ended by CR LF, and a zero
 * byte somewhere behind: what they say together, which is where the request ends. */
Refusal head_check(const char *lines, int64_t *ret_content_length);

/* The same lines as a head, with copies of the texts. False: out of memory. */
bool head_read(Arena *arena, const char *lines, Head *ret);

/* Behind the empty line. */
const char *head_end(const char *lines);

#endif
