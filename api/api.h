/* The REST interface without sockets: a request in, a response out.
 *
 * The server decodes HTTP into an ApiRequest and calls, in this order,
 *
 *     api_admit    once the headers are there: routing and everything that can be refused early
 *     api_answer   once the body is there; again whenever the response was a wish to wait
 *
 * and sends what is in the ApiResponse. What may take seconds is put off until the host calls
 * api_answer() on a thread that may take long. Handlers see no sockets, no threads and no status numbers
 * of HTTP: they return a Status, or api_fail() for a more special problem. Everything a request
 * needs lives in its arena. */
#ifndef API_API_H
#define API_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/errors.h"
#include "api/host.h"
#include "api/prepared_job.h"
#include "api/printed.h"
#include "api/resources.h"
#include "core/base/arena.h"
#include "core/base/budget.h"
#include "core/base/diagnostics.h"
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

typedef struct ApiContext {
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
} ApiContext;

typedef struct ApiPair {
    const char *name, *value;
} ApiPair;

/* A parameter of the query: decoded, and as it was sent. */
typedef struct ApiParameter {
    const char *name, *value, *raw;
} ApiParameter;

enum { API_PARAMS_MAX = 2, API_HEADERS_MAX = 12, API_QUERY_MAX = 32 };

typedef struct Route Route;

/* `method`, `target`, `headers` and the body are the caller's and stay while the request does; the
 * rest is filled by api_admit(). */
typedef struct ApiRequest {
    const char *method;
    const char *target; /* raw: path and query, still percent-encoded */
    const ApiPair *headers;
    size_t n_headers;
    const char *body;
    size_t body_size;
    Arena *arena;

    const Route *route;                 /* NULL until admitted */
    const char *path;                   /* raw, without the query */
    const char *params[API_PARAMS_MAX]; /* decoded, in the order of the route's {..} */
    ApiParameter query[API_QUERY_MAX];
    size_t n_query;
    size_t type; /* of route->types, the one the client accepts best */
} ApiRequest;

/* Who was first: the handler that is about to store something, or the host that tells the client that
 * nothing was done. */
typedef _Atomic(int) ApiClaim;
enum { API_CLAIM_OPEN, API_CLAIM_STORING, API_CLAIM_GIVEN_UP };
bool api_claim(ApiClaim *claim, int side); /* whether this side is the first; NULL: it is */

typedef struct ApiResponse ApiResponse;
typedef Status (*ApiHandler)(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             Error *err);

/* A body that is made while it is sent. */
typedef struct ApiStream {
    void *self;
    /* The next bytes, at most `most` (> 0); *ret_n = 0 at the end. An error cuts the response, so
     * that the client sees that it is not whole. */
    Status (*read)(void *self, char *buffer, size_t most, size_t *ret_n, Error *err);
    void (*free)(void *self);
    /* Where read() gave nothing: true when it is to be called again once the job changes (any job, if the id is
     * empty) or at the deadline, of clock_seconds(); else, or NULL, that was the end. */
    bool (*waits)(void *self, char ret_job_id[JOB_ID_MAX], double *ret_deadline);
} ApiStream;

/* Call `again` when the job changes (any job, if job_id is empty), or at the deadline. The request's
 * body is gone by then. */
typedef struct ApiWait {
    ApiHandler again; /* NULL: no wish */
    const void *memo; /* what `again` needs to remember; in the request's arena */
    char job_id[JOB_ID_MAX];
    bool until_done; /* only its end is of interest */
    double deadline; /* of clock_seconds() */
} ApiWait;

/* Start with api_response_init(). Header values live in the request's arena or for ever. */
struct ApiResponse {
    int status;       /* of HTTP; 200 unless said otherwise */
    const char *type; /* media type; NULL: the one that was negotiated */
    ApiPair headers[API_HEADERS_MAX];
    size_t n_headers;
    Text body;
    ApiStream stream; /* read NULL: the body is the text */
    ApiWait wait;
    Diagnostics *diag;  /* of the document, or NULL */
    Problem problem;    /* set by api_fail() */
    double retry_after; /* seconds; 0: none */
    bool verbatim;      /* the body is somebody's own bytes: nothing is added to it */
    bool wait_over;     /* set by the host: do not wait any longer, answer with what there is */
    bool may_take_long; /* set by the host: others do not wait for this thread */
    bool takes_long;    /* a wish: call again where it may */
    ApiClaim *claim;    /* set by the host that may give up meanwhile; NULL: it does not */
};

void api_response_init(ApiResponse *res);
void api_response_done(ApiResponse *res); /* frees body and stream */
/* Forgets an answer in the making, for another attempt. */
void api_response_reset(ApiResponse *res);

typedef enum Role { ROLE_OPEN, ROLE_READ, ROLE_WRITE } Role;

/* One row a method of a resource. */
struct Route {
    const char *method;
    const char *path; /* a segment {name} matches anything and becomes a parameter */
    Role role;
    bool takes_body;   /* JSON; of at most limits.body_bytes */
    const char *query; /* allowed parameters, space separated; a trailing * is a prefix */
    const char *types; /* media types it can answer, comma separated, the default first */
    ApiHandler handler;
};

extern const Route api_routes[];
extern const size_t api_n_routes;

/* Routes a request whose headers are known; content_length < 0: unknown (chunked). True: read the
 * body (at most limits.body_bytes), then call api_answer(). False: the answer is in res. */
bool api_admit(const ApiContext *ctx, ApiRequest *req, int64_t content_length, ApiResponse *res);

/* Whether the body of an admitted request came as gzip: the host expands it (api/gzip.h) before it is
 * answered. */
bool api_body_is_packed(const ApiRequest *req);

/* Never fails: failures are problem documents. When res->wait.again or res->takes_long is set, nothing
 * is to be sent yet: call again with the same structs when the wish is fulfilled. */
void api_answer(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res);

/* Replaces the answer by a problem document. diag may be NULL. */
void api_problem(const ApiRequest *req, ApiResponse *res, Problem problem, const char *detail,
                 const Diagnostics *diag);

/* For handlers: ERR_* with this problem instead of the usual one of a status. */
Status api_fail(ApiResponse *res, Problem problem, Error *err, const char *format, ...)
    PRINTF_LIKE(4, 5);
#ifdef __clang_analyzer__ /* as of error_set() */
#define api_fail(...) (api_fail(__VA_ARGS__), ERR_INVALID)
#endif

const char *api_header(const ApiRequest *req, const char *name);    /* any case; NULL */
const char *api_query(const ApiRequest *req, const char *name);     /* NULL */
const char *api_query_raw(const ApiRequest *req, const char *name); /* still encoded; NULL */
/* ERR_INVALID (a 400) unless the parameter is missing or a number in [least, most]. ret keeps its
 * value when it is missing. */
Status api_query_integer(const ApiRequest *req, ApiResponse *res, const char *name, int64_t least,
                         int64_t most, int64_t *ret, Error *err) MUST_CHECK;
Status api_query_real(const ApiRequest *req, ApiResponse *res, const char *name, double least,
                      double most, double *ret, Error *err) MUST_CHECK;
Status api_query_flag(const ApiRequest *req, ApiResponse *res, const char *name, bool *ret,
                      Error *err) MUST_CHECK;
/* The media type that was negotiated. */
const char *api_type(const ApiRequest *req);
void api_add_header(ApiResponse *res, const char *name, const char *value);

/* Decodes %XX in text[0..length); NULL when it is malformed or holds a zero byte. */
char *api_percent_decode(Arena *arena, const char *text, size_t length, bool plus_is_space);

#endif
