/* The stages of a request: routing, the checks before its body, the handler, and problem
 * documents. */
#include "api/api.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/accept.h"
#include "api/documents/documents.h"
#include "api/gzip.h"

enum { DISK_RETRY_SECONDS = 30 };

/* The seconds of Retry-After, or 0. */
static int retry_seconds(const ApiResponse *res, double wish)
{
    const int seconds = wish >= 1.0 ? (int)ceil(wish) : 1;
    switch (res->status) {
    case 429:
    case 503:
        return seconds;
    case 507: /* somebody must make room */
        return wish >= 1.0 ? seconds : DISK_RETRY_SECONDS;
    default:
        return 0;
    }
}

void api_problem(const ApiRequest *req, ApiResponse *res, Problem problem, const char *detail,
                 const Diagnostics *diag)
{
    double retry_after = res->retry_after;
    ApiPair kept = {0}; /* the header that names the accepted methods or codings */
    for (size_t i = 0; i < res->n_headers; i++)
        if (strcmp(res->headers[i].name, "Allow") == 0 ||
            strcmp(res->headers[i].name, "Accept-Encoding") == 0)
            kept = res->headers[i];
    /* the new answer */
    api_response_reset(res);
    res->status = problem_status(problem);
    res->problem = problem;
    res->type = "application/problem+json";
    if (kept.name)
        api_add_header(res, kept.name, kept.value);
    const int seconds = retry_seconds(res, retry_after);
    if (seconds)
        api_add_header(res, "Retry-After", arena_printf(req->arena, "%d", seconds));
    if (res->status == 401)
        api_add_header(res, "WWW-Authenticate", "Bearer");
    problem_write(&res->body, res->status, problem_code(problem), problem_title(problem), detail,
                  req->path, diag);
    text_putc(&res->body, '\n'); /* for terminals */
}

static bool api_refuse(const ApiRequest *req, ApiResponse *res, Problem problem, const char *format,
                       ...) PRINTF_LIKE(4, 5);

/* For api_admit(): makes the answer, and returns false because the request is answered. An apparent
 * mistake of the client may be a text that is missing because memory ran out. */
static bool api_refuse(const ApiRequest *req, ApiResponse *res, Problem problem, const char *format,
                       ...)
{
    Error err;
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    if (arena_failed(req->arena))
        api_problem(req, res, PROBLEM_NO_MEMORY, "out of memory", NULL);
    else
        api_problem(req, res, problem, err.message, NULL);
    return false;
}

/* Does the raw path fit the pattern? Its {..} segments go decoded to params. */
static bool path_matches(Arena *arena, const char *pattern, const char *path,
                         const char *params[API_PARAMS_MAX])
{
    size_t n = 0;
    for (;;) {
        /* one segment of each, then the slash behind it */
        size_t want = strcspn(pattern, "/"), have = strcspn(path, "/");
        if (pattern[0] == '{') {
            char *value = have > 0 ? api_percent_decode(arena, path, have, false) : NULL;
            if (!value || n == API_PARAMS_MAX)
                return false;
            params[n++] = value;
        } else if (want != have || strncmp(pattern, path, want) != 0) {
            return false;
        }
        pattern += want;
        path += have;
        if (*pattern != *path)
            return false;
        if (*pattern == '\0')
            return true;
        pattern++;
        path++;
    }
}

static bool method_serves(const char *route_method, const char *method)
{
    return strcmp(route_method, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(route_method, "GET") == 0);
}

/* The methods of a path, "GET, HEAD, POST"; NULL if the path is unknown. */
static const char *methods_of(const ApiRequest *req)
{
    const char *methods = NULL;
    for (size_t i = 0; i < api_n_routes; i++) {
        const char *params[API_PARAMS_MAX];
        if (!path_matches(req->arena, api_routes[i].path, req->path, params))
            continue;
        const char *method = api_routes[i].method;
        methods = arena_printf(req->arena, "%s%s%s%s", methods ? methods : "", methods ? ", " : "",
                               method, strcmp(method, "GET") == 0 ? ", HEAD" : "");
    }
    return methods ? arena_printf(req->arena, "%s, OPTIONS", methods) : NULL;
}

