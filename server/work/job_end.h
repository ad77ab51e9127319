/* Common parts of all jobs that a worker runs: preparing them, and storing their ends. */
#ifndef SERVER_JOB_END_H
#define SERVER_JOB_END_H

#include <stdatomic.h>

#include "api/json/writer.h"
#include "api/prepared_job.h"

typedef struct JobRunContext {
    Store *store;
    const JobSetting *setting;
    const atomic_bool *put_back; /* once true, runs end and their jobs are queued again */
    void *self;
    void (*progress)(void *self, const char *phase, double fraction, double t, uint64_t steps);
} JobRunContext;

/* The outcome of a job for its worker. */
typedef struct JobOutcome {
    bool released; /* it is queued again */
    JobState state;
    char reason[24]; /* of a failure; may be empty */
    uint64_t rows;
} JobOutcome;

/* Failures are those of job_run(); mistakes of the document are in diag. */
Status job_prepare(const JobSetting *setting, const JobLease *lease, Arena *arena,
                   Diagnostics *diag, PreparedJob *ret_job, Error *err) MUST_CHECK;

/* The texts of a JobFinish. */
typedef struct FinishTexts {
    Text error, diagnostics, invariants, warnings, digest;
} FinishTexts;
void finish_texts_done(FinishTexts *texts);

/* The problem document of a failed job. */
void job_problem(Text *out, const JobLease *lease, const char *reason, const char *detail,
                 const Diagnostics *diag);

/* Stores the end; the texts are those of the finish. */
Status job_end(const JobRunContext *ctx, const JobLease *lease, const JobFinish *finish,
               const FinishTexts *texts, JobOutcome *outcome, Error *err) MUST_CHECK;
/* Ends a failed job that has no result. */
Status job_end_failed(const JobRunContext *ctx, const JobLease *lease, const char *reason,
                      const char *detail, const Diagnostics *diag, const JobInput *input,
                      JobOutcome *outcome, Error *err) MUST_CHECK;
/* Ends a job that could not be prepared. */
Status job_end_unprepared(const JobRunContext *ctx, const JobLease *lease, Status status,
                          const Error *failure, const Diagnostics *diag, const JobInput *input,
                          JobOutcome *outcome, Error *err) MUST_CHECK;
/* Ends a job with its reason alone, without memory for other texts. */
Status job_end_without_words(const JobRunContext *ctx, const JobLease *lease, JobOutcome *outcome,
                             Error *err) MUST_CHECK;

/* Warnings of the document, then of the result. */
void job_warnings(Text *out, const JobInput *input, const char *const *warnings, size_t n);

#endif
