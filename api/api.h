/* The REST interface without sockets: a request in, a response out.
 *
 * The server decodes HTTP into an ApiRequest and calls, in this order,
 *
 *     api_admit    when the headers are complete: routing, and all early refusals
 *     api_answer   when the body is complete; again if the response asked to wait
 *
 * and sends the ApiResponse. Work that may take seconds is postponed until the host calls
 * api_answer() on a thread that may take long. Handlers see no sockets, no threads and no status
 * numbers of HTTP: they return a Status, or api_fail() for a more specific problem. All memory of a
 * request is in its arena. */
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

/* One limit in force, for GET /v1/limits. */
typedef struct ApiLimit {
    const char *name, *unit, *help;
    double value;
} ApiLimit;

/* The limits that handlers need themselves. */
typedef struct ApiLimits {
    uint64_t body_bytes;
    double job_seconds;        /* of a job without a timeout of its own */
    double wait_seconds;       /* longest wait of a request */
    const ApiLimit *published; /* n_published: the configured limits */
    size_t n_published;
} ApiLimits;

typedef enum ApiHostState {
    API_HOST_SERVING,
    API_HOST_LEAVING,  /* serves everything, but wants no new clients: not ready */
    API_HOST_DRAINING, /* refuses new jobs */
} ApiHostState;

/* The speed of the queue. */
typedef struct ApiPace {
    unsigned workers, busy;
    double seconds_per_job; /* of the last jobs that ended; 0: none has */
} ApiPace;

/* The media type of ApiHost.metrics. */
#define API_METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* The callbacks of the host; thread-safe, short, never NULL. */
typedef struct ApiHost {
    void *self;
    void (*job_added)(void *self, const char *job_id);
    void (*job_changed)(void *self, const char *job_id, bool done);
    bool (*job_progress)(void *self, const char *job_id, JobProgress *ret_progress);
    ApiHostState (*state)(void *self);
    /* Prometheus text; with values of each tenant only if `tenants`. */
    void (*metrics)(void *self, bool tenants, Text *out);
    void (*pace)(void *self, ApiPace *ret_pace);
    void (*failed)(void *self, const ApiRequest *req, const char *message); /* answered 500 */
    /* A request without a valid key was refused: no key, or not that of a key in force. */
    void (*unauthorized)(void *self, const char *client, bool with_token);
    void (*keys_changed)(void *self); /* requests that wait look again whether theirs holds */
    /* A submitted job has succeeded at once with the result of another one. */
    void (*job_reused)(void *self, int64_t tenant, const JobRecord *job);
} ApiHost;

/* The host's context serves the default tenant. A handler gets one of the request's tenant. */
struct ApiContext {
    TenantStore store;
    Keyring *keyring;         /* NULL: the service runs without keys */
    JobSetting setting;       /* with the same store */
    PrintedCache *printed;    /* NULL: nothing is kept */
    ResourceCache *resources; /* NULL: nothing is kept */
    Budget *downloads;        /* bytes that they read ahead; NULL: no limit */
    ApiLimits limits;
    ApiHost host;
    const char *const *origins; /* n_origins: CORS */
    size_t n_origins;
    HostRules hosts; /* the accepted Host headers */
};

extern const Route api_routes[];
extern const size_t api_n_routes;

/* Routes a request whose headers are known; content_length < 0: unknown (chunked). True: read the
 * body (at most limits.body_bytes), then call api_answer(). False: the answer is in res. */
bool api_admit(const ApiContext *ctx, ApiRequest *req, int64_t content_length, ApiResponse *res);

/* Is the body of an admitted request gzip? Then the host expands it (api/gzip.h) before
 * api_answer(). */
bool api_body_is_packed(const ApiRequest *req);

/* Never fails: failures become problem documents. If res->wait.again or res->takes_long is set,
 * send nothing yet: call again with the same structs once the condition is met. */
void api_answer(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res);

/* Whether an admitted request may still be answered: false once its key was revoked or has
 * expired. */
bool api_still_admitted(const ApiContext *ctx, const ApiRequest *req);

/* Replaces the answer by a problem document. diag may be NULL. */
void api_problem(const ApiRequest *req, ApiResponse *res, Problem problem, const char *detail,
                 const Diagnostics *diag);

#endif
