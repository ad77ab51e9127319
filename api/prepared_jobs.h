/* Prepared jobs on their way from submissions to workers, so that a worker need not read and check
 * a document again. Thread-safe. At most `most` jobs with short documents are kept, so their memory
 * is at most that of as many running jobs. The oldest leave first. A job that has left is only
 * prepared again. */
#ifndef API_PREPARED_JOBS_H
#define API_PREPARED_JOBS_H

#include "api/prepared_job.h"

PreparedJobs *prepared_jobs_new(size_t most); /* NULL when out of memory */
void prepared_jobs_free(PreparedJobs *jobs);  /* NULL is fine */

/* Takes the job over without its input, and empties it. A job that is not kept stays unchanged. If
 * `jobs` is NULL, nothing is kept. */
void prepared_jobs_keep(PreparedJobs *jobs, const char *job_id, size_t document_size,
                        PreparedJob *job);
/* False if the job is not there. A job can be taken once; its input is empty. */
bool prepared_jobs_take(PreparedJobs *jobs, const char *job_id, PreparedJob *ret_job);
/* The number of successful calls of prepared_jobs_take(). */
uint64_t prepared_jobs_taken(PreparedJobs *jobs);

#endif
