/* HTTP over libmicrohttpd: its callbacks drive a request from the headers through body, handler
 * and waiting to the answer. */
#include "server/http/http.h"

#include <limits.h>
#include <math.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "core/base/clock.h"
#include "server/http/connections.h"
#include "server/http/exchange.h"
#include "server/http/intake.h"
#include "server/http/listener.h"
#include "server/http/metrics_listener.h"
#include "server/http/raw_answer.h"

/* libmicrohttpd has a limit for each of its threads; a thread that reaches it keeps a lock for ever
 * (0.9.75). The service's own limit is connections_admit(). */
static const unsigned NO_LIMIT = INT_MAX;

enum {
    CONNECTION_MEMORY = 64 * 1024,
    LENIENT = -1,                   /* the mildest level of libmicrohttpd's own checks */
    RETRY_SECONDS = 5,              /* before a client asks for a computation again */
    DISCARD_MAX = 32 * 1024 * 1024, /* of a chunked body that is too long */
};

struct Http {
    HttpOptions options;
    Listener *listener;
    MetricsListener *metrics_listener; /* NULL: there is none */
    Connections *connections;
    struct MHD_Daemon *daemon;
    pthread_t housekeeper;
    bool housekeeping;
    atomic_bool stopping, refusing;
    atomic_size_t in_flight;
    atomic_uint_fast64_t computations; /* so far */
};

static Connection *connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* The gate has refused a request. The client may still be sending. */
static void on_refused(void *self, void *connection, int fd, const Refusal *refusal)
{
    Http *http = self;
    int status = problem_status(refusal->problem);
    struct sockaddr_storage peer = {0}; /* AF_UNSPEC */
    socklen_t length = sizeof peer;
    char client[IP_TEXT_MAX];
    connection_refused(http->connections, connection);
    raw_answer_send(fd, refusal->problem, refusal->reason);
    metrics_request(http->options.metrics, NULL, status, REQUEST_SERVED, 0.0);
    (void)!getpeername(fd, (struct sockaddr *)&peer, &length);
    peer_format((const struct sockaddr *)&peer, client);
    log_event(http->options.log, LOG_INFO, "refused", "client=%s status=%d reason=\"%s\"", client,
              status, refusal->reason);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    Http *http = cls;
    int fd = socket_of(mhd);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = connections_open(http->connections, fd);
        if (!intake_open(fd, (IntakeSink){http, *context, on_refused}))
            shutdown(fd, SHUT_RDWR);
    } else {
        intake_close(fd);
        connections_close(http->connections, *context);
    }
}

/* The first line of a request has been read; returns the state of the request. */
static void *on_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    Http *http = cls;
    connection_request_begins(http->connections, connection_of(mhd));
    return exchange_new(mhd, target, http->options.memory);
}

static enum MHD_Result send_answer(Http *http, Exchange *exchange)
{
    connection_answer_begins(http->connections, connection_of(exchange->mhd));
    const SendContext context = {http->options.api, http->options.waiters, http->options.log};
    return exchange_send(exchange, &context);
}

/* Answers before the end of the request; then the connection cannot be used again. */
static enum MHD_Result refuse_early(Http *http, Exchange *exchange, bool body_follows)
{
    connection_request_complete(http->connections, connection_of(exchange->mhd));
    if (body_follows)
        connection_refused(http->connections, connection_of(exchange->mhd));
    exchange->close = true;
    return send_answer(http, exchange);
}

static const struct sockaddr *peer_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* Takes the head as the gate has seen it; libmicrohttpd must have seen the same. */
static bool take_head(const Http *http, Exchange *exchange, const char *method,
                      int64_t *ret_content_length)
{
    ApiRequest *req = &exchange->req;
    Head head;
    if (!intake_take_head(socket_of(exchange->mhd), exchange->arena, &head) ||
        strcmp(head.method, method) != 0 || strcmp(head.target, exchange->target) != 0)
        return false;
    req->method = head.method;
    req->headers = head.headers;
    req->n_headers = head.n_headers;
    sender_read(http->options.proxies, peer_of(exchange->mhd), head.headers, head.n_headers,
                exchange->arena, &exchange->sender);
    req->client = exchange->sender.client;
    req->trace = (JobTrace){exchange->sender.request_id, exchange->sender.traceparent};
    exchange->head = strcmp(head.method, "HEAD") == 0;
    exchange->last = head.last;
    exchange->head_end = arena_mark(exchange->arena);
    *ret_content_length = head.content_length;
    return true;
}