/* The pattern with {..} replaced by the path's own segments: the intended path if only its fixed
 * words were wrong. NULL: the path lacks such a segment. */
static const char *filled_pattern(Arena *arena, const char *pattern, const char *path)
{
    const char *filled = "";
    while (filled && *pattern == '/') {
        const size_t want = strcspn(++pattern, "/");
        path += *path == '/';
        const size_t have = strcspn(path, "/");
        const bool own = *pattern == '{';
        if (own && have == 0)
            return NULL;
        filled =
            arena_printf(arena, "%s/%.*s", filled, (int)(own ? have : want), own ? path : pattern);
        pattern += want;
        path += have;
    }
    return filled;
}

/* The path of the interface that an unknown path probably means; NULL: none is near. */
static const char *nearest_path(const ApiRequest *req)
{
    const char **paths = arena_alloc(req->arena, api_n_routes + 1, sizeof *paths);
    const char *versioned = arena_printf(req->arena, "/v1%s", req->path);
    const char *params[API_PARAMS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < api_n_routes; i++)
        if (versioned && path_matches(req->arena, api_routes[i].path, versioned, params))
            return versioned;
    for (size_t i = 0; i < api_n_routes && paths; i++) {
        const char *filled = filled_pattern(req->arena, api_routes[i].path, req->path);
        if (filled)
            paths[n++] = filled;
    }
    return paths ? nearest_name(req->path, strlen(req->path), paths, n) : NULL;
}

static bool refuse_path(const ApiRequest *req, ApiResponse *res)
{
    const char *near = nearest_path(req);
    if (near)
        return api_refuse(req, res, PROBLEM_NOT_FOUND,
                          "there is no resource %.200s; did you mean %.200s?", req->path, near);
    return api_refuse(req, res, PROBLEM_NOT_FOUND,
                      "there is no resource %.200s; GET / lists the resources", req->path);
}

