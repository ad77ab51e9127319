/* The REST interface without sockets: a request in, a response out.
 *
 * The server decodes HTTP into an ApiRequest and calls, in this order,
 *
 *     api_admit    once the headers are there: routing and everything that can be refused early
 *     api_answer   once the body is there; again whenever the response was a wish to wait
 *
 * and sends what is in the ApiResponse. What may take seconds is put off until the host calls
 * api_answer() on a thread that may take long. Handlers see no sockets, no threads and no status
 * numbers of HTTP: they return a Status, or api_fail() for a more special problem. Everything a
 * request needs lives in its arena. */
#ifndef API_API_H
#define API_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/exchange.h"
#include "api/host.h"
#include "api/prepared_job.h"
#include "api/printed.h"
#include "api/resources.h"
#include "core/base/budget.h"
#include "core/base/text.h"
#include "db/store.h"

/* One limit in force, as GET /v1/limits tells it. */
typedef struct ApiLimit {
    const char *name, *unit, *help;
    double value;
} ApiLimit;

/* The limits handlers themselves need. */
typedef struct ApiLimits {
    uint64_t body_bytes;
    double job_seconds;        /* of a job that does not say */
    double wait_seconds;       /* longest wait of a request */
    const ApiLimit *published; /* n_published: those that are configured */
    size_t n_published;
} ApiLimits;

typedef enum ApiHostState {
    API_HOST_SERVING,
    API_HOST_LEAVING,  /* serves all, but wants no new clients: not ready */
    API_HOST_DRAINING, /* takes no jobs */
} ApiHostState;

/* How fast jobs are run. */
typedef struct ApiPace {
    unsigned workers, busy;
    double seconds_per_job; /* of those that ended last; 0: none has */
} ApiPace;

/* What the api asks of its host; thread-safe, short, never NULL. */
typedef struct ApiHost {
    void *self;
    void (*job_added)(void *self, const char *job_id);
    void (*job_changed)(void *self, const char *job_id, bool done);
    bool (*job_progress)(void *self, const char *job_id, JobProgress *ret_progress);
    ApiHostState (*state)(void *self);
    void (*metrics)(void *self, Text *out); /* Prometheus text */
    void (*pace)(void *self, ApiPace *ret_pace);
    void (*failed)(void *self, const char *target, const char *message); /* answered 500 */
} ApiHost;

struct ApiContext {
    Store *store;
    JobSetting setting;       /* with the same store */
    PrintedCache *printed;    /* NULL: nothing is kept */
    ResourceCache *resources; /* NULL: nothing is kept */
    Budget *downloads;        /* bytes that they read ahead; NULL: as many as they like */
    ApiLimits limits;
    ApiHost host;
    const char *const *origins; /* n_origins: CORS */
    size_t n_origins;
    HostRules hosts; /* whom it answers to */
};

extern const Route api_routes[];
extern const size_t api_n_routes;

/* Routes a request whose headers are known; content_length < 0: unknown (chunked). True: read the
 * body (at most limits.body_bytes), then call api_answer(). False: the answer is in res. */
bool api_admit(const ApiContext *ctx, ApiRequest *req, int64_t content_length, ApiResponse *res);

/* Whether the body of an admitted request came as gzip: the host expands it (api/gzip.h) before it
 * is answered. */
bool api_body_is_packed(const ApiRequest *req);

/* Never fails: failures are problem documents. When res->wait.again or res->takes_long is set,
 * nothing is to be sent yet: call again with the same structs when the wish is fulfilled. */
void api_answer(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res);

/* Replaces the answer by a problem document. diag may be NULL. */
void api_problem(const ApiRequest *req, ApiResponse *res, Problem problem, const char *detail,
                 const Diagnostics *diag);

#endif
