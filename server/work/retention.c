/* Retention: a few transactions at a time, so that the caller can look after other things. */
#include "server/work/retention.h"

#include "server/trace.h"

enum { TRANSACTIONS = 10 }; /* of one step: up to 2,000 jobs */

_Static_assert((int)METRICS_RETIRE_RULES == (int)RETIRE_RULES, "a counter for each rule");

static void tell(const Retention *retention, const RetiredJob *job)
{
    atomic_fetch_add(&retention->metrics->jobs_retired[job->rule], 1);
    retention->deleted(retention->self, job->id);
    char fields[TRACE_FIELDS_MAX];
    log_event(retention->log, LOG_INFO, "job", "id=%s state=deleted rule=%s%s", job->id,
              metrics_retire_rules[job->rule],
              trace_fields((TenantStore){retention->store, job->tenant}, &(JobTrace){0}, fields));
}

void retention_step(Retention *retention)
{
    RetiredJob jobs[RETIRE_MAX];
    size_t n = 1;
    Error err = {0};
    Status status = OK;
    for (int k = 0; k < TRANSACTIONS && n > 0 && status == OK; k++) {
        status = store_jobs_retire(retention->store, &retention->keep, jobs, &n, &err);
        for (size_t i = 0; i < n && status == OK; i++)
            tell(retention, &jobs[i]);
    }
    if (status != OK && !retention->fails) {
        char reason[LOG_QUOTE_MAX];
        log_event(retention->log, LOG_WARNING, "retention_failed", "reason=%s",
                  log_quote(err.message, reason));
    }
    retention->fails = status != OK;
}