static enum MHD_Result on_headers(Http *http, Exchange *exchange, const char *method)
{
    int64_t content_length;
    if (!take_head(http, exchange, method, &content_length)) {
        api_problem(&exchange->req, &exchange->res, PROBLEM_NO_MEMORY, NULL, NULL);
        return refuse_early(http, exchange, true);
    }
    if (!api_admit(http->options.api, &exchange->req, content_length, &exchange->res)) {
        if (content_length != 0)
            return refuse_early(http, exchange, true);
        exchange->stage = STAGE_ANSWERED;
        return MHD_YES;
    }
    exchange->stage = STAGE_BODY;
    return MHD_YES;
}

/* A body that is no longer needed can be answered only at its end. */
static void answer_at_the_end(Exchange *exchange, Problem problem, const char *detail)
{
    api_problem(&exchange->req, &exchange->res, problem, detail, NULL);
    exchange->close = true;
    exchange->stage = STAGE_ANSWERED;
    exchange_drop_body(exchange);
}

static const char TOO_MUCH_TO_READ[] = "other requests with large bodies are being read";

static enum MHD_Result on_body(Http *http, Exchange *exchange, const char *data, size_t *size)
{
    if (exchange->stage == STAGE_BODY &&
        exchange->body.length + *size > http->options.api->limits.body_bytes) {
        answer_at_the_end(exchange, PROBLEM_TOO_LARGE, "the body is too large"); /* it is chunked */
    }
    if (exchange->stage == STAGE_BODY && !exchange_may_grow(exchange, *size))
        answer_at_the_end(exchange, PROBLEM_OVERLOADED, TOO_MUCH_TO_READ);
    if (exchange->stage == STAGE_BODY) {
        text_append(&exchange->body, data, *size);
        if (!text_ok(&exchange->body))
            answer_at_the_end(exchange, PROBLEM_NO_MEMORY, "out of memory");
    } else {
        exchange->discarded += *size;
        if (exchange->discarded > DISCARD_MAX) {
            connection_refused(http->connections, connection_of(exchange->mhd));
            raw_answer_send(socket_of(exchange->mhd), PROBLEM_TOO_LARGE, "the body is too large");
            return MHD_NO;
        }
    }
    *size = 0;
    return MHD_YES;
}

/* A submission that may not wait is answered as it stands. A poll that is not suspended would come
 * again at once, so it is told to come later. True: run the handler again. */
static bool take_refusal(const Http *http, Exchange *exchange)
{
    if (strcmp(exchange->req.method, "POST") == 0 || waiters_closed(http->options.waiters)) {
        exchange->res.wait_over = true;
        return true;
    }
    api_problem(&exchange->req, &exchange->res, PROBLEM_OVERLOADED,
                "too many requests wait already", NULL);
    return false;
}

/* Suspends the request until its job, or its own computation, changes. WAIT_STARTED: it sleeps. */
static WaitStart http_sleep(Http *http, Exchange *exchange, Stage stage, uint64_t mark)
{
    Waiter *waiter = &exchange->waiter;
    waiter->connection = exchange->mhd;
    waiter->fd = socket_of(exchange->mhd);
    exchange->stage = stage;
    bool soon = !*waiter->job_id || waiter->deadline - clock_seconds() < 1.0;
    WaitStart start = waiters_add(http->options.waiters, waiter, mark);
    if (start == WAIT_STARTED && soon)
        connections_wake(http->connections);
    return start;
}

/* In a computation thread. */
static void compute(void *host, void *self)
{
    Http *http = host;
    Exchange *exchange = self;
    char name[sizeof exchange->waiter.job_id];
    memcpy(name, exchange->waiter.job_id, sizeof name);
    exchange->res.may_take_long = true;
    exchange->res.claim = &exchange->claim;
    if (atomic_load(&exchange->claim) != API_CLAIM_GIVEN_UP) /* before its turn */
        api_answer(http->options.api, &exchange->req, &exchange->res);
    atomic_store(&exchange->computed, true);
    waiters_changed(http->options.waiters, name, true);
    exchange_free(exchange);
}

static void drop_computation(void *self)
{
    exchange_free(self);
}

/* Answers a request whose computation is late or finds no room. The computation may go on, and a
 * later request finds its result. */
