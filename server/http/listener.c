/* The listening socket and its thread: accepts connections, hands them on, and stops at once when
 * a drain begins. */
#include "server/http/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

struct Listener {
    int fd, wake[2];
    Address address;
    ListenerSink sink;
    pthread_t thread;
    bool running;
};

static Status bind_and_listen(Listener *listener, const char *text, Error *err)
{
    Address *address = &listener->address;
    int on = 1;
    /* make the socket */
    listener->fd = socket(address->storage.ss_family, SOCK_STREAM, 0);
    if (listener->fd < 0)
        return error_set(err, ERR_IO, "cannot make a socket: %s", strerror(errno));
    fcntl(listener->fd, F_SETFD, FD_CLOEXEC);
    fcntl(listener->fd, F_SETFL, O_NONBLOCK);
    setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* bind it */
    if (bind(listener->fd, (const struct sockaddr *)&address->storage, address->length) != 0) {
        if (errno == EADDRINUSE)
            return error_set(err, ERR_CONFLICT,
                             "%s is in use by another program; stop that one or choose another "
                             "port",
                             text);
        return error_set(err, ERR_IO, "cannot listen on %s: %s", text, strerror(errno));
    }
    /* listen, and learn the port */
    if (listen(listener->fd, BACKLOG) != 0)
        return error_set(err, ERR_IO, "cannot listen on %s: %s", text, strerror(errno));
    if (getsockname(listener->fd, (struct sockaddr *)&address->storage, &address->length) != 0)
        return error_set(err, ERR_IO, "cannot learn the port: %s", strerror(errno));
    /* a pipe that ends the thread */
    if (pipe(listener->wake) != 0)
        return error_set(err, ERR_IO, "cannot make a pipe: %s", strerror(errno));
    fcntl(listener->wake[0], F_SETFD, FD_CLOEXEC);
    fcntl(listener->wake[1], F_SETFD, FD_CLOEXEC);
    return OK;
}

Status listener_open(const char *text, Listener **ret_listener, Error *err)
{
    Listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    listener->fd = listener->wake[0] = listener->wake[1] = -1;
    Status status = address_parse(text, &listener->address, err);
    if (status == OK)
        status = bind_and_listen(listener, text, err);
    if (status != OK) {
        listener_free(listener);
        return status;
    }
    *ret_listener = listener;
    return OK;
}

const Address *listener_address(const Listener *listener)
{
    return &listener->address;
}

static void accept_one(Listener *listener)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    int on = 1, fd = accept(listener->fd, (struct sockaddr *)&peer, &length);
    if (fd < 0) {
        /* out of descriptors: the connection stays in the queue; do not spin on it */
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            poll(NULL, 0, 50);
        return;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    listener->sink.accepted(listener->sink.self, fd, (const struct sockaddr *)&peer, length);
}

static void *accept_loop(void *cls)
{
    Listener *listener = cls;
    struct pollfd fds[2] = {{.fd = listener->fd, .events = POLLIN},
                            {.fd = listener->wake[0], .events = POLLIN}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (fds[1].revents)
            return NULL;
        if (fds[0].revents)
            accept_one(listener);
    }
}

Status listener_start(Listener *listener, ListenerSink sink, Error *err)
{
    listener->sink = sink;
    int code = pthread_create(&listener->thread, NULL, accept_loop, listener);
    if (code != 0)
        return error_set(err, ERR_IO, "cannot start a thread: %s", strerror(code));
    listener->running = true;
    return OK;
}

void listener_stop(Listener *listener)
{
    if (listener->running) {
        ssize_t written = write(listener->wake[1], "", 1);
        (void)written;
        pthread_join(listener->thread, NULL);
        listener->running = false;
    }
    if (listener->fd >= 0)
        close(listener->fd);
    listener->fd = -1;
}

void listener_free(Listener *listener)
{
    if (!listener)
        return;
    listener_stop(listener);
    if (listener->wake[0] >= 0) {
        close(listener->wake[0]);
        close(listener->wake[1]);
    }
    free(listener);
}