static bool known_method(const char *method)
{
    static const char *const KNOWN[] = {"GET",    "HEAD",    "POST",  "PUT",    "PATCH",
                                        "DELETE", "OPTIONS", "TRACE", "CONNECT"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (strcmp(KNOWN[i], method) == 0)
            return true;
    return false;
}

static bool find_route(ApiRequest *req, ApiResponse *res)
{
    if (!known_method(req->method))
        return api_refuse(req, res, PROBLEM_NOT_IMPLEMENTED, "the method %.40s is unknown",
                          req->method);
    /* the route of this method and path */
    for (size_t i = 0; i < api_n_routes; i++) {
        const Route *route = &api_routes[i];
        if (method_serves(route->method, req->method) &&
            path_matches(req->arena, route->path, req->path, req->params)) {
            req->route = route;
            return true;
        }
    }
    /* another method of the path, or no path */
    const char *methods = methods_of(req);
    if (!methods)
        return refuse_path(req, res);
    api_add_header(res, "Allow", methods);
    if (strcmp(req->method, "OPTIONS") == 0) {
        res->status = 204;
        return false;
    }
    return api_refuse(req, res, PROBLEM_METHOD, "%s allows only %s", req->path, methods);
}

/* Does `allowed` (space separated, a trailing * is a prefix) contain the name? */
static bool query_allowed(const char *allowed, const char *name)
{
    while (*allowed) {
        size_t length = strcspn(allowed, " ");
        if (length > 0 && allowed[length - 1] == '*') {
            if (strncmp(name, allowed, length - 1) == 0 && strlen(name) >= length)
                return true;
        } else if (strlen(name) == length && strncmp(name, allowed, length) == 0) {
            return true;
        }
        allowed += length;
        allowed += *allowed == ' ';
    }
    return false;
}

static const char TENANT[] = "tenant"; /* a parameter of every route that reads */

static bool read_query(ApiRequest *req, ApiResponse *res, const char *query)
{
    while (query && *query) {
        /* the next name and value, decoded */
        size_t length = strcspn(query, "&"), name_length = strcspn(query, "&=");
        const char *value = query[name_length] == '=' ? query + name_length + 1 : query + length;
        size_t value_length = (size_t)(query + length - value);
        ApiParameter pair = {api_percent_decode(req->arena, query, name_length, true),
                             api_percent_decode(req->arena, value, value_length, true),
                             arena_strndup(req->arena, value, value_length)};
        if (length > 0) {
            /* checks */
            if (!pair.name || !pair.value)
                return api_refuse(req, res, PROBLEM_PARAMETER, "malformed percent-encoding");
            if (strcmp(pair.name, TENANT) != 0 && !query_allowed(req->route->query, pair.name))
                return api_refuse(req, res, PROBLEM_PARAMETER, "unknown parameter \"%.80s\"%s%s",
                                  pair.name, *req->route->query ? "; known here: " : "; none here",
                                  req->route->query);
            if (api_query(req, pair.name))
                return api_refuse(req, res, PROBLEM_PARAMETER, "%.80s is given twice", pair.name);
            if (req->n_query == API_QUERY_MAX)
                return api_refuse(req, res, PROBLEM_PARAMETER, "more than %d parameters",
                                  API_QUERY_MAX);
            req->query[req->n_query++] = pair;
        }
        query += length;
        query += *query == '&';
    }
    return true;
}

static bool origin_is_listed(const ApiContext *ctx, const char *origin)
{
    for (size_t i = 0; i < ctx->n_origins; i++)
        if (strcmp(ctx->origins[i], "*") == 0 || strcmp(ctx->origins[i], origin) == 0)
            return true;
    return false;
}

/* Is it the page's own origin, with the host and port of the request? */
static bool origin_is_own(const char *origin, const char *host)
{
    const char *authority = strstr(origin, "://");
    return authority && host && strcasecmp(authority + 3, host) == 0;
}

/* Is it a probe of an orchestrator? Probes name any address of the service in their Host header,
 * and their answers tell a page nothing useful. */
static bool is_probe(const ApiRequest *req)
{
    return strcmp(req->path, "/livez") == 0 || strcmp(req->path, "/readyz") == 0;
}

static bool check_sender(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res)
{
    const char *host = api_header(req, "Host"), *origin = api_header(req, "Origin");
    if (host && !is_probe(req) && !host_allowed(&ctx->hosts, host))
        return api_refuse(req, res, PROBLEM_HOST,
                          "this service does not answer to the host %.100s (serve --hosts)",
                          *host ? host : "without a name");
    bool harmless = strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0 ||
                    strcmp(req->method, "OPTIONS") == 0;
    if (origin && !harmless && !origin_is_listed(ctx, origin) && !origin_is_own(origin, host))
        return api_refuse(req, res, PROBLEM_ORIGIN,
                          "the origin %.100s is not listed (serve --cors-origin)", origin);
    return true;
}

static bool is_json(const char *type)
{
    size_t length = type ? strcspn(type, "; \t") : 0;
    return length == strlen("application/json") &&
           strncasecmp(type, "application/json", length) == 0;
}

/* The content coding of the body; "several" if there is more than one. */
static const char *body_coding(const ApiRequest *req)
{
    const char *coding = NULL;
    for (size_t i = 0; i < req->n_headers; i++) {
        if (strcasecmp(req->headers[i].name, "Content-Encoding") != 0)
            continue;
        if (coding)
            return "several";
        coding = req->headers[i].value;
    }
    return coding ? coding : "identity";
}

bool api_body_is_packed(const ApiRequest *req)
{
    return strcasecmp(body_coding(req), "identity") != 0;
}

static bool check_body(const ApiContext *ctx, const ApiRequest *req, int64_t content_length,
                       ApiResponse *res)
{
    if (!req->route->takes_body) {
        if (content_length != 0)
            return api_refuse(req, res, PROBLEM_TOO_LARGE, "%s %s takes no body", req->method,
                              req->route->path);
        return true;
    }
    /* its type */
    const char *type = api_header(req, "Content-Type");
    if (!is_json(type))
        return api_refuse(req, res, PROBLEM_MEDIA_TYPE,
                          "Content-Type must be application/json%s%.80s", type ? ", not " : "",
                          type ? type : "");
    /* its coding */
    const char *coding = body_coding(req);
    if (strcasecmp(coding, "identity") != 0 && strcasecmp(coding, "gzip") != 0 &&
        strcasecmp(coding, "x-gzip") != 0) {
        api_add_header(res, "Accept-Encoding", "gzip");
        return api_refuse(req, res, PROBLEM_MEDIA_TYPE,
                          "Content-Encoding may be gzip, not \"%.80s\"", coding);
    }
    /* its length, if known */
    if (content_length > 0 && (uint64_t)content_length > ctx->limits.body_bytes)
        return api_refuse(req, res, PROBLEM_TOO_LARGE, "a body has at most %llu bytes",
                          (unsigned long long)ctx->limits.body_bytes);
    return true;
}

/* Lets pages of listed origins read the answer (CORS). */
static void add_cors(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res)
{
    const char *origin = api_header(req, "Origin");
    if (ctx->n_origins > 0)
        api_add_header(res, "Vary", "Origin");
    if (!origin || !origin_is_listed(ctx, origin))
        return;
    api_add_header(res, "Access-Control-Allow-Origin", origin);
    api_add_header(res, "Access-Control-Expose-Headers",
                   "Location, Link, ETag, Retry-After, Preference-Applied, Idempotency-Replayed, "
                   "RateLimit, RateLimit-Policy, X-Request-Id");
    if (strcmp(req->method, "OPTIONS") == 0) {
        api_add_header(res, "Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE");
        api_add_header(res, "Access-Control-Allow-Headers",
                       "Content-Type, Content-Encoding, Prefer, Idempotency-Key, If-None-Match, "
                       "Last-Event-ID, Authorization");
        api_add_header(res, "Access-Control-Max-Age", "600");
    }
}

/* The token of `Authorization: Bearer TOKEN`, at most one in a request; NULL: there is none. */
static const char *bearer_token(const ApiRequest *req)
{
    static const char SCHEME[] = "bearer ";
    const char *token = NULL;
    for (size_t i = 0; i < req->n_headers; i++) {
        const char *value = req->headers[i].value;
        if (strcasecmp(req->headers[i].name, "Authorization") != 0)
            continue;
        if (token || strncasecmp(value, SCHEME, sizeof SCHEME - 1) != 0)
            return "";
        token = value + sizeof SCHEME - 1;
        token += strspn(token, " ");
    }
    return token;
}

/* One answer, whatever is wrong with the key: it tells nothing about keys. */
static bool refuse_key(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res)
{
    const double wait = keyring_failure(ctx->keyring, req->client ? req->client : "");
    if (wait > 0) {
        res->retry_after = wait;
        return api_refuse(req, res, PROBLEM_RATE,
                          "too many requests without a valid key came from this address");
    }
    ctx->host.unauthorized(ctx->host.self, req->client, bearer_token(req) != NULL);
    return api_refuse(req, res, PROBLEM_UNAUTHORIZED,
                      "send a key that is in force, as Authorization: Bearer TOKEN");
}

static unsigned scope_of(Role role)
{
    static const unsigned SCOPES_OF[] = {[ROLE_READ] = SCOPE_READ,
                                         [ROLE_WRITE] = SCOPE_WRITE,
                                         [ROLE_METRICS] = SCOPE_METRICS,
                                         [ROLE_ADMIN] = SCOPE_ADMIN};
    return SCOPES_OF[role];
}

/* Whether the request has a key that allows it, and not too many requests. */
static bool check_key(const ApiContext *ctx, ApiRequest *req, ApiResponse *res)
{
    const unsigned scope = scope_of(req->route->role);
    if (!ctx->keyring && scope == SCOPE_ADMIN)
        return api_refuse(req, res, PROBLEM_KEYS_OFF,
                          "keys and tenants are managed here only with serve --auth keys; without, "
                          "use `dalembert keys` and `dalembert tenants` on the data directory "
                          "while no daemon runs on it");
    if (!scope)
        return true;
    if (!ctx->keyring) {
        req->caller.tenant = ctx->store.tenant;
        return true;
    }
    /* a key in force, its rate, its scopes */
    const char *token = bearer_token(req);
    if (!token || !keyring_admit(ctx->keyring, token, &req->caller))
        return refuse_key(ctx, req, res);
    const Caller *caller = &req->caller;
    if (caller->rate.wait > 0) {
        res->retry_after = caller->rate.wait;
        return api_refuse(req, res, PROBLEM_RATE, "a key has %u requests a minute",
                          caller->rate.limit);
    }
    if (!(caller->scopes & scope)) {
        char needed[SCOPES_TEXT_MAX], given[SCOPES_TEXT_MAX];
        scopes_format(scope, needed);
        scopes_format(caller->scopes, given);
        return api_refuse(req, res, PROBLEM_SCOPE,
                          "this needs a key with the scope %s; this key has %s", needed, given);
    }
    return true;
}

bool api_still_admitted(const ApiContext *ctx, const ApiRequest *req)
{
    return !*req->caller.key || keyring_holds(ctx->keyring, &req->caller);
}

/* How many requests the key has left (draft-ietf-httpapi-ratelimit-headers-11). */
static void add_rate(const ApiRequest *req, ApiResponse *res)
{
    const RateState *rate = &req->caller.rate;
    if (!*req->caller.key || !rate->limit)
        return;
    api_add_header(res, "RateLimit-Policy",
                   arena_printf(req->arena, "\"requests\";q=%u;w=60", rate->limit));
    api_add_header(
        res, "RateLimit",
        arena_printf(req->arena, "\"requests\";r=%u;t=%.0f", rate->left, ceil(rate->full)));
}

/* The fields that every answer has, whatever became of it. */
static void add_common(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res)
{
    add_rate(req, res);
    add_cors(ctx, req, res);
}

/* ?tenant=NAME: an administrator reads what belongs to this tenant. */
static bool choose_tenant(const ApiContext *ctx, ApiRequest *req, ApiResponse *res)
{
    const char *name = api_query(req, TENANT);
    TenantRecord tenant;
    if (!name)
        return true;
    if (req->route->role != ROLE_READ)
        return api_refuse(req, res, PROBLEM_PARAMETER,
                          "\"tenant\" is for requests that read; use a key of that tenant here");
    if (ctx->keyring && !(req->caller.scopes & SCOPE_ADMIN))
        return api_refuse(req, res, PROBLEM_SCOPE,
                          "the parameter \"tenant\" needs a key with the scope admin");
    if (store_tenant_get(ctx->store.store, name, req->arena, &tenant, NULL) != OK)
        return api_refuse(req, res, PROBLEM_PARAMETER, "there is no tenant \"%.80s\"", name);
    req->caller.tenant = tenant.number;
    return true;
}

static bool route_and_check(const ApiContext *ctx, ApiRequest *req, int64_t content_length,
                            ApiResponse *res)
{
    /* the path */
    size_t path_length = strcspn(req->target, "?");
    const char *query = req->target[path_length] == '?' ? req->target + path_length + 1 : NULL;
    req->path = arena_strndup(req->arena, req->target, path_length);
    if (!req->path)
        return api_refuse(req, res, PROBLEM_NO_MEMORY, "out of memory");
    /* the sender, the key, the method, the query, the type of the answer, the body */
    if (!check_sender(ctx, req, res) || !find_route(req, res) || !check_key(ctx, req, res) ||
        !read_query(req, res, query) || !choose_tenant(ctx, req, res))
        return false;
    if (!accept_choose(api_header(req, "Accept"), req->route->types, &req->type))
        return api_refuse(req, res, PROBLEM_NOT_ACCEPTABLE, "the available media types are %s",
                          accept_list(req->arena, req->route->types));
    if (!check_body(ctx, req, content_length, res))
        return false;
    /* new jobs are refused during shutdown */
    if (req->route->role == ROLE_WRITE && ctx->host.state(ctx->host.self) == API_HOST_DRAINING) {
        res->retry_after = 10.0;
        return api_refuse(req, res, PROBLEM_SHUTTING_DOWN, "try again after the restart");
    }
    return true;
}

bool api_admit(const ApiContext *ctx, ApiRequest *req, int64_t content_length, ApiResponse *res)
{
    bool admitted = route_and_check(ctx, req, content_length, res);
    if (!admitted)
        add_common(ctx, req, res);
    return admitted;
}

/* After a failed allocation, neither the answer nor a reported mistake is reliable: a part of it
 * may be missing. */
static bool ran_out_of_memory(const ApiRequest *req, const ApiResponse *res)
{
    return arena_failed(req->arena) || !text_ok(&res->body) || (res->diag && res->diag->no_memory);
}

/* The context of the request's tenant; it lives as long as the request. NULL: out of memory. */
static const ApiContext *context_of(const ApiContext *ctx, const ApiRequest *req)
{
    const int64_t tenant = req->caller.tenant;
    if (tenant == 0 || tenant == ctx->store.tenant)
        return ctx;
    ApiContext *own = arena_alloc(req->arena, 1, sizeof *own);
    if (own) {
        *own = *ctx;
        own->store.tenant = own->setting.store.tenant = tenant;
    }
    return own;
}

void api_answer(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res)
{
    Error err = {0};
    /* the handler */
    ApiHandler handler = res->wait.again ? res->wait.again : req->route->handler;
    ctx = context_of(ctx, req);
    if (!ctx) {
        api_problem(req, res, PROBLEM_NO_MEMORY, "out of memory", NULL);
        return;
    }
    const ArenaMark start = arena_mark(req->arena);
    res->wait.again = NULL;
    res->takes_long = false;
    /* the key may have been revoked during the upload, a wait or a computation */
    Status status = api_still_admitted(ctx, req) ? handler(ctx, req, res, &err)
                                                 : api_fail(res, PROBLEM_UNAUTHORIZED, &err,
                                                            "the key was revoked, or has expired");
    /* undo the attempt, or wait */
    if (res->takes_long) {
        api_response_reset(res);
        arena_release(req->arena, start);
        res->takes_long = true;
        return;
    }
    if (status == OK && res->wait.again)
        return;
    if (ran_out_of_memory(req, res)) {
        res->problem = PROBLEM_NONE;
        res->diag = NULL;
        status = error_set(&err, ERR_NO_MEMORY, "out of memory");
    }
    /* problems */
    if (status != OK) {
        Problem problem = res->problem != PROBLEM_NONE ? res->problem : problem_of(status);
        if (problem_status(problem) == 500)
            ctx->host.failed(ctx->host.self, req, err.message);
        Diagnostics *diag = res->diag && res->diag->total > 0 ? res->diag : NULL;
        /* the first mistake of a document is a better detail than "3 mistakes" */
        api_problem(req, res, problem, diag ? NULL : err.message, diag);
        if (!text_ok(&res->body))
            api_problem(req, res, PROBLEM_NO_MEMORY, "out of memory", NULL);
    }
    /* type, last newline, compression and CORS */
    if (!res->type)
        res->type = api_type(req);
    if (res->body.length > 0 && !res->verbatim && res->body.data[res->body.length - 1] != '\n')
        text_putc(&res->body, '\n'); /* for terminals */
    status = res->problem == PROBLEM_NONE ? gzip_answer(req, res, &err) : OK;
    if (status != OK)
        api_problem(req, res, problem_of(status), err.message, NULL);
    add_common(ctx, req, res);
}
