/* Open connections: their deadlines, their clients' ends, and the reading on of what a refused
 * client still sends.
 *
 * libmicrohttpd's time-out counts inactivity only: one byte a second keeps a connection for ever
 * (slow loris), and a download that pauses is cut. It is not used. Here a request must have arrived
 * within a time, and an answer must have left within another; one that can no longer arrive,
 * because the client has closed, ends at once. And when an answer is sent before the body has been
 * read, closing the socket would make the kernel reset the connection and the client lose the
 * answer: instead the socket is kept, half closed, and read to its end, within bounds.
 *
 * Where all places are taken, who is idle gives way to who has just come. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Connections Connections;
typedef struct Connection Connection;

/* How long a request may take to arrive, an answer to leave. NULL when out of memory. */
Connections *connections_new(double request_seconds, double answer_seconds);
void connections_free(Connections *connections); /* closes what lingers */

/* From accept to close; NULL when out of memory. */
Connection *connections_open(Connections *connections, int fd);
void connections_close(Connections *connections, Connection *connection);
size_t connections_count(Connections *connections);

/* Whether a newcomer may come in where `most` may be open; connections_open() is to follow in a
 * moment, or connections_turned_away(). When the table is full, the connection that has been idle
 * for longest is closed in its favour: kept alive, or with less than a whole head of a request, and
 * so for a second at least. Whose head is complete keeps the place, however slowly the body comes:
 * until the deadline. */
bool connections_admit(Connections *connections, size_t most);
void connections_turned_away(Connections *connections);

/* The request's first line is here: its time begins anew. */
void connection_request_begins(Connections *connections, Connection *connection);
/* So is its head. */
void connection_head_complete(Connections *connections, Connection *connection);
/* The request is complete: now it is our turn. */
void connection_request_complete(Connections *connections, Connection *connection);
/* The answer is there: now it must leave. */
void connection_answer_begins(Connections *connections, Connection *connection);
/* The answer has left: the next request may come. */
void connection_answered(Connections *connections, Connection *connection);
/* The answer does not wait for the request's end: linger after closing. */
void connection_refused(Connections *connections, Connection *connection);

/* Reads a socket to its end before closing it; takes the descriptor. */
void connections_linger(Connections *connections, int fd);

/* Looks after deadlines and lingering sockets, waiting at most until `until` (clock_seconds()) for
 * something to happen. For one thread. */
void connections_serve(Connections *connections, double until);
/* Makes connections_serve() return. */
void connections_wake(Connections *connections);

#endif