static enum MHD_Result apologise(Http *http, Exchange **exchange)
{
    Exchange *apology = exchange_instead_of(*exchange);
    if (!apology) {
        raw_answer_send(socket_of((*exchange)->mhd), PROBLEM_NO_MEMORY, "out of memory");
        return MHD_NO;
    }
    exchange_free(*exchange);
    *exchange = apology;
    bool closed = waiters_closed(http->options.waiters);
    apology->res.retry_after = RETRY_SECONDS;
    api_problem(&apology->req, &apology->res, closed ? PROBLEM_SHUTTING_DOWN : PROBLEM_COMPUTING,
                closed ? "try again after the restart"
                       : "the equations of this request, or of earlier ones, take long: ask again",
                NULL);
    return send_answer(http, apology);
}

/* NOLINTBEGIN(misc-no-recursion): a request is handed over once; then it may take long */
static enum MHD_Result http_computed(Http *http, Exchange **place);

/* Gives up, unless the other thread is about to store an accepted job: that is over in a moment. */
static enum MHD_Result give_up(Http *http, Exchange **place)
{
    if (api_claim(&(*place)->claim, API_CLAIM_GIVEN_UP))
        return apologise(http, place);
    while (!atomic_load(&(*place)->computed))
        poll(NULL, 0, 1);
    return http_computed(http, place);
}

/* Waits until the computation is ready or its time is over. */
static enum MHD_Result await_computation(Http *http, Exchange **place)
{
    Exchange *exchange = *place;
    for (;;) {
        uint64_t mark = waiters_mark(http->options.waiters);
        if (atomic_load(&exchange->computed))
            return http_computed(http, place);
        WaitStart start = http_sleep(http, exchange, STAGE_COMPUTING, mark);
        if (start == WAIT_STARTED)
            return MHD_YES;
        if (start == WAIT_REFUSED)
            return give_up(http, place);
    }
}

/* Hands request and response to another thread, which becomes a second owner of the exchange. */
static enum MHD_Result http_compute(Http *http, Exchange **place)
{
    Exchange *exchange = *place;
    Waiter *waiter = &exchange->waiter;
    snprintf(waiter->job_id, sizeof waiter->job_id, "computation %llu",
             (unsigned long long)atomic_fetch_add(&http->computations, 1));
    waiter->until_done = waiter->computes = true;
    waiter->deadline = clock_seconds() + http->options.compute_seconds;
    exchange->computation = (Computation){http, exchange, compute, drop_computation, NULL};
    atomic_fetch_add(&exchange->owners, 1);
    if (computations_add(http->options.computations, &exchange->computation))
        return await_computation(http, place);
    atomic_fetch_sub(&exchange->owners, 1);
    return apologise(http, place);
}

/* The request sleeps for as long as the response says, or is answered. */
static enum MHD_Result http_wait(Http *http, Exchange *exchange, uint64_t mark, bool *ret_again)
{
    ApiResponse *res = &exchange->res;
    Waiter *waiter = &exchange->waiter;
    *ret_again = true;
    if (clock_seconds() >= res->wait.deadline) {
        res->wait_over = true;
        return MHD_YES;
    }
    exchange_drop_body(exchange); /* no request waits before its body was read */
    /* sleep, unless the job has changed since the mark or there are too many waiters */
    exchange->kind = REQUEST_WAITED;
    waiter->computes = false;
    waiter->until_done = res->wait.until_done;
    waiter->deadline = fmin(res->wait.deadline, exchange_key_ends(exchange));
    memcpy(waiter->job_id, res->wait.job_id, sizeof waiter->job_id);
    WaitStart start = http_sleep(http, exchange, STAGE_WAITING, mark);
    *ret_again = start == WAIT_CHANGED || (start == WAIT_REFUSED && take_refusal(http, exchange));
    if (start == WAIT_STARTED || *ret_again)
        return MHD_YES;
    return send_answer(http, exchange);
}

/* Runs the handler until there is an answer or the request sleeps. */
static enum MHD_Result http_answer(Http *http, Exchange **place)
{
    Exchange *exchange = *place;
    ApiResponse *res = &exchange->res;
    for (;;) {
        /* the mark comes before the look at the job, so that no change in between is missed */
        uint64_t mark = waiters_mark(http->options.waiters);
        bool again;
        api_answer(http->options.api, &exchange->req, res);
        if (res->takes_long)
            return http_compute(http, place);
        if (!res->wait.again)
            return send_answer(http, exchange);
        enum MHD_Result result = http_wait(http, exchange, mark, &again);
        if (!again)
            return result;
    }
}

