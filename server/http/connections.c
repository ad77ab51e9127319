/* The open connections: deadlines of requests and answers, disconnected clients, and draining of
 * data that a refused client still sends. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "server/http/connections.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "server/http/raw_answer.h"

enum { LINGER_MAX = 256, LINGER_BYTES = 32 * 1024 * 1024 };

static const double LINGER_SECONDS = 2.0;
static const double SCAN_SECONDS = 0.5;
/* A connection may be evicted if it has been idle, or its head incomplete, for this time. Active
 * clients send more often, and a head arrives in one or two pieces. */
static const double GIVES_WAY_SECONDS = 1.0;
/* Evicted connections that may still be open beyond the limit. */
enum { LEAVING_MAX = 64 };
/* An admitted connection opens within this time, unless memory is short, which nobody reports. */
static const double COMING_SECONDS = 1.0;
/* If no connection can be evicted, the next search waits: a flood must not cost a search for each
 * new connection. */
static const double FULL_SECONDS = 0.05;

/* In order: the client's turn, then the service's turn. */
typedef enum Phase { PHASE_IDLE, PHASE_HEAD, PHASE_BODY, PHASE_WORKING, PHASE_ANSWERING } Phase;

struct Connection {
    int fd;
    int kept; /* a duplicate that outlives the close, or -1 */
    Phase phase;
    bool used;    /* has carried a request before */
    bool ended;   /* at the last scan, its client had closed its sending side */
    bool leaving; /* evicted: libmicrohttpd is about to see it */
    double since; /* when the phase began */
    Connection *next, *previous;
};

typedef struct Lingering {
    int fd;
    double until;
    size_t bytes;
} Lingering;

struct Connections {
    pthread_mutex_t lock;
    Connection *first;
    size_t count, coming, leaving;
    double request_seconds, answer_seconds, next_scan;
    double full_until;    /* no search for a connection to evict before */
    double last_admitted; /* then `coming` was right */
    int wake[2];
    Lingering lingering[LINGER_MAX];
    size_t n_lingering;
    struct pollfd *looks; /* one for each connection */
    size_t looks_capacity;
};

Connections *connections_new(double request_seconds, double answer_seconds)
{
    Connections *connections = calloc(1, sizeof *connections);
    if (!connections)
        return NULL;
    connections->request_seconds = request_seconds;
    connections->answer_seconds = answer_seconds;
    if (pipe(connections->wake) != 0) {
        free(connections);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(connections->wake[i], F_SETFL, O_NONBLOCK);
        fcntl(connections->wake[i], F_SETFD, FD_CLOEXEC);
    }
    pthread_mutex_init(&connections->lock, NULL);
    return connections;
}

void connections_free(Connections *connections)
{
    if (!connections)
        return;
    for (size_t i = 0; i < connections->n_lingering; i++)
        close(connections->lingering[i].fd);
    close(connections->wake[0]);
    close(connections->wake[1]);
    free(connections->looks);
    pthread_mutex_destroy(&connections->lock);
    free(connections);
}

Connection *connections_open(Connections *connections, int fd)
{
    Connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    *connection = (Connection){.fd = fd, .kept = -1, .since = clock_seconds()};
    pthread_mutex_lock(&connections->lock);
    connection->next = connections->first;
    if (connections->first)
        connections->first->previous = connection;
    connections->first = connection;
    connections->count++;
    connections->coming -= connections->coming > 0;
    pthread_mutex_unlock(&connections->lock);
    return connection;
}

void connections_close(Connections *connections, Connection *connection)
{
    if (!connection)
        return;
    pthread_mutex_lock(&connections->lock);
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        connections->first = connection->next;
    if (connection->next)
        connection->next->previous = connection->previous;
    connections->count--;
    connections->leaving -= connection->leaving;
    pthread_mutex_unlock(&connections->lock);
    if (connection->kept >= 0)
        connections_linger(connections, connection->kept);
    free(connection);
}

size_t connections_count(Connections *connections)
{
    pthread_mutex_lock(&connections->lock);
    size_t count = connections->count;
    pthread_mutex_unlock(&connections->lock);
    return count;
}

