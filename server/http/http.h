/* HTTP over libmicrohttpd: bytes to api calls and back.
 *
 * Threads: a listener accepts connections and hands each to one of `threads` event loops (by its
 * descriptor, so that the load is even). A handler runs right in the loop: a submission blocks it
 * until its group commit is on the disk, and one commit serves as many submissions as there are
 * loops. 32 loops measured best for 32 clients on two processors (bench/load.c): 14,600 durable
 * submissions a second, against 4,800 with 4 loops, 13,600 with 16, 13,700 with 64. A housekeeper
 * handles deadlines.
 *
 * All bytes pass the gate first (server/http/intake.h): libmicrohttpd sees no request that it would
 * refuse by itself. */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "api/api.h"
#include "server/http/address.h"
#include "server/http/computations.h"
#include "server/http/waiters.h"
#include "server/log.h"
#include "server/metrics.h"

typedef struct Http Http;

typedef struct HttpOptions {
    const char *listen;
    const char *metrics_listen; /* of the listener for /metrics alone; "": none */
    unsigned threads;
    size_t max_connections;
    double request_seconds, answer_seconds; /* for arrival, for departure */
    double compute_seconds;                 /* for a computation, from request to answer */
    Computations *computations;
    Budget *memory;         /* for bodies and for reading them */
    const IpRules *proxies; /* the trusted ones */
    const ApiContext *api;
    Waiters *waiters;
    Metrics *metrics;
    const Log *log;
} HttpOptions;

/* Binds; nothing is answered yet. Options are borrowed. */
Status http_open(const HttpOptions *options, Http **ret_http, Error *err) MUST_CHECK;
const Address *http_address(const Http *http);
Status http_start(Http *http, Error *err) MUST_CHECK;

void http_refuse_new(Http *http); /* stops accepting; open connections go on */
/* After waiters_close(): waits until the requests in flight are answered (at most `seconds`), then
 * stops. */
void http_stop(Http *http, double seconds);
void http_free(Http *http); /* stopped before; NULL is fine */
size_t http_connections(const Http *http);

#endif