/* After a computation: it is ready, or its time is over. */
static enum MHD_Result http_computed(Http *http, Exchange **place)
{
    Exchange *exchange = *place;
    if (!atomic_load(&exchange->computed))
        return give_up(http, place);
    return exchange->res.wait.again ? http_answer(http, place) : send_answer(http, exchange);
}

/* NOLINTEND(misc-no-recursion) */

/* After a wait. */
static enum MHD_Result http_waited(Http *http, Exchange **place)
{
    Exchange *exchange = *place;
    if (waiters_closed(http->options.waiters) || exchange->waiter.gone ||
        clock_seconds() >= exchange->res.wait.deadline)
        exchange->res.wait_over = true;
    return http_answer(http, place);
}

/* False: the answer has the reason. */
static bool expand(const Http *http, Exchange *exchange)
{
    Error err = {0};
    Problem problem = PROBLEM_NOT_JSON;
    Status status = exchange_expand(exchange, http->options.api->limits.body_bytes, &err);
    if (status == OK)
        return true;
    if (status == ERR_LIMIT)
        problem = PROBLEM_TOO_LARGE;
    else if (status == ERR_BUSY)
        problem = PROBLEM_OVERLOADED;
    else if (status == ERR_NO_MEMORY)
        problem = PROBLEM_NO_MEMORY;
    api_problem(&exchange->req, &exchange->res, problem, err.message, NULL);
    return false;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **context)
{
    Http *http = cls;
    Exchange *exchange = *context;
    (void)url;
    (void)version;
    if (!exchange) {
        raw_answer_send(socket_of(mhd), PROBLEM_NO_MEMORY, "out of memory");
        return MHD_NO;
    }
    /* first call: the headers are there */
    if (exchange->stage == STAGE_HEADERS) {
        exchange->counted = true;
        atomic_fetch_add(&http->in_flight, 1);
        if (atomic_load(&http->refusing))
            exchange->close = true;
        connection_head_complete(http->connections, connection_of(mhd));
        return on_headers(http, exchange, method);
    }
    /* next calls: pieces of the body */
    if (*size > 0)
        return on_body(http, exchange, data, size);
    if (exchange->stage == STAGE_WAITING || exchange->stage == STAGE_COMPUTING) {
        Exchange **place = (Exchange **)context;
        return exchange->stage == STAGE_WAITING ? http_waited(http, place)
                                                : http_computed(http, place);
    }
    /* the body is complete */
    connection_request_complete(http->connections, connection_of(mhd));
    if (exchange->stage == STAGE_ANSWERED)
        return send_answer(http, exchange);
    if (api_body_is_packed(&exchange->req) && exchange->body.length > 0 && !expand(http, exchange))
        return send_answer(http, exchange);
    if (!exchange_may_read(exchange)) {
        api_problem(&exchange->req, &exchange->res, PROBLEM_OVERLOADED, TOO_MUCH_TO_READ, NULL);
        return send_answer(http, exchange);
    }
    exchange->req.body = text_string(&exchange->body);
    exchange->req.body_size = exchange->body.length;
    return http_answer(http, (Exchange **)context);
}

static void log_request(const Http *http, const Exchange *exchange, double seconds, bool whole)
{
    const ApiRequest *req = &exchange->req;
    const TenantStore of = {http->options.api->store.store, req->caller.tenant};
    char target[LOG_QUOTE_MAX], trace[TRACE_FIELDS_MAX];
    log_event(http->options.log, LOG_INFO, "request",
              "method=%s target=%s status=%d ms=%.2f client=%s%s%s%s%s",
              req->method ? req->method : "?", log_quote(exchange->target, target),
              exchange->res.status, seconds * 1e3, exchange->sender.client,
              trace_fields(of, &req->trace, trace), *req->caller.key ? " key=" : "",
              req->caller.key, whole ? "" : " cut=true");
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode code)
{
    Http *http = cls;
    Exchange *exchange = *context;
    if (!exchange)
        return;
    double seconds = clock_seconds() - exchange->started;
    bool whole = code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
    if (exchange->counted) {
        metrics_request(http->options.metrics, exchange->req.route, exchange->res.status,
                        exchange->kind, seconds);
        log_request(http, exchange, seconds, whole);
        atomic_fetch_sub(&http->in_flight, 1);
    }
    bool goes_on = whole && !exchange->close && !exchange->last;
    intake_answered(socket_of(mhd));
    exchange_free(exchange);
    *context = NULL;
    connection_answered(http->connections, connection_of(mhd));
    /* the gate has kept the request behind this one: let libmicrohttpd see the end */
    if (goes_on && intake_refused(socket_of(mhd)))
        shutdown(socket_of(mhd), SHUT_RD);
}

