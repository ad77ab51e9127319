/* The listening socket and the thread that accepts.
 *
 * At its connection limit libmicrohttpd's own listener would let clients hang without an answer.
 * Here they get a 503, and a drain begins by closing this socket while everything else goes on. */
#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include "core/base/status.h"
#include "server/http/address.h"

typedef struct Listener Listener;

/* Binds and listens. ERR_CONFLICT when the address is in use. */
Status listener_open(const char *address, Listener **ret_listener, Error *err) MUST_CHECK;
const Address *listener_address(const Listener *listener); /* the real port */

typedef struct ListenerSink {
    void *self;
    /* Takes the descriptor. */
    void (*accepted)(void *self, int fd, const struct sockaddr *peer, socklen_t length);
} ListenerSink;

/* Accepts in a thread of its own until listener_stop(). */
Status listener_start(Listener *listener, ListenerSink sink, Error *err) MUST_CHECK;
void listener_stop(Listener *listener); /* refuses new connections; joins the thread */
void listener_free(Listener *listener); /* stops; NULL is fine */

#endif
