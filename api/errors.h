/* The only table of errors: the HTTP status of each problem, and the reasons of failed jobs.
 * docs/reference/problems.md explains each code and its remedy. */
#ifndef API_ERRORS_H
#define API_ERRORS_H

#include "core/base/status.h"

/* Problem, HTTP status, machine-readable code, title. */
#define PROBLEM_LIST(X)                                                                       \
    X(PROBLEM_NONE, 200, "none", "No problem")                                                \
    X(PROBLEM_MALFORMED, 400, "malformed_request", "The request is not well-formed HTTP")     \
    X(PROBLEM_NOT_JSON, 400, "not_json", "The body is not JSON")                              \
    X(PROBLEM_PARAMETER, 400, "bad_parameter", "A parameter is wrong")                        \
    X(PROBLEM_UNAUTHORIZED, 401, "unauthorized", "This needs a valid key")                    \
    X(PROBLEM_SCOPE, 403, "scope_missing", "The key does not allow this")                     \
    X(PROBLEM_KEYS_OFF, 403, "keys_off", "The service runs without keys")                     \
    X(PROBLEM_HOST, 403, "unknown_host", "The Host header names another host")                \
    X(PROBLEM_ORIGIN, 403, "foreign_origin", "Requests of this origin are not accepted")      \
    X(PROBLEM_NOT_FOUND, 404, "not_found", "The resource does not exist")                     \
    X(PROBLEM_METHOD, 405, "method_not_allowed", "This resource has no such method")          \
    X(PROBLEM_NOT_ACCEPTABLE, 406, "not_acceptable", "No acceptable media type")              \
    X(PROBLEM_REQUEST_TIMEOUT, 408, "request_timeout", "The request came too slowly")         \
    X(PROBLEM_CONFLICT, 409, "conflict", "The resource is in a state that forbids this")      \
    X(PROBLEM_NOT_READY, 409, "not_ready", "The job is not done")                             \
    X(PROBLEM_TOO_LARGE, 413, "too_large", "The body is too large")                           \
    X(PROBLEM_MEDIA_TYPE, 415, "unsupported_media_type", "The body must be JSON")             \
    X(PROBLEM_TARGET_TOO_LONG, 414, "target_too_long", "The request target is too long")      \
    X(PROBLEM_INVALID, 422, "invalid_document", "The document has mistakes")                  \
    X(PROBLEM_KEY_REUSED, 422, "idempotency_key_reused", "The idempotency key was used")      \
    X(PROBLEM_RATE, 429, "rate_limited", "Too many requests")                                 \
    X(PROBLEM_QUOTA, 429, "quota_exceeded", "A quota of the tenant is reached")               \
    X(PROBLEM_HEAD_TOO_LARGE, 431, "header_too_large", "The request's header is too large")   \
    X(PROBLEM_NO_MEMORY, 500, "out_of_memory", "There is not enough memory for this request") \
    X(PROBLEM_INTERNAL, 500, "internal", "An error inside the service")                       \
    X(PROBLEM_DAMAGED, 500, "damaged_data", "Stored data is damaged")                         \
    X(PROBLEM_NOT_IMPLEMENTED, 501, "unknown_method", "Unknown method")                       \
    X(PROBLEM_QUEUE_FULL, 503, "queue_full", "The service is busy")                           \
    X(PROBLEM_OVERLOADED, 503, "overloaded", "The service is overloaded")                     \
    X(PROBLEM_COMPUTING, 503, "computing", "The answer is still being computed")              \
    X(PROBLEM_SHUTTING_DOWN, 503, "shutting_down", "The service is shutting down")            \
    X(PROBLEM_NOT_WRITABLE, 503, "not_writable", "The store cannot be used")                  \
    X(PROBLEM_HTTP_VERSION, 505, "http_version", "This version of HTTP is not supported")     \
    X(PROBLEM_NO_SPACE, 507, "disk_full", "The disk is full")

typedef enum Problem {
#define PROBLEM_ENUM(name, status, code, title) name,
    PROBLEM_LIST(PROBLEM_ENUM)
#undef PROBLEM_ENUM
} Problem;

/* Reasons of failed jobs: reason, the HTTP status in their problem, title. */
#define FAILURE_LIST(X)                                          \
    X("model", 422, "The document cannot be simulated")          \
    X("numeric", 422, "The motion cannot be continued")          \
    X("limit", 422, "A limit was reached")                       \
    X("timeout", 422, "The job ran out of time")                 \
    X("expired", 422, "The job was not begun in time")           \
    X("worker_lost", 500, "The process ended while the job ran") \
    X("internal", 500, "An error inside the service")

int problem_status(Problem problem);
const char *problem_code(Problem problem);
const char *problem_title(Problem problem);

/* For a reason that is not in the list, the values of "internal". */
int failure_status(const char *reason);
const char *failure_title(const char *reason);

/* The problem of a Status that a handler returns without api_fail(). */
Problem problem_of(Status status);

#endif
