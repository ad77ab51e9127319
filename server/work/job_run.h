/* One claimed job, from its document to its stored result. */
#ifndef SERVER_JOB_RUN_H
#define SERVER_JOB_RUN_H

#include "server/work/job_end.h"

/* Runs and finishes (or releases) the job. ERR_IO, ERR_NO_SPACE, ERR_NO_MEMORY: the store could not
 * take the data. The job is not at fault, so the caller releases it when the store works again.
 * ERR_CONFLICT: the lease was lost. The arena is the caller's, for the length of the call. */
Status job_run(const JobRunContext *ctx, const JobLease *lease, Arena *arena,
               JobOutcome *ret_outcome, Error *err) MUST_CHECK;

#endif
