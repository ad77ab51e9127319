/* The status that an operation returns if it may fail.
 *
 * Each code asks a different action of the caller; the detail is in the message. An Error is owned
 * by the caller, has a fixed size and needs no freeing; start it with {0}. Every function that
 * takes an Error accepts NULL for it. ret_* parameters are written only on OK. */
#ifndef CORE_BASE_STATUS_H
#define CORE_BASE_STATUS_H

#define STATUS_LIST(X)                   \
    X(OK, "ok")                          \
    X(ERR_INVALID, "invalid input")      \
    X(ERR_NOT_FOUND, "not found")        \
    X(ERR_CONFLICT, "conflict")          \
    X(ERR_LIMIT, "limit exceeded")       \
    X(ERR_NUMERIC, "numerical failure")  \
    X(ERR_CANCELLED, "cancelled")        \
    X(ERR_TIMEOUT, "time limit reached") \
    X(ERR_BUSY, "busy")                  \
    X(ERR_NO_MEMORY, "out of memory")    \
    X(ERR_NO_SPACE, "disk full")         \
    X(ERR_IO, "input or output error")   \
    X(ERR_DAMAGED, "damaged data")       \
    X(ERR_INTERNAL, "internal error")

typedef enum Status {
#define STATUS_ENUM(code, text) code,
    STATUS_LIST(STATUS_ENUM)
#undef STATUS_ENUM
} Status;

typedef struct Error {
    Status code;
    char message[480];
} Error;

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

const char *status_text(Status status);

/* Fills *err and returns code, so that a failing function can end with it. */
Status error_set(Error *err, Status code, const char *format, ...) PRINTF_LIKE(3, 4);
#ifdef __clang_analyzer__ /* the analyzer sees one file at a time; this tells it the result */
#define error_set(err, code, ...) (error_set(err, code, __VA_ARGS__), code)
#endif

/* Puts context in front of a message on its way up: "model 'sled': more than 4096 nodes". */
void error_prefix(Error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
