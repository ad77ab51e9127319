/* The job of one member, which is the document's with the member's values, and how members end. */
#ifndef CORE_ENSEMBLE_MEMBER_H
#define CORE_ENSEMBLE_MEMBER_H

#include "core/base/diagnostics.h"
#include "core/ensemble/design.h"
#include "core/job.h"

/* Numbers that can be varied: parameters.NAME, initial.t, initial.q.NAME, initial.v.NAME,
 * initial.mu.NAME, initial.chart.q.NAME, initial.chart.v.NAME, time.end. DESIGN_OF_MEMBER may be
 * listed and changes nothing.
 *
 * Used by one thread: its job changes with each member and allocates nothing. */
typedef struct Member Member;

/* Whether the path has one of these forms; otherwise an error goes to diag. member_new() checks
 * it against the job. */
bool member_path_check(const DesignAxis *axis, Diagnostics *diag);

/* Unknown and repeated paths go to diag (then ERR_INVALID); names are checked when the job is
 * prepared. Borrows the strings and arrays of base and the axes; lives in the arena. */
Status member_new(const JobSpec *base, const DesignAxis *axes, size_t n_axes, Arena *arena,
                  Diagnostics *diag, Member **ret_member, Error *err) MUST_CHECK;

/* The job with values[n_axes], until the next call. */
const JobSpec *member_job(Member *member, const double *values);

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
