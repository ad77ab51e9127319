/* The second listener: libmicrohttpd with one thread and one resource. */
#include "server/http/metrics_listener.h"

#include <limits.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "server/http/listener.h"

static const unsigned IDLE_SECONDS = 30; /* then a connection is closed */
static const int MAX_OPEN = 32;          /* connections; more are closed at once */

/* A scraper knows the listener by its address. No foreign page can have these names. */
static const char *const LOCAL[] = {"localhost"};
static const HostRules ADDRESSES = {.names = LOCAL, .n_names = 1, .any_address = true};

struct MetricsListener {
    MetricsSource source;
    Listener *listener;
    struct MHD_Daemon *daemon;
    atomic_int open; /* connections */
};

/* Takes the text. */
static enum MHD_Result answer(struct MHD_Connection *mhd, unsigned status, const char *type,
                              Text *text)
{
    struct MHD_Response *response =
        text_ok(text)
            ? MHD_create_response_from_buffer(text->length, text->data, MHD_RESPMEM_MUST_COPY)
            : NULL;
    text_done(text);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
    const enum MHD_Result result = MHD_queue_response(mhd, status, response);
    MHD_destroy_response(response);
    return result;
}

/* A request without Host is no browser's. */
static bool names_us(const MetricsListener *listener, struct MHD_Connection *mhd)
{
    const char *host = MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Host");
    return !host || host_allowed(&ADDRESSES, host) || host_allowed(listener->source.hosts, host);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **context)
{
    const MetricsListener *listener = cls;
    const bool first = !*context, more = *size > 0;
    Text text = TEXT_INIT;
    (void)version;
    (void)data;
    /* read to the end of the request; nobody needs its body */
    *context = cls;
    *size = 0;
    if (first || more)
        return MHD_YES;
    /* answer */
    if (!names_us(listener, mhd)) {
        text_puts(&text, "this listener answers to numeric addresses, localhost and the names of "
                         "--hosts\n");
        return answer(mhd, MHD_HTTP_FORBIDDEN, "text/plain", &text);
    }
    if (strcmp(url, "/metrics") != 0) {
        text_puts(&text, "this listener has only /metrics\n");
        return answer(mhd, MHD_HTTP_NOT_FOUND, "text/plain", &text);
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        text_puts(&text, "/metrics allows only GET, HEAD\n");
        return answer(mhd, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", &text);
    }
    listener->source.write(listener->source.self, true, &text);
    return answer(mhd, MHD_HTTP_OK, API_METRICS_TYPE, &text);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    MetricsListener *listener = cls;
    (void)mhd;
    (void)context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        atomic_fetch_sub(&listener->open, 1);
}

static void on_accepted(void *self, int fd, const struct sockaddr *peer, socklen_t length)
{
    MetricsListener *listener = self;
    if (atomic_fetch_add(&listener->open, 1) >= MAX_OPEN) {
        atomic_fetch_sub(&listener->open, 1);
        close(fd);
    } else if (MHD_add_connection(listener->daemon, fd, peer, length) != MHD_YES) {
        atomic_fetch_sub(&listener->open, 1); /* libmicrohttpd has closed it */
    }
}

Status metrics_listener_start(const char *address, MetricsSource source,
                              MetricsListener **ret_listener, Error *err)
{
    MetricsListener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    listener->source = source;
    Status status = listener_open(address, &listener->listener, err);
    /* no limit for libmicrohttpd: a thread that reaches it keeps a lock for ever (0.9.75) */
    if (status == OK)
        listener->daemon = MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC, 0, NULL, NULL,
            on_request, listener, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
            MHD_OPTION_CONNECTION_LIMIT, (unsigned)INT_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
            IDLE_SECONDS, MHD_OPTION_END);
    if (status == OK && !listener->daemon)
        status = error_set(err, ERR_IO, "cannot start the thread that answers /metrics");
    if (status == OK)
        status = listener_start(listener->listener, (ListenerSink){listener, on_accepted}, err);
    if (status != OK) {
        error_prefix(err, "metrics-listen");
        metrics_listener_free(listener);
        return status;
    }
    *ret_listener = listener;
    return OK;
}

const Address *metrics_listener_address(const MetricsListener *listener)
{
    return listener_address(listener->listener);
}

void metrics_listener_free(MetricsListener *listener)
{
    if (!listener)
        return;
    if (listener->listener)
        listener_stop(listener->listener);
    if (listener->daemon)
        MHD_stop_daemon(listener->daemon);
    listener_free(listener->listener);
    free(listener);
}
