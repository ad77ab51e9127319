/* One claimed job, from its document to its stored result. */
#ifndef SERVER_JOB_RUN_H
#define SERVER_JOB_RUN_H

#include <stdatomic.h>

#include "api/prepared_job.h"

typedef struct JobRunContext {
    Store *store;
    const JobSetting *setting;
    const atomic_bool *put_back; /* once true, runs end and their jobs are queued again */
    void *self;
    void (*progress)(void *self, const char *phase, double fraction, double t, uint64_t steps);
} JobRunContext;

/* How the job left the worker. */
typedef struct JobOutcome {
    bool released; /* it is queued again */
    JobState state;
    char reason[24]; /* of a failure; may be empty */
    uint64_t rows;
} JobOutcome;

/* Runs and finishes (or releases) the job. ERR_IO, ERR_NO_SPACE, ERR_NO_MEMORY: the store could not take what was
 * to be stored; that is not the job's fault, so the caller releases it, when the store works again.
 * ERR_CONFLICT: the lease was lost. The arena is the caller's, for the length of the call. */
Status job_run(const JobRunContext *ctx, const JobLease *lease, Arena *arena,
               JobOutcome *ret_outcome, Error *err) MUST_CHECK;

#endif
