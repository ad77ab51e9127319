/* Jobs as their submissions prepared them, on the way to the workers: whoever runs one soon need
 * not read and check it again. Thread-safe. At most `most` are kept, of short documents, so that
 * together they take no more than as many running jobs; the oldest leave first. Nothing is lost
 * with one that is not there. */
#ifndef API_PREPARED_JOBS_H
#define API_PREPARED_JOBS_H

#include "api/prepared_job.h"

PreparedJobs *prepared_jobs_new(size_t most); /* NULL when out of memory */
void prepared_jobs_free(PreparedJobs *jobs);  /* NULL is fine */

/* Takes the job over, except for its input, and empties it; one that it does not keep stays as it
 * is. Jobs that are NULL keep none. */
void prepared_jobs_keep(PreparedJobs *jobs, const char *job_id, size_t document_size,
                        PreparedJob *job);
/* False when it is not there. Each job is there once; its input is empty. */
bool prepared_jobs_take(PreparedJobs *jobs, const char *job_id, PreparedJob *ret_job);
/* How often one was there. */
uint64_t prepared_jobs_taken(PreparedJobs *jobs);

#endif
