/* How members end. */
#ifndef CORE_ENSEMBLE_MEMBER_STATE_H
#define CORE_ENSEMBLE_MEMBER_STATE_H

#include "core/base/status.h"

/* How a member ended, as a number of the column "state". */
typedef enum MemberState {
    MEMBER_SUCCEEDED,
    MEMBER_MODEL, /* from here on failed; the reasons are those of jobs */
    MEMBER_NUMERIC,
    MEMBER_LIMIT,
    MEMBER_TIMEOUT,
    MEMBER_WORKER_LOST,
    MEMBER_INTERNAL,
    MEMBER_CANCELLED,
} MemberState;
enum { MEMBER_STATES = MEMBER_CANCELLED + 1 };
const char *member_state_reason(MemberState state); /* "model", ..; NULL: it succeeded */
/* The state of a member whose preparation or run ended with this status. */
MemberState member_state_of(Status status);

#endif
