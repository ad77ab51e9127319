/* The parts of the daemon, made and started in order, and taken apart in reverse order. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "server/daemon/service.h"
#include "server/data_directory.h"
#include "server/descriptors.h"
#include "server/keys.h"

enum { PRINTED_MAX = 16, RESOURCES_MAX = 2048 };

/* Time to answer the requests in flight after the jobs have been put back. */
static const double ANSWER_SECONDS = 3.0;

/* If the hard limit is too low, fewer connections are allowed. */
static Status fit_descriptors(Service *service, Error *err)
{
    uint64_t *const connections = &service->config.http.max_connections;
    const rlim_t want = descriptors_wanted(*connections);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= want)
        return OK;
    const struct rlimit raised = {limit.rlim_max < want ? limit.rlim_max : want, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
        limit = raised;
    if (limit.rlim_cur >= want)
        return OK;

    const unsigned long long have = limit.rlim_cur;
    const uint64_t fits = connections_fitting(have);
    if (fits < LEAST_CONNECTIONS)
        return error_set(err, ERR_LIMIT,
                         "the limit of %llu file descriptors is too low for %d connections: raise "
                         "it to at least %d (ulimit -n, LimitNOFILE= of systemd, docker run "
                         "--ulimit nofile=)",
                         have, LEAST_CONNECTIONS, (int)descriptors_wanted(LEAST_CONNECTIONS));
    *connections = fits;
    log_event(&service->log, LOG_WARNING, "few_descriptors", "have=%llu want=%llu connections=%llu",
              have, (unsigned long long)want, (unsigned long long)fits);
    return OK;
}

static Status open_webhooks(Service *service, Error *err)
{
    const Config *config = &service->config;
    const WebhooksOptions options = {.store = service->store,
                                     .log = &service->log,
                                     .call = {.ips = &service->webhook_rules.ips,
                                              .secrets = &service->secrets,
                                              .seconds = config->webhooks.timeout},
                                     .attempts = (unsigned)config->webhooks.attempts,
                                     .retry = config->webhooks.retry,
                                     .max_age = config->webhooks.max_age};
    if (!service->webhook_rules.on)
        return OK;
    log_event(&service->log, service->secrets.n ? LOG_INFO : LOG_WARNING, "webhooks",
              "signatures=%zu", service->secrets.n);
    return webhooks_start(&options, &service->webhooks, err);
}

/* Tells what became of the write-ahead log, if anything did. */
static void log_store_log(const Service *service)
{
    static const char *const EVENTS[] = {[STORE_LOG_INCOMPLETE] = "log_incomplete",
                                         [STORE_LOG_TAKEN_IN] = "log_taken_in",
                                         [STORE_LOG_LOST] = "loss_accepted"};
    const StoreLog *log = store_log(service->store);
    char quoted[LOG_QUOTE_MAX];
    if (log->finding != STORE_LOG_SOUND)
        log_event(&service->log, log->finding == STORE_LOG_LOST ? LOG_ERROR : LOG_WARNING,
                  EVENTS[log->finding], "lost=%llu reason=%s", (unsigned long long)log->lost,
                  log_quote(log->message, quoted));
}

/* Tells of an upgrade, and of jobs that failed because each of their processes died. */
static void log_opening(Service *service)
{
    const StoreOpening *opening = store_opening(service->store);
    if (opening->from) {
        char copy[PATH_MAX] = "none", quoted[LOG_QUOTE_MAX];
        if (opening->copied)
            snprintf(copy, sizeof copy, "%s/dalembert.db.format-%d", service->config.store.data,
                     opening->from);
        log_event(&service->log, LOG_INFO, "upgraded", "from=%d to=%d copy=%s", opening->from,
                  opening->to, log_quote(copy, quoted));
    }
    for (uint64_t k = 0; k < opening->lost_jobs; k++)
        metrics_job_failed(&service->metrics, "worker_lost");
    if (opening->lost_jobs)
        log_event(&service->log, LOG_ERROR, "jobs_lost", "failed=%llu reason=worker_lost",
                  (unsigned long long)opening->lost_jobs);
}

