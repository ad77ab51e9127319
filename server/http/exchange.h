/* One request and its answer, as libmicrohttpd carries it through its callbacks. */
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "api/api.h"
#include "server/http/computations.h"
#include "server/http/sender.h"
#include "server/http/waiters.h"
#include "server/log.h"
#include "server/metrics.h"

typedef enum Stage {
    STAGE_HEADERS,   /* before the first call */
    STAGE_BODY,      /* admitted; the body is being read */
    STAGE_ANSWERED,  /* the answer is ready; the rest of the body is discarded */
    STAGE_WAITING,   /* suspended */
    STAGE_COMPUTING, /* suspended; another thread has the request and the response */
} Stage;

typedef struct Exchange {
    struct MHD_Connection *mhd;
    Stage stage;
    bool head;    /* only the headers of the answer are sent */
    bool close;   /* the connection is not used again */
    bool last;    /* the client does not use it again */
    bool counted; /* among the requests in flight */
    double started;
    RequestKind kind;
    size_t discarded;
    Sender sender; /* request_id "": the head was not read */
    char *target;
    Arena *arena;
    ArenaMark head_end; /* of memory that lives as long as the request */
    Text body;
    Budget *memory; /* budget of all requests, and the part that this one holds */
    size_t held;
    ApiRequest req;
    ApiResponse res;
    Waiter waiter;
    Computation computation;
    ApiClaim claim;
    atomic_bool computed; /* this thread owns request and response again */
    atomic_int owners;    /* this thread, and the computing one */
} Exchange;

/* NULL: out of memory. The budget is borrowed. */
Exchange *exchange_new(struct MHD_Connection *mhd, const char *target, Budget *memory);
void exchange_free(Exchange *exchange); /* the last owner frees it; NULL is fine */

/* Whether the budget allows `more` bytes of the body, and reading the complete body; false: other
 * requests hold too much. */
bool exchange_may_grow(Exchange *exchange, size_t more);
bool exchange_may_read(Exchange *exchange);
/* Expands the packed body to at most `most` bytes; failures are those of gzip_expand(). */
Status exchange_expand(Exchange *exchange, size_t most, Error *err) MUST_CHECK;
/* Frees the body. */
void exchange_drop_body(Exchange *exchange);

/* Another exchange for the same request, to answer it while another thread owns `exchange`. NULL:
 * out of memory. */
Exchange *exchange_instead_of(const Exchange *exchange);

/* The instant (clock_seconds()) at which the key of the request expires; INFINITY: never. */
double exchange_key_ends(const Exchange *exchange);

/* The surroundings of an answer on its way. */
typedef struct SendContext {
    const ApiContext *api;
    Waiters *waiters;
    const Log *log;
} SendContext;
/* Queues the answer. A waiting stream is among the waiters meanwhile. If its key is revoked or
 * expires, a stream of events ends and any other stream is cut. */
enum MHD_Result exchange_send(Exchange *exchange, const SendContext *context);

int socket_of(struct MHD_Connection *mhd);

#endif
