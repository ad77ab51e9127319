/* The head of a request, its request line and header fields (RFC 9112), read from bytes.
 *
 * A request is refused if two readers could disagree about its end (request smuggling), or if it is
 * not valid HTTP. */
#ifndef SERVER_HEAD_H
#define SERVER_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"

/* With these limits every accepted head fits into libmicrohttpd's memory for a connection: 64 KiB,
 * half of it for reading. There it also needs 64 bytes for each field and each parameter of the
 * query. */
enum {
    HEAD_TARGET_MAX = 8 * 1024,
    HEAD_BYTES_MAX = 24 * 1024,
    HEAD_FIELDS_MAX = 100,
    HEAD_PARAMETERS_MAX = 200,
};

/* The reason of a refusal; reason NULL: accepted. */
typedef struct Refusal {
    Problem problem;
    const char *reason;
} Refusal;

typedef struct Head {
    const char *method, *target;
    ApiPair *headers; /* n_headers */
    size_t n_headers;
    int64_t content_length; /* -1: chunked */
    bool last;              /* the client sends no other request on this connection */
} Head;

/* Whether a request may begin with this character. */
bool head_may_begin(char c);

/* Check a line of a head, or of the trailers after chunks, without its end. */
Refusal head_check_request_line(const char *line, size_t length);
Refusal head_check_field(const char *line, size_t length);

/* Checks the lines of a head together, up to the empty one, and finds the end of the request. Each
 * line has passed its own check and ends in CR LF; a zero byte comes after them. */
Refusal head_check(const char *lines, int64_t *ret_content_length);

/* The same lines as a head, with copies of the texts. False: out of memory. */
bool head_read(Arena *arena, const char *lines, Head *ret);

/* The place after the empty line. */
const char *head_end(const char *lines);

#endif
