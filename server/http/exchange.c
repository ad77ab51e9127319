/* One request and its answer: their memory, and the answer handed to libmicrohttpd as a whole or
 * as a stream. */
#include "server/http/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "api/gzip.h"
#include "api/json/validate.h"
#include "core/base/clock.h"

enum {
    /* memory of a request beside its body, mostly for the tree of a document */
    REQUEST_MEMORY = 256 * 1024 * 1024,
    PIECE_BYTES = 32 * 1024,
    /* Smaller requests are not counted, so that large ones keep nobody out; one for each connection
     * is bearable. */
    SMALL_REQUEST = 128 * 1024,
    /* From this size on the memory goes back to the system. */
    LARGE_REQUEST = 1024 * 1024,
};

Exchange *exchange_new(struct MHD_Connection *mhd, const char *target, Budget *memory)
{
    Exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange)
        return NULL;
    exchange->mhd = mhd;
    exchange->memory = memory;
    atomic_init(&exchange->owners, 1);
    exchange->started = clock_seconds();
    /* memory of the request, with a copy of its target */
    exchange->arena = arena_new(REQUEST_MEMORY);
    exchange->target = exchange->arena ? arena_strdup(exchange->arena, target) : NULL;
    if (!exchange->target) {
        exchange_free(exchange);
        return NULL;
    }
    exchange->head_end = arena_mark(exchange->arena);
    exchange->req.arena = exchange->arena;
    exchange->req.target = exchange->target;
    api_response_init(&exchange->res);
    return exchange;
}

/* Called when all is freed: glibc would keep the memory in this thread's heap, and there are many
 * threads. */
static void give_back(Exchange *exchange)
{
#ifdef __GLIBC__
    if (exchange->held >= LARGE_REQUEST)
        malloc_trim(0);
#endif
    budget_give(exchange->memory, &exchange->held);
}

void exchange_free(Exchange *exchange)
{
    if (!exchange || atomic_fetch_sub(&exchange->owners, 1) > 1)
        return;
    api_response_done(&exchange->res);
    text_done(&exchange->body);
    arena_free(exchange->arena);
    give_back(exchange);
    free(exchange);
}

static bool exchange_hold(Exchange *exchange, size_t bytes)
{
    return bytes <= SMALL_REQUEST || budget_take(exchange->memory, &exchange->held, bytes);
}

bool exchange_may_grow(Exchange *exchange, size_t more)
{
    return exchange_hold(exchange, exchange->body.length + more);
}

bool exchange_may_read(Exchange *exchange)
{
    const Text *body = &exchange->body;
    return body->length == 0 || exchange_hold(exchange, json_weight(body->data, body->length));
}

static bool may_grow(void *self, size_t total)
{
    return exchange_may_grow(self, total);
}

Status exchange_expand(Exchange *exchange, size_t most, Error *err)
{
    Text body = TEXT_INIT;
    Status status = gzip_expand(exchange->body.data, exchange->body.length, most, may_grow,
                                exchange, &body, err);
    text_done(&exchange->body);
    exchange->body = body;
    return status;
}

void exchange_drop_body(Exchange *exchange)
{
    text_done(&exchange->body);
    exchange->req.body = NULL;
    exchange->req.body_size = 0;
    give_back(exchange);
}

Exchange *exchange_instead_of(const Exchange *exchange)
{
    Exchange *other = exchange_new(exchange->mhd, exchange->target, exchange->memory);
    if (!other)
        return NULL;
    other->started = exchange->started;
    other->counted = exchange->counted;
    other->head = exchange->head;
    other->close = exchange->close;
    other->last = exchange->last;
    other->req.route = exchange->req.route;
    other->req.method = exchange->req.route->method; /* lives for ever */
    other->sender = exchange->sender;
    other->req.trace = (JobTrace){other->sender.request_id, other->sender.traceparent};
    return other;
}

