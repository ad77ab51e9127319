/* The gate in front of libmicrohttpd: follows the bytes of a connection from request to request,
 * and stops at the first request that is not valid HTTP (server/http/head.h) or exceeds a limit.
 *
 * libmicrohttpd accepts many such requests, and answers the others by itself, in HTML. It sees only
 * bytes that have passed the gate (server/http/intake.h). */
#ifndef SERVER_GATE_H
#define SERVER_GATE_H

#include "server/http/head.h"

typedef struct Gate Gate;

Gate *gate_new(void); /* NULL when out of memory */
void gate_free(Gate *gate);

/* Checks the next bytes of the connection. Returns the number of bytes that may go on: all, or
 * those before a refused request; no bytes may come after it. The name of a Cookie field is changed
 * to a meaningless one: the service has no cookies, and libmicrohttpd reads them (c=" as one of
 * length -1). */
size_t gate_pass(Gate *gate, char *bytes, size_t size);

const Refusal *gate_refusal(const Gate *gate); /* NULL: none so far */

/* Every request has arrived completely. */
bool gate_between_requests(const Gate *gate);

/* Whether a request that passed is not taken yet; takes the oldest. False: there is none, or out of
 * memory. */
bool gate_has_head(const Gate *gate);
bool gate_take_head(Gate *gate, Arena *arena, Head *ret);

#endif