static void enter_phase(Connections *connections, Connection *connection, Phase phase)
{
    if (!connection)
        return;
    pthread_mutex_lock(&connections->lock);
    connection->phase = phase;
    connection->since = clock_seconds();
    connection->ended = false;
    connection->used = connection->used || phase >= PHASE_WORKING;
    pthread_mutex_unlock(&connections->lock);
}

void connection_request_begins(Connections *connections, Connection *connection)
{
    enter_phase(connections, connection, PHASE_HEAD);
}

void connection_head_complete(Connections *connections, Connection *connection)
{
    if (!connection)
        return;
    pthread_mutex_lock(&connections->lock);
    connection->phase = PHASE_BODY; /* the deadline counts from the first line */
    pthread_mutex_unlock(&connections->lock);
}

void connection_request_complete(Connections *connections, Connection *connection)
{
    enter_phase(connections, connection, PHASE_WORKING);
}

void connection_answer_begins(Connections *connections, Connection *connection)
{
    enter_phase(connections, connection, PHASE_ANSWERING);
}

void connection_answered(Connections *connections, Connection *connection)
{
    enter_phase(connections, connection, PHASE_IDLE);
}

void connection_refused(Connections *connections, Connection *connection)
{
    if (connection && connection->kept < 0)
        connection->kept = fcntl(connection->fd, F_DUPFD_CLOEXEC, 0);
    enter_phase(connections, connection, PHASE_ANSWERING);
}

void connections_wake(Connections *connections)
{
    /* a full pipe wakes as well */
    ssize_t written = write(connections->wake[1], "", 1);
    (void)written;
}

void connections_linger(Connections *connections, int fd)
{
    shutdown(fd, SHUT_WR);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    pthread_mutex_lock(&connections->lock);
    bool room = connections->n_lingering < LINGER_MAX;
    if (room)
        connections->lingering[connections->n_lingering++] =
            (Lingering){.fd = fd, .until = clock_seconds() + LINGER_SECONDS};
    pthread_mutex_unlock(&connections->lock);
    if (!room)
        close(fd);
    else
        connections_wake(connections);
}

/* Closes a connection. Sends the reason if a request is incomplete, or none has come yet. */
static void connection_cut(const Connection *connection, Problem problem, const char *why)
{
    if (connection->phase == PHASE_HEAD || connection->phase == PHASE_BODY || !connection->used)
        raw_answer_send(connection->fd, problem, why);
    shutdown(connection->fd, SHUT_RDWR);
}

/* Unread bytes are part of a request for which libmicrohttpd has not been woken yet. */
static bool may_give_way(const Connection *connection)
{
    int unread = 0;
    return connection->phase <= PHASE_HEAD && !connection->leaving &&
           ioctl(connection->fd, FIONREAD, &unread) == 0 && unread == 0;
}

/* The connection that has been idle longest, or NULL. With the lock held. */
static Connection *find_oldest(const Connections *connections, double now)
{
    Connection *oldest = NULL;
    double since = now - GIVES_WAY_SECONDS;
    for (Connection *connection = connections->first; connection; connection = connection->next) {
        if (connection->since <= since && may_give_way(connection)) {
            oldest = connection;
            since = connection->since;
        }
    }
    return oldest;
}

/* With the lock held. */
static bool make_room(Connections *connections, double now)
{
    if (connections->leaving >= LEAVING_MAX || now < connections->full_until)
        return false;
    Connection *oldest = find_oldest(connections, now);
    if (!oldest) {
        connections->full_until = now + FULL_SECONDS;
        return false;
    }
    oldest->leaving = true;
    connections->leaving++;
    connection_cut(oldest, PROBLEM_OVERLOADED, "too many connections: closed for a new one");
    return true;
}

bool connections_admit(Connections *connections, size_t most)
{
    const double now = clock_seconds();
    pthread_mutex_lock(&connections->lock);
    if (now - connections->last_admitted > COMING_SECONDS)
        connections->coming = 0;
    const size_t taken = connections->count - connections->leaving + connections->coming;
    const bool room = taken < most || make_room(connections, now);
    if (room) {
        connections->coming++;
        connections->last_admitted = now;
    }
    pthread_mutex_unlock(&connections->lock);
    return room;
}

void connections_turned_away(Connections *connections)
{
    pthread_mutex_lock(&connections->lock);
    connections->coming -= connections->coming > 0;
    pthread_mutex_unlock(&connections->lock);
}

