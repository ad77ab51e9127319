/* A job ready to run: its document read, its model compiled, its simulation or ensemble set up.
 * Submissions, workers and the command line all use these functions. */
#ifndef API_PREPARED_JOB_H
#define API_PREPARED_JOB_H

#include "api/cache.h"
#include "api/documents/documents.h"

typedef struct PreparedJob {
    JobInput input;
    Compiled *compiled;
    Simulation *simulation; /* NULL: the job is an .. */
    Ensemble *ensemble;     /* .. ensemble, which borrows from input */
} PreparedJob;

typedef struct PreparedJobs PreparedJobs; /* api/prepared_jobs.h */

/* The rules of a service for "notify". */
typedef struct WebhookRules {
    bool on;
    IpRules ips; /* the addresses that it may call */
} WebhookRules;

/* The setting in which a process prepares jobs. {0}: only inline models, and no limits. */
typedef struct JobSetting {
    TenantStore store;    /* of the models that jobs name by id; store NULL: none */
    CompiledCache *cache; /* NULL: every job compiles its own model */
    SimulationLimits limits;
    uint64_t members_most;        /* of a new ensemble; 0: any number */
    double ensemble_most;         /* bytes of its results; 0: any number */
    double timeout_most;          /* largest timeout of a new job, in seconds; 0: any */
    const WebhookRules *webhooks; /* NULL: notifications are ignored without a mistake */
    PreparedJobs *prepared;       /* from submissions to workers; NULL: none */
    const Origin *origin;         /* reported with results; NULL: not known */
} JobSetting;

/* The document of a job. */
typedef struct JobSource {
    const char *bytes;
    size_t size;
    /* Of an accepted job, its model id and formulation; NULL: the job is new. */
    const char *model_id, *formulation;
    bool quickly; /* of a new job: compiling is forbidden */
} JobSource;

/* ERR_INVALID with mistakes in diag; *ret_is_json (may be NULL) as of job_input_read(). If the
 * compiled model of an accepted job is in the cache, neither the model nor the names are derived
 * again: then input.model, labels and request_hash stay empty. input lives in the arena. ERR_BUSY:
 * source->quickly is set, and the model has to be compiled. */
Status prepared_job_init(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err) MUST_CHECK;
/* The first half: the document is read and its model compiled, but neither a simulation nor an
 * ensemble is made. */
Status prepared_job_read(PreparedJob *ret_job, const JobSetting *setting, const JobSource *source,
                         Arena *arena, Diagnostics *diag, bool *ret_is_json, Error *err) MUST_CHECK;
void prepared_job_done(PreparedJob *job); /* {0} is fine */

#endif
