/* The bytes of connections on their way in, through the gate, before libmicrohttpd sees them.
 *
 * libmicrohttpd offers no place to look at them; but it reads by recv(), and a function that a
 * program defines takes the place of the C library's in the libraries it uses, too (ELF symbol
 * interposition). So recv() is defined here; descriptors that were not opened below it leaves alone.
 * A request for which libmicrohttpd calls us and the gate has seen no head is not answered: where the
 * interposition did not work, nothing would. */
#ifndef SERVER_INTAKE_H
#define SERVER_INTAKE_H

#include "server/gate.h"

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

/* An answer has left. True: no more is to come, and the client has been told why. */
bool intake_answered(int fd);

#endif
