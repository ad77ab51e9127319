/* The threads that run jobs.
 *
 * A worker claims the next job of the store, runs it and stores its end. A new job wakes the
 * worker, which also looks by itself now and then. While it runs a job, it asks the store every few
 * milliseconds for a cancellation. */
#ifndef SERVER_WORKERS_H
#define SERVER_WORKERS_H

#include "api/prepared_job.h"
#include "server/log.h"
#include "server/metrics.h"

typedef struct Workers Workers;

typedef struct WorkersOptions {
    unsigned count;
    int nice; /* of their threads */
    Store *store;
    const JobSetting *setting;
    Metrics *metrics;
    const Log *log;
    void *self;
    void (*job_changed)(void *self, const char *job_id, bool done);
} WorkersOptions;

/* Options are borrowed. */
Status workers_start(const WorkersOptions *options, Workers **ret_workers, Error *err) MUST_CHECK;
void workers_wake(Workers *workers); /* a job was added */

/* False if no worker runs the job. */
bool workers_progress(Workers *workers, const char *job_id, JobProgress *ret_progress);
unsigned workers_busy(Workers *workers);
/* The mean time of the plain jobs that ended last, each of which counts a tenth less than the next;
 * 0: none has ended. */
double workers_job_seconds(Workers *workers);

/* Begins no more jobs. Running jobs have `grace` seconds, then they go back to the queue. Joins the
 * threads; the rest of the interface still works. NULL is fine. */
void workers_stop(Workers *workers, double grace);
void workers_free(Workers *workers); /* stopped before; NULL is fine */

#endif
