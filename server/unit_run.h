/* An ensemble on one worker: units of its members, one after the other, until there are none or others are to have their
 * turn; and its end, when all units have ended. */
#ifndef SERVER_UNIT_RUN_H
#define SERVER_UNIT_RUN_H

#include "server/job_run.h"

/* What a worker keeps of an ensemble from one turn to the next: it is prepared once. */
typedef struct UnitRunner UnitRunner;

UnitRunner *unit_runner_new(void); /* NULL: out of memory */
void unit_runner_free(UnitRunner *runner);

typedef struct UnitRunContext {
    const JobRunContext *job;
    UnitRunner *runner;
    unsigned workers; /* that share the members */
    void *self;
    void (*rate)(void *self, double members_per_second);
} UnitRunContext;

/* A claimed ensemble (in_units). Counts the members that ended. ERR_IO, ERR_NO_SPACE, ERR_NO_MEMORY: the store could not
 * take what was to be stored; the members are run again. */
Status units_run(const UnitRunContext *ctx, const JobLease *lease, uint64_t *ret_members,
                 Error *err) MUST_CHECK;

/* The end of one, claimed with a token; as job_run(). */
Status ensemble_end(const JobRunContext *ctx, const JobLease *lease, Arena *arena,
                    JobOutcome *ret_outcome, Error *err) MUST_CHECK;

#endif
