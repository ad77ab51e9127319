/* An ensemble on one worker: runs units of its members until none is left or other jobs get their
 * turn, and ends the ensemble after its last unit. */
#ifndef SERVER_UNIT_RUN_H
#define SERVER_UNIT_RUN_H

#include "server/metrics.h"
#include "server/work/job_run.h"

/* The ensemble that a worker keeps from one turn to the next: it is prepared once. */
typedef struct UnitRunner UnitRunner;

UnitRunner *unit_runner_new(void); /* NULL: out of memory */
void unit_runner_free(UnitRunner *runner);
/* The ensemble of a lease, prepared now or before; valid until the runner prepares another.
 * *ret_diag: the mistakes of the document, in any case. As job_prepare(). */
Status unit_runner_prepare(UnitRunner *runner, const JobSetting *setting, const JobLease *lease,
                           PreparedJob **ret_job, const Diagnostics **ret_diag,
                           Error *err) MUST_CHECK;

typedef struct UnitRunContext {
    const JobRunContext *job;
    UnitRunner *runner;
    unsigned workers; /* that share the members */
    Metrics *metrics; /* members and their steps are counted on */
    void *self;
    /* `unstored`: members that have ended, but whose units have not. */
    void (*progress)(void *self, double members_per_second, uint64_t unstored);
} UnitRunContext;

/* Runs a claimed ensemble (in_units) for a turn. ERR_IO, ERR_NO_SPACE, ERR_NO_MEMORY: the store
 * could not take the data; the members are run again. */
Status units_run(const UnitRunContext *ctx, const JobLease *lease, Error *err) MUST_CHECK;

/* Ends an ensemble that was claimed with a token; as job_run(). */
Status ensemble_end(const JobRunContext *ctx, UnitRunner *runner, const JobLease *lease,
                    Arena *arena, JobOutcome *ret_outcome, Error *err) MUST_CHECK;

#endif
