/* A job ready to run: its document read, its model compiled, its simulation or ensemble set up.
 * There is one way to it, for submissions, for workers and for the command line. */
#ifndef API_PREPARED_JOB_H
#define API_PREPARED_JOB_H

#include "api/cache.h"
#include "api/documents/documents.h"

typedef struct PreparedJob {
    JobInput input;
    Compiled *compiled;
    Simulation *simulation; /* NULL: an */
    Ensemble *ensemble;     /* which borrows from input */
} PreparedJob;

typedef struct PreparedJobs PreparedJobs; /* api/prepared_jobs.h */

/* What a service does about "notify". */
typedef struct WebhookRules {
    bool on;
    IpRules ips; /* that it calls */
} WebhookRules;

/* What a process prepares jobs with. {0}: models stand in the documents, and nothing is limited. */
typedef struct JobSetting {
    Store *store;         /* of the models that jobs name by their id; NULL: none */
    CompiledCache *cache; /* NULL: every job compiles its own model */
    SimulationLimits limits;
    uint64_t members_most;        /* of a new ensemble; 0: any */
    double ensemble_most;         /* bytes of its results; 0: any */
    double timeout_most;          /* seconds that a new job may ask for; 0: any */
    const WebhookRules *webhooks; /* NULL: nobody is told of anything, which is no mistake */
    PreparedJobs *prepared;       /* by submissions, for workers; NULL: none */
    const Origin *origin;         /* told with results; NULL: not known */
} JobSetting;

/* The document of a job. */
typedef struct JobSource {
    const char *bytes;
    size_t size;
    /* Of a job that was accepted, the names that it was given then; NULL: it is new. */
    const char *model_id, *formulation;
    bool quickly; /* of a new one: nothing may be compiled */
} JobSource;

/* ERR_INVALID with mistakes in diag; *ret_is_json (may be NULL) as of job_input_read(). Of an
 * accepted job whose compiled model is in the cache, neither the model nor the names are made
 * again: then input.model, labels and request_hash stay empty. input lives in the arena. ERR_BUSY:
 * it has to be compiled, and source->quickly. */
Status prepared_job_init(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err) MUST_CHECK;
/* The first half of it: the document is read and its model compiled, but there is neither a
 * simulation nor an ensemble. */
Status prepared_job_read(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err) MUST_CHECK;
void prepared_job_done(PreparedJob *job); /* {0} is fine */

#endif
