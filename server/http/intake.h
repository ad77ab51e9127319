/* The bytes of connections on their way in, through the gate, before libmicrohttpd sees them.
 *
 * libmicrohttpd offers no place to look at them; but it reads by recv(), and a function that a
 * program defines takes the place of the C library's in the libraries it uses, too (ELF symbol
 * interposition). So recv() is defined here; descriptors that were not opened below it leaves
 * alone. A request for which libmicrohttpd calls us and the gate has seen no head is not answered:
 * where the interposition did not work, nothing would. */
#ifndef SERVER_INTAKE_H
#define SERVER_INTAKE_H

#include "server/http/gate.h"

/* Told once, when everything before the refused request has been answered. */
typedef struct IntakeSink {
    void *self, *connection;
    void (*refused)(void *self, void *connection, int fd, const Refusal *refusal);
} IntakeSink;

/* From before the first byte is read until before the descriptor is closed. Only by the thread that
 * reads it. False: out of memory, or too many descriptors. */
bool intake_open(int fd, IntakeSink sink);
void intake_close(int fd);

/* The head of the request that libmicrohttpd has read next. False when there is none. */
bool intake_take_head(int fd, Arena *arena, Head *ret);

/* The request has been answered, or never will be. */
void intake_answered(int fd);
/* Whether the next request is one that the gate has refused; the client has then been told why. */
bool intake_refused(int fd);

#endif
