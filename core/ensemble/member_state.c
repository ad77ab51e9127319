/* How members end: their names, and the meaning of a status. */
#include "core/ensemble/member_state.h"

static const char *const REASONS[MEMBER_STATES] = {
    [MEMBER_MODEL] = "model",
    [MEMBER_NUMERIC] = "numeric",
    [MEMBER_LIMIT] = "limit",
    [MEMBER_TIMEOUT] = "timeout",
    [MEMBER_WORKER_LOST] = "worker_lost",
    [MEMBER_INTERNAL] = "internal",
    [MEMBER_CANCELLED] = "cancelled",
};

const char *member_state_reason(MemberState state)
{
    return REASONS[state];
}

MemberState member_state_of(Status status)
{
    /* errors of the member's numbers and of its run */
    switch (status) {
    case OK:
        return MEMBER_SUCCEEDED;
    case ERR_INVALID:
    case ERR_NOT_FOUND:
        return MEMBER_MODEL;
    case ERR_NUMERIC:
        return MEMBER_NUMERIC;
    case ERR_LIMIT:
        return MEMBER_LIMIT;
    case ERR_TIMEOUT:
        return MEMBER_TIMEOUT;
    case ERR_CANCELLED:
        return MEMBER_CANCELLED;
    /* the rest are failures of the machine or of the program */
    case ERR_CONFLICT:
    case ERR_BUSY:
    case ERR_NO_MEMORY:
    case ERR_NO_SPACE:
    case ERR_IO:
    case ERR_DAMAGED:
    case ERR_INTERNAL:
        break;
    }
    return MEMBER_INTERNAL;
}
