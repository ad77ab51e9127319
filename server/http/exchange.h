/* One request and its answer, as libmicrohttpd carries it through its callbacks. */
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "api/api.h"
#include "server/http/computations.h"
#include "server/http/waiters.h"
#include "server/log.h"

typedef enum Stage {
    STAGE_HEADERS,   /* the first call is still to come */
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
    size_t discarded;
    char *target;
    Arena *arena;
    ArenaMark head_end; /* of what lives as long as the request */
    Text body;
    Budget *memory; /* of all requests together, and what this one holds of it */
    size_t held;
    ApiRequest req;
    ApiResponse res;
    Waiter waiter;
    Computation computation;
    ApiClaim claim;
    atomic_bool computed; /* request and response are this thread's again */
    atomic_int owners;    /* this thread, and the one that computes */
} Exchange;

/* NULL: out of memory. The budget is borrowed. */
Exchange *exchange_new(struct MHD_Connection *mhd, const char *target, Budget *memory);
void exchange_free(Exchange *exchange); /* when its last owner says so; NULL is fine */

/* A body that is here in part or whole, and, once it is whole, what reading it will take: false
 * when other requests have too much already. */
bool exchange_may_grow(Exchange *exchange, size_t more);
bool exchange_may_read(Exchange *exchange);
/* The body as it was before it was packed, at most so many bytes; failures are those of
 * gzip_expand(). */
Status exchange_expand(Exchange *exchange, size_t most, Error *err) MUST_CHECK;
/* The body is not needed any more. */
void exchange_drop_body(Exchange *exchange);

/* Another exchange for the same request, to answer it while `exchange` is not ours. NULL: out of
 * memory. */
Exchange *exchange_instead_of(const Exchange *exchange);

/* Queues the answer. A stream that waits is one of the waiters meanwhile. */
enum MHD_Result exchange_send(Exchange *exchange, Waiters *waiters, const Log *log);

int socket_of(struct MHD_Connection *mhd);

#endif