static Status open_store(Service *service, Error *err)
{
    const Config *config = &service->config;
    const StoreOptions options = data_directory_options(config);
    Status status = store_open(&options, &service->store, err);
    if (status == OK) {
        log_store_log(service);
        log_opening(service);
    }
    if (status == OK && strcmp(config->http.auth, "keys") == 0)
        status = keys_open(service->store, (unsigned)config->http.rate, config->http.first_key_file,
                           &service->log, &service->keyring, err);
    return status;
}

Status service_open(Service *service, Error *err)
{
    const Config *config = &service->config;
    Status status = fit_descriptors(service, err);
    if (status == OK)
        status = metrics_init(&service->metrics, err);
    if (status == OK)
        status = open_store(service, err);
    if (status != OK)
        return status;
    budget_init(&service->requests, config->http.request_memory);
    budget_init(&service->downloads, config->http.download_memory);
    /* shared by requests and workers */
    service->cache = compiled_cache_new(config->http.cached_models);
    service->prepared = prepared_jobs_new(config->jobs.workers);
    service->printed = printed_cache_new(PRINTED_MAX);
    service->resources = resource_cache_new(RESOURCES_MAX);
    service->waiters = waiters_new(config->http.max_waiters);
    if (!service->cache || !service->prepared || !service->printed || !service->resources ||
        !service->waiters)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    status = computations_start((unsigned)config->http.compute_threads,
                                config->http.max_computations, &service->computations, err);
    if (status != OK)
        return status;
    HttpOptions http = {.listen = config->http.listen,
                        .metrics_listen = config->http.metrics_listen,
                        .threads = (unsigned)config->http.request_threads,
                        .max_connections = config->http.max_connections,
                        .request_seconds = config->http.request_timeout,
                        .answer_seconds = config->http.write_timeout,
                        .compute_seconds = config->http.compute_timeout,
                        .computations = service->computations,
                        .memory = &service->requests,
                        .api = &service->api,
                        .waiters = service->waiters,
                        .metrics = &service->metrics,
                        .log = &service->log,
                        .proxies = &service->access.proxies};
    status = http_open(&http, &service->http, err);
    if (status != OK)
        return status;
    service_fill_context(service);
    status = open_webhooks(service, err);
    if (status != OK)
        return status;
    /* start the workers before the first request comes in */
    WorkersOptions workers = {.count = (unsigned)config->jobs.workers,
                              .nice = (int)config->jobs.worker_nice,
                              .store = service->store,
                              .setting = &service->api.setting,
                              .metrics = &service->metrics,
                              .log = &service->log,
                              .self = service,
                              .job_changed = service_job_changed};
    status = workers_start(&workers, &service->workers, err);
    if (status == OK)
        status = http_start(service->http, err);
    return status;
}

void service_close(Service *service)
{
    atomic_store(&service->state, API_HOST_DRAINING);
    if (service->http)
        http_refuse_new(service->http);
    workers_stop(service->workers, service->config.shutdown_grace);
    webhooks_stop(service->webhooks, service->config.shutdown_grace);
    if (service->waiters)
        waiters_close(service->waiters);
    if (service->http)
        http_stop(service->http, ANSWER_SECONDS);
    computations_free(service->computations);
    http_free(service->http); /* no more requests */
    webhooks_free(service->webhooks);
    workers_free(service->workers);
    waiters_free(service->waiters);
    resource_cache_free(service->resources);
    printed_cache_free(service->printed);
    prepared_jobs_free(service->prepared);
    compiled_cache_free(service->cache);
    keyring_note_uses(service->keyring, service->store);
    keyring_free(service->keyring);
    if (service->store)
        store_close(service->store);
    metrics_done(&service->metrics);
}