static void on_accepted(void *cls, int fd, const struct sockaddr *peer, socklen_t length)
{
    Http *http = cls;
    if (!connections_admit(http->connections, http->options.max_connections)) {
        atomic_fetch_add(&http->options.metrics->refused_connections, 1);
        raw_answer_send(fd, PROBLEM_OVERLOADED, "too many open connections");
        connections_linger(http->connections, fd);
        return;
    }
    if (MHD_add_connection(http->daemon, fd, peer, length) != MHD_YES) {
        connections_turned_away(http->connections);
        atomic_fetch_add(&http->options.metrics->refused_connections, 1);
    }
}

static void *housekeep(void *cls)
{
    Http *http = cls;
    while (!atomic_load(&http->stopping))
        connections_serve(http->connections, waiters_tick(http->options.waiters, clock_seconds()));
    return NULL;
}

Status http_open(const HttpOptions *options, Http **ret_http, Error *err)
{
    Http *http = calloc(1, sizeof *http);
    if (!http)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    http->options = *options;
    http->connections = connections_new(options->request_seconds, options->answer_seconds);
    Status status = http->connections ? listener_open(options->listen, &http->listener, err)
                                      : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK) {
        http_free(http);
        return status;
    }
    *ret_http = http;
    return OK;
}

const Address *http_address(const Http *http)
{
    return listener_address(http->listener);
}

static Status start_metrics_listener(Http *http, Error *err)
{
    const ApiHost *host = &http->options.api->host;
    const MetricsSource source = {host->self, host->metrics, &http->options.api->hosts};
    const char *listen = http->options.metrics_listen;
    char address[ADDRESS_TEXT_MAX];
    if (!*listen)
        return OK;
    Status status = metrics_listener_start(listen, source, &http->metrics_listener, err);
    if (status != OK)
        return status;
    address_format(metrics_listener_address(http->metrics_listener), address);
    log_event(http->options.log, LOG_INFO, "metrics", "address=%s", address);
    return OK;
}

/* LENIENT: the gate decides which requests are well-formed. libmicrohttpd would refuse others in
 * HTML (1.0 as soon as a part of a line has arrived). */
Status http_start(Http *http, Error *err)
{
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC |
            MHD_ALLOW_SUSPEND_RESUME,
        0, NULL, NULL, on_request, http, MHD_OPTION_THREAD_POOL_SIZE, http->options.threads,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, http, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
        http, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_CONNECTION_LIMIT,
        NO_LIMIT, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_STRICT_FOR_CLIENT, LENIENT, MHD_OPTION_END);
    if (!http->daemon)
        return error_set(err, ERR_IO, "cannot start the HTTP threads");
    int code = pthread_create(&http->housekeeper, NULL, housekeep, http);
    if (code != 0)
        return error_set(err, ERR_IO, "cannot start a thread: %s", strerror(code));
    http->housekeeping = true;
    const Status status = start_metrics_listener(http, err);
    if (status != OK)
        return status;
    return listener_start(http->listener, (ListenerSink){http, on_accepted}, err);
}

void http_refuse_new(Http *http)
{
    atomic_store(&http->refusing, true);
    listener_stop(http->listener);
}

void http_stop(Http *http, double seconds)
{
    double deadline = clock_seconds() + seconds;
    http_refuse_new(http);
    while (atomic_load(&http->in_flight) > 0 && clock_seconds() < deadline)
        poll(NULL, 0, 2);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    http->daemon = NULL;
    metrics_listener_free(http->metrics_listener);
    http->metrics_listener = NULL;
    atomic_store(&http->stopping, true);
    if (http->housekeeping) {
        connections_wake(http->connections);
        pthread_join(http->housekeeper, NULL);
    }
    http->housekeeping = false;
}

void http_free(Http *http)
{
    if (!http)
        return;
    if (http->daemon || http->housekeeping)
        http_stop(http, 0.0);
    listener_free(http->listener);
    connections_free(http->connections);
    free(http);
}

size_t http_connections(const Http *http)
{
    return connections_count(http->connections);
}
