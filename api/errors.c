/* The problems that the interface reports: status, code and title of each, and the problem for each
 * Status. Likewise for failed jobs. */
#include "api/errors.h"

#include <stddef.h>
#include <string.h>

typedef struct ProblemRow {
    int status;
    const char *code, *title;
} ProblemRow;

static const ProblemRow ROWS[] = {
#define PROBLEM_ROW(name, status, code, title) {status, code, title},
    PROBLEM_LIST(PROBLEM_ROW)
#undef PROBLEM_ROW
};

static const ProblemRow FAILURES[] = {
#define FAILURE_ROW(reason, status, title) {status, reason, title},
    FAILURE_LIST(FAILURE_ROW)
#undef FAILURE_ROW
};

static const ProblemRow *failure_row(const char *reason)
{
    const size_t last = sizeof FAILURES / sizeof FAILURES[0] - 1;
    size_t k = 0;
    while (k < last && strcmp(FAILURES[k].code, reason) != 0)
        k++;
    return &FAILURES[k];
}

int failure_status(const char *reason)
{
    return failure_row(reason)->status;
}

const char *failure_title(const char *reason)
{
    return failure_row(reason)->title;
}

int problem_status(Problem problem)
{
    return ROWS[problem].status;
}

const char *problem_code(Problem problem)
{
    return ROWS[problem].code;
}

const char *problem_title(Problem problem)
{
    return ROWS[problem].title;
}

Problem problem_of(Status status)
{
    switch (status) {
    case OK:
        return PROBLEM_NONE;
    case ERR_INVALID:
    case ERR_LIMIT:
    case ERR_NUMERIC:
        return PROBLEM_INVALID;
    case ERR_NOT_FOUND:
        return PROBLEM_NOT_FOUND;
    case ERR_CONFLICT:
        return PROBLEM_CONFLICT;
    case ERR_BUSY:
        return PROBLEM_QUEUE_FULL;
    case ERR_NO_MEMORY: /* no 503: the same request would fail again */
        return PROBLEM_NO_MEMORY;
    case ERR_TIMEOUT:
        return PROBLEM_OVERLOADED;
    case ERR_NO_SPACE:
        return PROBLEM_NO_SPACE;
    case ERR_IO:
        return PROBLEM_NOT_WRITABLE;
    case ERR_DAMAGED:
        return PROBLEM_DAMAGED;
    case ERR_CANCELLED:
    case ERR_INTERNAL:
        return PROBLEM_INTERNAL;
    }
    return PROBLEM_INTERNAL;
}
