/* Prepared jobs on their way from submissions to workers: a ring of the newest. */
#include "api/prepared_jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "db/store.h"

enum { DOCUMENT_MAX = 64 * 1024 };

typedef struct Kept {
    char job_id[JOB_ID_MAX]; /* "": free */
    PreparedJob job;
} Kept;

struct PreparedJobs {
    pthread_mutex_t lock;
    Kept *ring; /* n */
    size_t n, next;
    uint64_t taken;
};

PreparedJobs *prepared_jobs_new(size_t most)
{
    PreparedJobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs)
        return NULL;
    jobs->n = most ? most : 1;
    jobs->ring = alloc_array(jobs->n, sizeof *jobs->ring);
    if (!jobs->ring || pthread_mutex_init(&jobs->lock, NULL) != 0) {
        free(jobs->ring);
        free(jobs);
        return NULL;
    }
    return jobs;
}

void prepared_jobs_free(PreparedJobs *jobs)
{
    if (!jobs)
        return;
    for (size_t i = 0; i < jobs->n; i++)
        prepared_job_done(&jobs->ring[i].job);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs->ring);
    free(jobs);
}

void prepared_jobs_keep(PreparedJobs *jobs, const char *job_id, size_t document_size,
                        PreparedJob *job)
{
    /* warnings belong to the input, which the request owns; ensembles borrow from the input */
    if (!jobs || !job->simulation || document_size > DOCUMENT_MAX || job->input.n_warnings > 0 ||
        strlen(job_id) >= JOB_ID_MAX)
        return;
    pthread_mutex_lock(&jobs->lock);
    Kept *kept = &jobs->ring[jobs->next];
    PreparedJob leaves = kept->job;
    jobs->next = (jobs->next + 1) % jobs->n;
    memcpy(kept->job_id, job_id, strlen(job_id) + 1);
    kept->job = (PreparedJob){.compiled = job->compiled, .simulation = job->simulation};
    pthread_mutex_unlock(&jobs->lock);
    *job = (PreparedJob){0};
    prepared_job_done(&leaves);
}

bool prepared_jobs_take(PreparedJobs *jobs, const char *job_id, PreparedJob *ret_job)
{
    Kept *found = NULL;
    if (!jobs)
        return false;
    pthread_mutex_lock(&jobs->lock);
    for (size_t i = 0; i < jobs->n && !found; i++)
        if (strcmp(jobs->ring[i].job_id, job_id) == 0)
            found = &jobs->ring[i];
    if (found) {
        *ret_job = found->job;
        *found = (Kept){0};
        jobs->taken++;
    }
    pthread_mutex_unlock(&jobs->lock);
    return found != NULL;
}

uint64_t prepared_jobs_taken(PreparedJobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    const uint64_t taken = jobs->taken;
    pthread_mutex_unlock(&jobs->lock);
    return taken;
}
