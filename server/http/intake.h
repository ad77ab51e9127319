/* The bytes of connections pass the gate before libmicrohttpd sees them.
 *
 * libmicrohttpd has no hook for this, but it reads by recv(). A function that a program defines
 * replaces the C library's function also in the libraries it uses (ELF symbol interposition). So
 * recv() is defined here; it changes nothing for descriptors without intake_open(). If the gate has
 * not seen the head of a request, the request is not answered: without the interposition there is
 * no answer at all. */
#ifndef SERVER_INTAKE_H
#define SERVER_INTAKE_H

#include "server/http/gate.h"

/* Called once, after all requests before the refused one have been answered. */
typedef struct IntakeSink {
    void *self, *connection;
    void (*refused)(void *self, void *connection, int fd, const Refusal *refusal);
} IntakeSink;

/* From before the first byte is read until before the descriptor is closed, only by the thread that
 * reads it. False: out of memory, or too many descriptors. */
bool intake_open(int fd, IntakeSink sink);
void intake_close(int fd);

/* The head of the request that libmicrohttpd has read next. False: there is none. */
bool intake_take_head(int fd, Arena *arena, Head *ret);

/* The request has been answered, or never will be. */
void intake_answered(int fd);
/* Whether the gate has refused the next request; then the client has been told. */
bool intake_refused(int fd);

#endif
