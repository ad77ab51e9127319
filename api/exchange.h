/* A request and its answer, as the routes see them. */
#ifndef API_EXCHANGE_H
#define API_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/errors.h"
#include "api/keyring.h"
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "db/store.h"

typedef struct ApiPair {
    const char *name, *value;
} ApiPair;

/* A parameter of the query: decoded, and raw. */
typedef struct ApiParameter {
    const char *name, *value, *raw;
} ApiParameter;

enum { API_PARAMS_MAX = 3, API_HEADERS_MAX = 16, API_QUERY_MAX = 32 };

typedef struct Route Route;
typedef struct ApiContext ApiContext; /* api/api.h: the store, caches, limits and host */

/* The caller owns `method`, `target`, `client`, `trace`, `headers` and the body, and keeps them as
 * long as the request. api_admit() fills the rest. */
typedef struct ApiRequest {
    const char *method;
    const char *target; /* raw: path and query, still percent-encoded */
    const char *client; /* the address that it came from; NULL: unknown */
    JobTrace trace;     /* its ids, as the log names them */
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
    size_t type;   /* index into route->types of the negotiated type */
    Caller caller; /* its key and its tenant, if the route needs a scope */
} ApiRequest;

/* A race between the handler that is about to store a job and the host that reports to the client
 * that nothing was stored. The first to claim wins. */
typedef _Atomic(int) ApiClaim;
enum { API_CLAIM_OPEN, API_CLAIM_STORING, API_CLAIM_GIVEN_UP };
bool api_claim(ApiClaim *claim, int side); /* true: this side is the first; a NULL claim always
                                            * succeeds */

typedef struct ApiResponse ApiResponse;
typedef Status (*ApiHandler)(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             Error *err);

/* A body that is produced while it is sent. */
typedef struct ApiStream {
    void *self;
    /* The next bytes, at most `most` (> 0); *ret_n = 0 at the end. After an error the response is
     * cut, so that the client sees that it is incomplete. */
    Status (*read)(void *self, char *buffer, size_t most, size_t *ret_n, Error *err);
    void (*free)(void *self);
    /* After read() returned no bytes: true if it must be called again once the job changes (any
     * job, if the id is empty) or at the deadline (clock_seconds()). False, or a NULL function: the
     * body has ended. */
    bool (*waits)(void *self, char ret_job_id[JOB_ID_MAX], double *ret_deadline);
} ApiStream;

/* A wish: call `again` when the job changes (any job, if job_id is empty), or at the deadline. By
 * then the request's body is freed. */
typedef struct ApiWait {
    ApiHandler again; /* NULL: no wish */
    const void *memo; /* state for `again`; in the request's arena */
    char job_id[JOB_ID_MAX];
    bool until_done; /* only the end of the job matters */
    double deadline; /* of clock_seconds() */
} ApiWait;

/* Initialize with api_response_init(). Header values live in the request's arena or are static. */
struct ApiResponse {
    int status;       /* of HTTP; 200 by default */
    const char *type; /* media type; NULL: the negotiated one */
    ApiPair headers[API_HEADERS_MAX];
    size_t n_headers;
    Text body;
    ApiStream stream; /* read NULL: the body is the text */
    ApiWait wait;
    Diagnostics *diag;  /* mistakes of the document, or NULL */
    Problem problem;    /* set by api_fail() */
    double retry_after; /* seconds; 0: none */
    bool verbatim;      /* the body is a stored document: nothing is added to it */
    bool wait_over;     /* set by the host: the wait is over, answer with the current state */
    bool may_take_long; /* set by the host: this thread may take long, no other client waits for
                         * it */
    bool takes_long;    /* a wish: call again on a thread that may take long */
    ApiClaim *claim;    /* set by a host that may give up in the meantime; else NULL */
};

void api_response_init(ApiResponse *res);
void api_response_done(ApiResponse *res); /* frees body and stream */
/* Forgets an answer in the making, for another attempt. */
void api_response_reset(ApiResponse *res);

/* The key that a route asks for if the service has keys: none, or one with the scope. */
typedef enum Role { ROLE_OPEN, ROLE_READ, ROLE_WRITE, ROLE_METRICS, ROLE_ADMIN } Role;

/* One row for each method of a resource. */
struct Route {
    const char *method;
    const char *path; /* a segment {name} matches anything and becomes a parameter */
    Role role;
    bool takes_body;   /* JSON; of at most limits.body_bytes */
    const char *query; /* allowed parameters, space separated; a trailing * is a prefix */
    const char *types; /* media types it can answer, comma separated, the default first */
    ApiHandler handler;
};

/* For handlers: returns ERR_INVALID, answered with this problem instead of the usual one for that
 * status. */
Status api_fail(ApiResponse *res, Problem problem, Error *err, const char *format, ...)
    PRINTF_LIKE(4, 5);
#ifdef __clang_analyzer__ /* as for error_set() */
#define api_fail(...) (api_fail(__VA_ARGS__), ERR_INVALID)
#endif

const char *api_header(const ApiRequest *req, const char *name);    /* any case; NULL */
const char *api_query(const ApiRequest *req, const char *name);     /* NULL */
const char *api_query_raw(const ApiRequest *req, const char *name); /* still encoded; NULL */
/* ERR_INVALID (status 400) unless the parameter is missing or a number in [least, most]. If it is
 * missing, *ret keeps its value. */
Status api_query_integer(const ApiRequest *req, ApiResponse *res, const char *name, int64_t least,
                         int64_t most, int64_t *ret, Error *err) MUST_CHECK;
Status api_query_real(const ApiRequest *req, ApiResponse *res, const char *name, double least,
                      double most, double *ret, Error *err) MUST_CHECK;
Status api_query_flag(const ApiRequest *req, ApiResponse *res, const char *name, bool *ret,
                      Error *err) MUST_CHECK;
/* The negotiated media type. */
const char *api_type(const ApiRequest *req);
void api_add_header(ApiResponse *res, const char *name, const char *value);

/* Decodes %XX in text[0..length); NULL if the text is malformed or contains a zero byte. */
char *api_percent_decode(Arena *arena, const char *text, size_t length, bool plus_is_space);

#endif