int socket_of(struct MHD_Connection *mhd)
{
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* A stream on its way. It outlives the exchange, because libmicrohttpd frees it with the response,
 * but it is read only while the request exists. */
typedef struct Sending {
    ApiStream stream;
    SendContext context;
    Exchange *exchange;
} Sending;

static void sending_free(void *cls)
{
    Sending *sending = cls;
    sending->stream.free(sending->stream.self);
    free(sending);
}

double exchange_key_ends(const Exchange *exchange)
{
    const Caller *caller = &exchange->req.caller;
    return *caller->key ? caller->ends : INFINITY;
}

/* Suspends the connection until there may be more data. WAIT_REFUSED: the stream is to end. */
static WaitStart sending_wait(Sending *sending, uint64_t mark)
{
    Waiter *waiter = &sending->exchange->waiter;
    if (!sending->stream.waits || waiter->gone ||
        !sending->stream.waits(sending->stream.self, waiter->job_id, &waiter->deadline))
        return WAIT_REFUSED;
    waiter->connection = sending->exchange->mhd;
    waiter->fd = socket_of(waiter->connection);
    waiter->until_done = waiter->computes = false;
    waiter->deadline = fmin(waiter->deadline, exchange_key_ends(sending->exchange));
    return waiters_add(sending->context.waiters, waiter, mark);
}

/* Returns 0 only if the connection is suspended; otherwise libmicrohttpd would call again at once,
 * for ever. */
static ssize_t exchange_read(void *cls, uint64_t position, char *buffer, size_t most)
{
    Sending *sending = cls;
    (void)position;
    for (;;) {
        size_t n = 0;
        Error err = {0};
        /* the mark comes before the read, so that no change is missed */
        const bool waits = sending->stream.waits;
        const uint64_t mark = waits ? waiters_mark(sending->context.waiters) : 0;
        if (!api_still_admitted(sending->context.api, &sending->exchange->req))
            return waits ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
        if (sending->stream.read(sending->stream.self, buffer, most, &n, &err) != OK) {
            char text[LOG_QUOTE_MAX];
            log_event(sending->context.log, LOG_ERROR, "stream_cut", "reason=%s",
                      log_quote(err.message, text));
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        if (n > 0)
            return (ssize_t)n;
        /* no data: wait for more */
        const WaitStart start = sending_wait(sending, mark);
        if (start != WAIT_CHANGED)
            return start == WAIT_STARTED ? 0 : MHD_CONTENT_READER_END_OF_STREAM;
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libmicrohttpd's */
static ssize_t read_nothing(void *cls, uint64_t position, char *buffer, size_t most)
{
    (void)cls;
    (void)position;
    (void)buffer;
    (void)most;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* For a HEAD whose GET is a stream: no Content-Length. For a chunked response libmicrohttpd would
 * send the end marker after the headers; with this flag it closes the connection instead. */
static struct MHD_Response *make_unknown_length(void)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE_BYTES, read_nothing, NULL, NULL);
    if (response)
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

static struct MHD_Response *make_stream(Exchange *exchange, const SendContext *context)
{
    if (exchange->head)
        return make_unknown_length();
    Sending *sending = calloc(1, sizeof *sending);
    if (!sending)
        return NULL;
    sending->stream = exchange->res.stream;
    sending->context = *context;
    sending->exchange = exchange;
    if (sending->stream.waits)
        exchange->kind = REQUEST_STREAMED;
    exchange->waiter.gone = false;
    exchange->res.stream = (ApiStream){0};
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, PIECE_BYTES, exchange_read, sending, sending_free);
    if (!response)
        sending_free(sending);
    return response;
}

static struct MHD_Response *make_buffer(Exchange *exchange)
{
    Text *body = &exchange->res.body;
    struct MHD_Response *response =
        body->length > 0
            ? MHD_create_response_from_buffer(body->length, body->data, MHD_RESPMEM_MUST_FREE)
            : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response && body->length > 0)
        *body = (Text)TEXT_INIT;
    return response;
}

static void add_headers(const Exchange *exchange, struct MHD_Response *response)
{
    const ApiResponse *res = &exchange->res;
    if (res->type && res->status != 204 && res->status != 304)
        MHD_add_response_header(response, "Content-Type", res->type);
    for (size_t i = 0; i < res->n_headers; i++)
        MHD_add_response_header(response, res->headers[i].name, res->headers[i].value);
    if (!MHD_get_response_header(response, "Cache-Control"))
        MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (*exchange->sender.request_id)
        MHD_add_response_header(response, "X-Request-Id", exchange->sender.request_id);
    if (exchange->close)
        MHD_add_response_header(response, "Connection", "close");
}

enum MHD_Result exchange_send(Exchange *exchange, const SendContext *context)
{
    struct MHD_Response *response =
        exchange->res.stream.read ? make_stream(exchange, context) : make_buffer(exchange);
    if (!response)
        return MHD_NO;
    add_headers(exchange, response);
    enum MHD_Result result =
        MHD_queue_response(exchange->mhd, (unsigned)exchange->res.status, response);
    MHD_destroy_response(response);
    /* the client may be slow; the answer has copies of all it needs */
    arena_release(exchange->arena, exchange->head_end);
    exchange_drop_body(exchange);
    return result;
}
