/* Open connections: their deadlines, disconnected clients, and draining of data that a refused
 * client still sends.
 *
 * libmicrohttpd's timeout counts inactivity only: one byte a second keeps a connection for ever
 * (slow loris), and a paused download is cut. It is not used. Here a request must arrive within one
 * time, and an answer must leave within another. A request whose client has closed ends at once. If
 * an answer is sent before the body has been read, closing the socket would make the kernel reset
 * the connection, and the client would lose the answer. Therefore the socket is kept half closed
 * and read to its end, within bounds.
 *
 * When the table is full, a new connection evicts the one that has been idle longest. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Connections Connections;
typedef struct Connection Connection;

/* Seconds for a request to arrive, and for an answer to leave. NULL when out of memory. */
Connections *connections_new(double request_seconds, double answer_seconds);
void connections_free(Connections *connections); /* closes lingering sockets */

/* From accept to close; NULL when out of memory. */
Connection *connections_open(Connections *connections, int fd);
void connections_close(Connections *connections, Connection *connection);
size_t connections_count(Connections *connections);

/* Whether a new connection is admitted, with at most `most` open. connections_open() or
 * connections_turned_away() must follow soon. When the table is full, the connection that has been
 * idle longest is evicted: it is kept alive or has an incomplete head, for a second at least. A
 * connection with a complete head keeps its place until the deadline, however slowly the body
 * comes. */
bool connections_admit(Connections *connections, size_t most);
void connections_turned_away(Connections *connections);

/* The first line of a request is here: its time begins. */
void connection_request_begins(Connections *connections, Connection *connection);
/* The head is complete. */
void connection_head_complete(Connections *connections, Connection *connection);
/* The request is complete: the service's turn. */
void connection_request_complete(Connections *connections, Connection *connection);
/* The answer is ready: its time begins. */
void connection_answer_begins(Connections *connections, Connection *connection);
/* The answer has left: the next request may come. */
void connection_answered(Connections *connections, Connection *connection);
/* The answer comes before the request's end: linger after closing. */
void connection_refused(Connections *connections, Connection *connection);

/* Reads a socket to its end before closing it; takes the descriptor. */
void connections_linger(Connections *connections, int fd);

/* Handles deadlines and lingering sockets, and waits for events until `until` (clock_seconds()) at
 * most. For one thread. */
void connections_serve(Connections *connections, double until);
/* Makes connections_serve() return. */
void connections_wake(Connections *connections);

#endif
