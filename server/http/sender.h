/* The sender of a request: the address of the client, the id of the request, and its trace.
 *
 * A client can write any address and any id into its header fields. Therefore X-Forwarded-For and
 * X-Request-Id are read only if the connected peer is a trusted proxy. */
#ifndef SERVER_SENDER_H
#define SERVER_SENDER_H

#include <sys/socket.h>

#include "api/exchange.h"
#include "api/net/ip.h"
#include "server/trace.h"

typedef struct Sender {
    char client[IP_TEXT_MAX];          /* "unknown" if the peer has no internet address */
    char request_id[REQUEST_ID_MAX];   /* letters, digits and . _ - */
    char traceparent[TRACEPARENT_MAX]; /* W3C Trace Context, version 00 */
} Sender;

/* The numeric address of a peer, without its port; "unknown" if it has no internet address. */
void peer_format(const struct sockaddr *peer, char ret_text[IP_TEXT_MAX]);

/* The client is the last address on the way from it to the service that is no trusted proxy. The
 * id of the request is that of X-Request-Id, and the trace that of traceparent (version 00). An id
 * that is missing or malformed is made of random bits. The arena is for scratch. */
void sender_read(const IpRules *proxies, const struct sockaddr *peer, const ApiPair *headers,
                 size_t n_headers, Arena *arena, Sender *ret_sender);

#endif
