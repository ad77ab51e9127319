/* The gate in front of libmicrohttpd: follows the bytes of a connection from request to request,
 * and stops it at the first one that is not HTTP as it should be (server/http/head.h) or exceeds a
 * limit.
 *
 * libmicrohttpd lets much of that pass, and answers the rest by itself, in HTML. It sees only what
 * the gate has let through (server/http/intake.h). */
#ifndef SERVER_GATE_H
#define SERVER_GATE_H

#include "server/http/head.h"

typedef struct Gate Gate;

Gate *gate_new(void); /* NULL when out of memory */
void gate_free(Gate *gate);

/* The next bytes of the connection. Returns how many of them may go on: all, or, when a request is
 * refused, those before it; nothing is to come after that. The name of a Cookie field is changed to
 * one without a meaning: nobody here wants cookies, and libmicrohttpd reads them (c=" as one of
 * length -1). */
size_t gate_pass(Gate *gate, char *bytes, size_t size);

const Refusal *gate_refusal(const Gate *gate); /* NULL: none so far */

/* Every request has come in to its end. */
bool gate_between_requests(const Gate *gate);

/* Of the requests that passed, whether one is not taken yet; takes the oldest. False when there is
 * none, or out of memory. */
bool gate_has_head(const Gate *gate);
bool gate_take_head(Gate *gate, Arena *arena, Head *ret);

#endif
