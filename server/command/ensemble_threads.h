/* An ensemble run in this process: threads run ranges of its members, and all rows are in
 * memory. */
#ifndef SERVER_ENSEMBLE_THREADS_H
#define SERVER_ENSEMBLE_THREADS_H

#include "api/documents/result_writer.h"
#include "api/documents/summary.h"
#include "api/json/writer.h"
#include "api/prepared_job.h"
#include "server/work/ensemble_sum.h"

typedef struct EnsembleThreads EnsembleThreads;

typedef struct EnsembleWatch {
    void *self;
    void (*progress)(void *self, uint64_t done,
                     uint64_t total); /* about ten times a second; may be NULL */
} EnsembleWatch;

/* Runs the members of a prepared ensemble, which must outlive *ret_run. If all members are run, the
 * rows do not depend on the number of threads. */
Status ensemble_threads_run(PreparedJob *job, unsigned threads, const EnsembleWatch *watch,
                            EnsembleThreads **ret_run, Error *err) MUST_CHECK;
void ensemble_threads_free(EnsembleThreads *run); /* NULL is fine */

/* The sum over the members that were run. */
const EnsembleSum *ensemble_threads_sum(const EnsembleThreads *run);
/* The columns of the summary as it is shown. */
const SummaryColumns *ensemble_threads_columns(const EnsembleThreads *run);
/* Writes the statistics over time as a member "over_time"; nothing if the job does not ask for
 * them. */
Status ensemble_threads_over_time(EnsembleThreads *run, JsonWriter *writer, Error *err) MUST_CHECK;
/* The rows of the summary (-1) or of a table, in the order of members; *ret_n is their number. */
RowsSource ensemble_threads_rows(EnsembleThreads *run, int table, uint64_t *ret_n);

#endif
