/* The job of one member: that of the document with the member's values in place of its own. */
#ifndef CORE_ENSEMBLE_MEMBER_H
#define CORE_ENSEMBLE_MEMBER_H

#include "core/base/diagnostics.h"
#include "core/ensemble/design.h"
#include "core/job.h"

/* Numbers that can be varied: parameters.NAME, initial.t, initial.q.NAME, initial.v.NAME, initial.mu.NAME,
 * initial.chart.q.NAME, initial.chart.v.NAME, time.end. DESIGN_OF_MEMBER goes along, and changes nothing.
 *
 * Used by one thread: its job changes with each member, without memory being asked for. */
typedef struct Member Member;

/* Whether the path is like one of these; else that goes to diag. What a job has, member_new() knows. */
bool member_path_check(const DesignAxis *axis, Diagnostics *diag);

/* Paths that are none, or are there twice, go to diag (then ERR_INVALID); names are looked at when the job is
 * prepared. Borrows what base and the axes point to; lives in the arena. */
Status member_new(const JobSpec *base, const DesignAxis *axes, size_t n_axes, Arena *arena,
                  Diagnostics *diag, Member **ret_member, Error *err) MUST_CHECK;

/* The job with values[n_axes], until the next call. */
const JobSpec *member_job(Member *member, const double *values);

#endif
