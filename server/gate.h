/* The gate in front of every route: requests about whose borders two readers could disagree
 * (request smuggling), or that are not HTTP as it should be, are refused with 400 and the
 * connection is closed. libmicrohttpd lets all of them pass. */
#ifndef SERVER_GATE_H
#define SERVER_GATE_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/api.h"

typedef struct GateResult {
    const char *refusal;    /* NULL: passed */
    int64_t content_length; /* -1: chunked */
    ApiPair *headers;       /* n_headers, in the arena; names and values are copies */
    size_t n_headers;
} GateResult;

/* On the first call for a request, while the header block still lies in the connection's buffer:
 * `method` and `version` must be the pointers libmicrohttpd gave. */
GateResult gate_check(struct MHD_Connection *connection, const char *method, const char *target,
                      const char *version, Arena *arena);

#endif
