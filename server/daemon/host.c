/* The calls by which handlers of requests ask the daemon, and tell it. */
#include "server/daemon/service.h"

#include "server/process_metrics.h"
#include "server/store_metrics.h"
#include "server/trace.h"

static void on_job_added(void *self, const char *job_id)
{
    Service *service = self;
    workers_wake(service->workers);
    waiters_changed(service->waiters, job_id, false);
}

void service_job_changed(void *self, const char *job_id, bool done)
{
    Service *service = self;
    waiters_changed(service->waiters, job_id, done);
    if (done)
        webhooks_wake(service->webhooks);
}

static void on_job_reused(void *self, int64_t tenant, const JobRecord *job)
{
    Service *service = self;
    atomic_fetch_add(&service->metrics.jobs_succeeded, 1);
    service_job_changed(self, job->id, true);
    char trace[TRACE_FIELDS_MAX];
    log_event(&service->log, LOG_INFO, "job", "id=%s state=succeeded reused=%s rows=%llu%s",
              job->id, job->reused.job, (unsigned long long)job->rows,
              trace_fields((TenantStore){service->store, tenant}, &job->trace, trace));
}

static bool on_job_progress(void *self, const char *job_id, JobProgress *ret_progress)
{
    Service *service = self;
    return workers_progress(service->workers, job_id, ret_progress);
}

static ApiHostState on_state(void *self)
{
    Service *service = self;
    return (ApiHostState)atomic_load(&service->state);
}

static void on_failed(void *self, const ApiRequest *req, const char *message)
{
    Service *service = self;
    char where[LOG_QUOTE_MAX], what[LOG_QUOTE_MAX];
    char trace[TRACE_FIELDS_MAX];
    log_event(&service->log, LOG_ERROR, "failed", "target=%s reason=%s%s",
              log_quote(req->target, where), log_quote(message, what),
              trace_fields((TenantStore){service->store, req->caller.tenant}, &req->trace, trace));
}

static void on_unauthorized(void *self, const char *client, bool with_token)
{
    Service *service = self;
    atomic_fetch_add(&service->metrics.auth_failures, 1);
    log_event(&service->log, LOG_WARNING, "unauthorized", "client=%s token=%s",
              client ? client : "unknown", with_token ? "invalid" : "none");
}

static void on_keys_changed(void *self)
{
    Service *service = self;
    waiters_resume_all(service->waiters);
}

static void webhook_metrics(const Service *service, Text *out)
{
    uint64_t pending = 0;
    if (!service->webhooks)
        return;
    const WebhooksCounts counts = webhooks_counts(service->webhooks);
    if (store_calls_pending(service->store, &pending, NULL) == OK)
        metrics_put(out, "webhooks_pending", "gauge", "Notifications due now or later.",
                    (double)pending);
    metrics_put(out, "webhooks_under_way", "gauge", "Receivers that are being called.",
                (double)counts.under_way);
    metrics_put(out, "webhooks_delivered_total", "counter", "Notifications delivered.",
                (double)counts.delivered);
    metrics_put(out, "webhook_failures_total", "counter",
                "Calls that receivers did not answer 2xx.", (double)counts.failed);
    metrics_put(out, "webhooks_given_up_total", "counter", "Notifications given up.",
                (double)counts.given_up);
}

static void on_metrics(void *self, bool tenants, Text *out)
{
    Service *service = self;
    const CompiledCacheCounts cache = compiled_cache_counts(service->cache);
    metrics_write(&service->metrics, out);
    store_metrics_write(service->store, service->config.store.data, out);
    if (tenants)
        tenant_metrics_write(service->store, out);
    process_metrics_write(&service->origin, service->metrics.started_ms, out);
    /* threads, connections and caches */
    metrics_put(out, "workers", "gauge", "Worker threads.", (double)service->config.jobs.workers);
    metrics_put(out, "workers_busy", "gauge", "Workers with a job.",
                workers_busy(service->workers));
    metrics_put(out, "connections", "gauge", "Open connections.",
                (double)http_connections(service->http));
    metrics_put(out, "waiters", "gauge", "Requests that wait for a job.",
                (double)waiters_count(service->waiters));
    metrics_put(out, "computations", "gauge", "Requests on compute threads or waiting for one.",
                (double)computations_count(service->computations));
    metrics_put(out, "compiled_models", "gauge", "Compiled models in memory.",
                (double)cache.models);
    metrics_put(out, "compiled_hits_total", "counter", "Models found compiled.",
                (double)cache.hits);
    metrics_put(out, "compiled_misses_total", "counter", "Models that had to be compiled.",
                (double)cache.misses);
    metrics_put(out, "jobs_prepared_once_total", "counter",
                "Jobs that ran as prepared by their submission.",
                (double)prepared_jobs_taken(service->prepared));
    webhook_metrics(service, out);
}

static void on_pace(void *self, ApiPace *ret_pace)
{
    Service *service = self;
    *ret_pace = (ApiPace){.workers = (unsigned)service->config.jobs.workers,
                          .busy = workers_busy(service->workers),
                          .seconds_per_job = workers_job_seconds(service->workers)};
}

static size_t publish_limits(Service *service)
{
    size_t n_keys, n = 0;
    const ConfigKey *keys = config_keys(&n_keys);
    for (size_t i = 0; i < n_keys && n < LIMITS_MAX; i++) {
        if (!keys[i].published)
            continue;
        const char *unit = keys[i].type == CONFIG_BYTES     ? "bytes"
                           : keys[i].type == CONFIG_SECONDS ? "seconds"
                                                            : "count";
        service->limits[n++] =
            (ApiLimit){keys[i].name, unit, keys[i].help, config_number(&service->config, &keys[i])};
    }
    return n;
}

void service_fill_context(Service *service)
{
    const Config *config = &service->config;
    /* build and host */
    origin_find(&service->origin);
    /* the daemon as the handlers see it */
    service->api = (ApiContext){
        .store = default_tenant(service->store),
        .keyring = service->keyring,
        .setting = {.store = default_tenant(service->store),
                    .cache = service->cache,
                    .limits = {.max_samples = config->jobs.max_samples,
                               .max_steps = config->jobs.max_steps,
                               .max_event_rows = config->jobs.max_event_rows,
                               .max_result_bytes = config->jobs.max_result},
                    .members_most = config->jobs.max_members,
                    .ensemble_most = (double)config->jobs.max_ensemble_bytes,
                    .timeout_most = config->jobs.max_timeout,
                    .webhooks = &service->webhook_rules,
                    .prepared = service->prepared,
                    .origin = &service->origin},
        .printed = service->printed,
        .resources = service->resources,
        .downloads = &service->downloads,
        .limits = {.body_bytes = config->http.max_body,
                   .job_seconds = config->jobs.timeout < config->jobs.max_timeout
                                      ? config->jobs.timeout
                                      : config->jobs.max_timeout,
                   .wait_seconds = config->http.max_wait,
                   .published = service->limits,
                   .n_published = publish_limits(service)},
        .host = {service, on_job_added, service_job_changed, on_job_progress, on_state, on_metrics,
                 on_pace, on_failed, on_unauthorized, on_keys_changed, on_job_reused},
        .origins = service->origins,
        .n_origins = service->n_origins,
        .hosts = service->access.hosts,
    };
}