static double phase_seconds(const Connections *connections, Phase phase)
{
    switch (phase) {
    case PHASE_IDLE:
    case PHASE_HEAD:
    case PHASE_BODY:
        return connections->request_seconds;
    case PHASE_WORKING:
        return INFINITY; /* waits and computations have limits of their own */
    case PHASE_ANSWERING:
        break;
    }
    return connections->answer_seconds;
}

/* With the lock held, because the descriptor of a listed connection is open. */
static void scan_deadlines(Connections *connections, double now)
{
    for (Connection *connection = connections->first; connection; connection = connection->next) {
        if (now - connection->since > phase_seconds(connections, connection->phase)) {
            connection_cut(connection, PROBLEM_REQUEST_TIMEOUT, "send the request faster");
            connection->since = now;
        }
    }
}

/* Whether the client has closed its sending side and all its bytes have been read. */
static bool has_ended(const struct pollfd *look)
{
    int unread = 0;
    return (look->revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0 &&
           ioctl(look->fd, FIONREAD, &unread) == 0 && unread == 0;
}

/* libmicrohttpd's edge-triggered loop does not see a close that comes together with data. Without
 * this scan, half a request of a disconnected client would keep its place until the deadline. The
 * second scan cuts it, because at the first its last bytes may still be in work. With the lock
 * held. */
static void scan_ended(Connections *connections)
{
    size_t n = 0;
    if (!grow_array(&connections->looks, &connections->looks_capacity, connections->count,
                    sizeof *connections->looks))
        return; /* the deadlines still hold */
    for (Connection *connection = connections->first; connection; connection = connection->next)
        connections->looks[n++] = (struct pollfd){.fd = connection->fd, .events = POLLRDHUP};
    if (poll(connections->looks, (nfds_t)n, 0) <= 0)
        return;
    n = 0;
    for (Connection *connection = connections->first; connection; connection = connection->next) {
        const struct pollfd *look = &connections->looks[n++];
        const bool ended = connection->phase < PHASE_WORKING && has_ended(look);
        if (ended && connection->ended)
            connection_cut(connection, PROBLEM_MALFORMED, "the request is incomplete");
        connection->ended = ended;
    }
}

/* Reads pending data; true if the socket can be closed. */
static bool drain(Lingering *lingering, double now)
{
    char buffer[65536];
    if (now >= lingering->until || lingering->bytes > LINGER_BYTES)
        return true;
    ssize_t n = recv(lingering->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0)
        lingering->bytes += (size_t)n;
    return n == 0;
}

void connections_serve(Connections *connections, double until)
{
    struct pollfd fds[LINGER_MAX + 1];
    double now = clock_seconds();

    /* sleep on the lingering sockets and the wake-up pipe; the lock is free meanwhile */
    pthread_mutex_lock(&connections->lock);
    size_t n = connections->n_lingering;
    for (size_t i = 0; i < n; i++)
        fds[i] = (struct pollfd){.fd = connections->lingering[i].fd, .events = POLLIN};
    pthread_mutex_unlock(&connections->lock);
    fds[n] = (struct pollfd){.fd = connections->wake[0], .events = POLLIN};

    double wait = until - now;
    if (wait > SCAN_SECONDS)
        wait = SCAN_SECONDS;
    if (n > 0 && wait > 0.1)
        wait = 0.1;
    poll(fds, (nfds_t)(n + 1), wait > 0.0 ? (int)(wait * 1000.0) + 1 : 0);
    char bytes[256];
    while (read(connections->wake[0], bytes, sizeof bytes) > 0)
        continue;

    /* drain all of them (more may have come), then scan the deadlines if it is time */
    now = clock_seconds();
    pthread_mutex_lock(&connections->lock);
    for (size_t i = 0; i < connections->n_lingering;) {
        if (drain(&connections->lingering[i], now)) {
            close(connections->lingering[i].fd);
            connections->lingering[i] = connections->lingering[--connections->n_lingering];
        } else {
            i++;
        }
    }
    if (now >= connections->next_scan) {
        connections->next_scan = now + SCAN_SECONDS;
        scan_deadlines(connections, now);
        scan_ended(connections);
    }
    pthread_mutex_unlock(&connections->lock);
}
