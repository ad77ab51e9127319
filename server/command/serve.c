/* dalembert serve: builds the daemon from its configuration, runs it until a signal and takes it
 * apart in reverse order. */
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "api/prepared_jobs.h"
#include "core/base/clock.h"
#include "core/program/program.h"
#include "server/command/commands.h"
#include "server/command/data_directory.h"
#include "server/config.h"
#include "server/descriptors.h"
#include "server/http/host_rules.h"
#include "server/http/http.h"
#include "server/http/waiters.h"
#include "server/keys.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/notify/webhooks.h"
#include "server/origin.h"
#include "server/process_metrics.h"
#include "server/store_metrics.h"
#include "server/systemd.h"
#include "server/trace.h"
#include "server/work/retention.h"
#include "server/work/workers.h"

enum { PRINTED_MAX = 16, RESOURCES_MAX = 2048, ORIGINS_MAX = 32, LIMITS_MAX = 64 };

/* Time to answer the requests in flight after the jobs have been put back. */
static const double ANSWER_SECONDS = 3.0;

/* The use of the disk that is logged as a warning, and the interval of the checks. */
static const double DISK_WARNING = 0.9;
enum { WATCH_SECONDS = 1, NOTE_USES_SECONDS = 60 };

enum { LARGE_BLOCK_BYTES = 1 << 20, KEPT_BYTES = 2 << 20 };

/* The accepted host names, and the proxies whose header fields are trusted. */
typedef struct Access {
    HostRules hosts;
    IpRules proxies;
} Access;

/* The whole daemon; everything lives as long as the process serves. */
typedef struct Service {
    Config config;
    Log log;
    Metrics metrics;
    Store *store;
    Keyring *keyring; /* NULL: without keys */
    CompiledCache *cache;
    PreparedJobs *prepared;
    PrintedCache *printed;
    ResourceCache *resources;
    Waiters *waiters;
    Computations *computations;
    Workers *workers;
    Http *http;
    ApiContext api;
    Origin origin;
    Budget requests, downloads; /* memory */
    atomic_int state;           /* ApiHostState */
    const char *origins[ORIGINS_MAX];
    size_t n_origins;
    ApiLimit limits[LIMITS_MAX];
    Access access;
    WebhookRules webhook_rules;
    Secrets secrets;
    Webhooks *webhooks; /* NULL: they are off */
} Service;

static void on_job_added(void *self, const char *job_id)
{
    Service *service = self;
    workers_wake(service->workers);
    waiters_changed(service->waiters, job_id, false);
}

static void on_job_changed(void *self, const char *job_id, bool done)
{
    Service *service = self;
    waiters_changed(service->waiters, job_id, done);
    if (done)
        webhooks_wake(service->webhooks);
}

static void on_job_reused(void *self, const JobRecord *job)
{
    Service *service = self;
    atomic_fetch_add(&service->metrics.jobs_succeeded, 1);
    on_job_changed(self, job->id, true);
    char trace[TRACE_FIELDS_MAX];
    log_event(&service->log, LOG_INFO, "job", "id=%s state=succeeded reused=%s rows=%llu%s",
              job->id, job->reused.job, (unsigned long long)job->rows,
              trace_fields(&job->trace, trace));
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
              trace_fields(&req->trace, trace));
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

static Status split_origins(Service *service, Error *err)
{
    char *list = arena_strdup(service->config.arena, service->config.http.cors_origins);
    char *rest = NULL;
    if (!list)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (char *item = strtok_r(list, ", ", &rest); item; item = strtok_r(NULL, ", ", &rest)) {
        if (!strstr(item, "://"))
            return error_set(err, ERR_INVALID,
                             "cors-origin: \"%.80s\" is no origin, such as https://example.org",
                             item);
        if (service->n_origins == ORIGINS_MAX)
            return error_set(err, ERR_INVALID, "cors-origin: more than %d origins", ORIGINS_MAX);
        service->origins[service->n_origins++] = item;
    }
    return OK;
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

static void fill_context(Service *service)
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
        .host = {service, on_job_added, on_job_changed, on_job_progress, on_state, on_metrics,
                 on_pace, on_failed, on_unauthorized, on_keys_changed, on_job_reused},
        .origins = service->origins,
        .n_origins = service->n_origins,
        .hosts = service->access.hosts,
    };
}

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

static Status check_access(Service *service, Error *err)
{
    const Config *config = &service->config;
    const char *auth = config->http.auth;
    Address address;
    Status status = OK;
    /* the addresses of both listeners */
    if (*config->http.metrics_listen)
        status = address_parse(config->http.metrics_listen, &address, err);
    if (status != OK)
        error_prefix(err, "metrics-listen");
    else
        status = address_parse(config->http.listen, &address, err);
    if (status != OK)
        return status;
    /* whether they fit the kind of access */
    if (strcmp(auth, "none") != 0 && strcmp(auth, "loopback") != 0 && strcmp(auth, "keys") != 0)
        return error_set(err, ERR_INVALID, "auth must be loopback, keys or none, not \"%.40s\"",
                         auth);
    if (*config->http.first_key_file && strcmp(auth, "keys") != 0)
        return error_set(
            err, ERR_INVALID,
            "first-key-file has no effect with --auth %s: set --auth keys, or leave it "
            "out",
            auth);
    if (!address.loopback && strcmp(auth, "loopback") == 0)
        return error_set(
            err, ERR_INVALID,
            "%s can be reached from other machines: set --auth keys to let clients with "
            "a key use the service, or --auth none to let everybody use it, or bind a "
            "loopback address",
            config->http.listen);
    /* the proxies and the names of the service */
    status =
        ip_rules_read(config->http.trusted_proxies, config->arena, &service->access.proxies, err);
    if (status != OK) {
        error_prefix(err, "trusted-proxies");
        return status;
    }
    return host_rules_make(config->http.hosts, config->http.listen, &address, config->arena,
                           &service->access.hosts, err);
}

static Status check_webhooks(Service *service, Error *err)
{
    const Config *config = &service->config;
    if (strcmp(config->webhooks.mode, "on") != 0 && strcmp(config->webhooks.mode, "off") != 0)
        return error_set(err, ERR_INVALID, "webhooks must be on or off, not \"%.40s\"",
                         config->webhooks.mode);
    service->webhook_rules.on = strcmp(config->webhooks.mode, "on") == 0;
    Status status =
        ip_rules_read(config->webhooks.allow, config->arena, &service->webhook_rules.ips, err);
    if (status != OK)
        error_prefix(err, "webhook-allow");
    else if (*config->webhooks.secret_file)
        status = secrets_read(config->webhooks.secret_file, &service->secrets, err);
    return status;
}

/* Checks the settings alone, without the resources of this machine. */
static Status check_settings(Service *service, Error *err)
{
    const Config *config = &service->config;
    if (!log_level_parse(config->log_level, &service->log.level))
        return error_set(err, ERR_INVALID, "log-level must be error, warning, info or debug");
    if (!log_format_parse(config->log_format, &service->log.format))
        return error_set(err, ERR_INVALID, "log-format must be logfmt or json, not \"%.40s\"",
                         config->log_format);
    if (strcmp(config->store.upgrade, "plain") != 0 && strcmp(config->store.upgrade, "copy") != 0)
        return error_set(err, ERR_INVALID, "upgrade must be plain or copy, not \"%.40s\"",
                         config->store.upgrade);
    if (!program_use_evaluator(config->evaluator))
        return error_set(err, ERR_INVALID, "evaluator must be native or interpreter, not \"%.40s\"",
                         config->evaluator);
    Status status = split_origins(service, err);
    if (status == OK)
        status = check_webhooks(service, err);
    return status == OK ? check_access(service, err) : status;
}

Status serve_check(const Config *config, Error *err)
{
    Service *service = calloc(1, sizeof *service);
    if (!service)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    service->config = *config;
    const Status status = check_settings(service, err);
    free(service);
    return status;
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

static Status open_all(Service *service, Error *err)
{
    const Config *config = &service->config;
    Status status = metrics_init(&service->metrics, err);
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
    fill_context(service);
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
                              .job_changed = on_job_changed};
    status = workers_start(&workers, &service->workers, err);
    if (status == OK)
        status = http_start(service->http, err);
    return status;
}

/* Refuses new connections at once. Running jobs have the grace period, then go back to the queue.
 * Then every waiting request is answered, and the store is closed. */
static void close_all(Service *service)
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

static void greet(const Service *service)
{
    char address[ADDRESS_TEXT_MAX];
    address_format(http_address(service->http), address);
    printf("dalembert %s listens on http://%s\n", DALEMBERT_VERSION, address);
    printf("data directory %s, %llu worker thread%s; Ctrl-C stops\n", service->config.store.data,
           (unsigned long long)service->config.jobs.workers,
           service->config.jobs.workers == 1 ? "" : "s");
    printf("try: curl http://%s/v1/catalog\n", address);
    fflush(stdout);
}

/* Without a trusted proxy, nothing is known that encrypts the keys on their way. */
static void warn_of_plaintext(const Service *service)
{
    if (service->keyring && !http_address(service->http)->loopback &&
        service->access.proxies.n_allowed == 0)
        log_event(&service->log, LOG_WARNING, "plaintext", "reason=\"%s\"",
                  "keys travel unencrypted: use a proxy with TLS, and set --trusted-proxies");
}

static void exit_at_once(int signal_number)
{
    _exit(128 + signal_number);
}

/* Logs when the disk fills, and when it has room again; once each. */
static void watch_disk(const Service *service, bool *low)
{
    StoreSpace space;
    if (store_space(service->store, &space, NULL) != OK || space.total == 0)
        return;
    const bool is_low = (double)space.free < (1.0 - DISK_WARNING) * (double)space.total ||
                        space.free < 2 * service->config.store.disk_reserve;
    if (is_low != *low)
        log_event(&service->log, is_low ? LOG_WARNING : LOG_INFO, is_low ? "disk_low" : "disk_fine",
                  "free=%llu total=%llu reserve=%llu", (unsigned long long)space.free,
                  (unsigned long long)space.total,
                  (unsigned long long)service->config.store.disk_reserve);
    *low = is_low;
}

/* Ends queued jobs whose latest start has passed, and wakes the requests that wait for them. While
 * writes fail these jobs stay in the queue, and no worker begins them. */
static void watch_queue(Service *service)
{
    ExpiredJob *jobs;
    Arena scratch = {0};
    size_t n = 0;
    if (store_jobs_expire(service->store, &scratch, &jobs, &n, NULL) != OK)
        n = 0;
    for (size_t k = 0; k < n; k++) {
        metrics_job_failed(&service->metrics, "expired");
        char trace[TRACE_FIELDS_MAX];
        on_job_changed(service, jobs[k].id, true);
        log_event(&service->log, LOG_INFO, "job", "id=%s state=failed reason=expired%s", jobs[k].id,
                  trace_fields(&jobs[k].trace, trace));
    }
    arena_done(&scratch);
}

/* As if somebody had deleted the job over HTTP. */
static void on_job_retired(void *self, const char *job_id)
{
    Service *service = self;
    resource_cache_forget(service->resources, job_id);
    on_job_changed(service, job_id, true);
}

static Retention retention_of(Service *service)
{
    const StoreConfig *store = &service->config.store;
    return (Retention){.store = service->store,
                       .keep = {.done_ms = (int64_t)(store->keep * 1e3),
                                .failed_ms = (int64_t)(store->keep_failed * 1e3),
                                .bytes = store->keep_bytes},
                       .log = &service->log,
                       .metrics = &service->metrics,
                       .self = service,
                       .deleted = on_job_retired};
}

/* Returns large blocks to the system at once. The thresholds are fixed, because by default they
 * grow with the freed blocks, up to 32 MiB. A heap keeps some memory, because new pages for each
 * block of a download cost more than its numbers. */
static void keep_little(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

/* Waits for SIGTERM or SIGINT and returns it; a second signal ends the process at once. */
static int wait_for_signal(Service *service, const sigset_t *signals)
{
    const struct timespec pause = {.tv_sec = WATCH_SECONDS};
    Retention retention = retention_of(service);
    bool low = false;
    int number;
    double noted = clock_seconds();
    const double watchdog = systemd_watchdog_seconds();
    /* watch the disk and the queue until the signal */
    do {
        /* systemd restarts a service whose disk does not answer for so long */
        if (watchdog > 0 && store_busy_seconds(service->store) < watchdog / 2)
            systemd_notify("WATCHDOG=1");
        watch_disk(service, &low);
        watch_queue(service);
        retention_step(&retention);
        if (clock_seconds() - noted >= NOTE_USES_SECONDS) {
            keyring_note_uses(service->keyring, service->store);
            noted = clock_seconds();
        }
        number = sigtimedwait(signals, NULL, &pause);
        if (number == SIGHUP)
            log_event(&service->log, LOG_INFO, "reload", "%s",
                      "nothing=\"no certificate, no keys\"");
    } while (number < 0 || number == SIGHUP);
    log_event(&service->log, LOG_INFO, "draining", "signal=%d", number);
    /* from now on a signal ends the process */
    struct sigaction action = {.sa_handler = exit_at_once};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGHUP, SIG_IGN);
    pthread_sigmask(SIG_UNBLOCK, signals, NULL);
    return number;
}

/* Serves everything on, but /readyz answers 503, so that a balancer sends its requests elsewhere
 * before connections are refused. Only after SIGTERM: Ctrl-C comes from a terminal. */
static void take_leave(Service *service, int signal_number)
{
    const double until = clock_seconds() + service->config.drain_delay;
    if (signal_number != SIGTERM)
        return;
    atomic_store(&service->state, API_HOST_LEAVING);
    for (double left = until - clock_seconds(); left > 0.0; left = until - clock_seconds())
        poll(NULL, 0, (int)(1000.0 * fmin(left, 1.0)) + 1);
}

static int serve(Service *service)
{
    Error err = {0};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* inherited by every thread */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit fails one write, not the process */
    keep_little();

    Status status = fit_descriptors(service, &err);
    if (status == OK)
        status = open_all(service, &err);
    if (status == OK) {
        greet(service);
        warn_of_plaintext(service);
        log_event(&service->log, LOG_INFO, "started", "workers=%llu request_threads=%llu",
                  (unsigned long long)service->config.jobs.workers,
                  (unsigned long long)service->config.http.request_threads);
        systemd_notify("READY=1");
        const int number = wait_for_signal(service, &signals);
        systemd_notify("STOPPING=1");
        take_leave(service, number);
    } else {
        fprintf(stderr, "dalembert serve: %s\n", err.message);
    }
    close_all(service);
    if (status == OK)
        log_event(&service->log, LOG_INFO, "stopped", "%s", "clean=true");
    return status == OK ? 0 : status == ERR_INVALID ? 2 : 1;
}

static void print_text(void (*write)(const Config *config, Text *out), const Config *config)
{
    Text text = TEXT_INIT;
    write(config, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void warn_of_variables(void)
{
    Text text = TEXT_INIT;
    config_stray_variables(&text);
    char *rest = NULL;
    for (char *line = text.data ? strtok_r(text.data, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        fprintf(stderr, "dalembert serve: warning: %s\n", line);
    text_done(&text);
}

static void write_help(const Config *config, Text *out)
{
    (void)config;
    text_puts(out,
              "usage: dalembert serve [FLAGS]\n\n"
              "Runs the daemon until SIGTERM or Ctrl-C. Each flag may also be set by the\n"
              "environment variable in brackets, or by a line of the --config file. SIZE is in\n"
              "bytes, or in K, M or G, powers of 1024 (8M, 8MB and 8MiB are the same).\n\n");
    config_help(out);
    text_puts(out,
              "  --accept-loss               start although commits are lost with a damaged or\n"
              "                              missing write-ahead log; for one start\n"
              "  --print-config              print the configuration in force and exit\n"
              "  --check-config              check the configuration and exit\n");
}

int command_serve(int argc, char **argv)
{
    Service *service = calloc(1, sizeof *service);
    Error err = {0};
    ConfigAction action = CONFIG_RUN;
    int code = 0;
    if (!service)
        return 1;
    service->log.fd = STDERR_FILENO;
    /* load and check the configuration */
    Status status = config_init(&service->config, &err);
    if (status == OK)
        status = config_load(&service->config, argc, argv, &action, &err);
    if (status == OK && (action == CONFIG_RUN || action == CONFIG_CHECK))
        status = check_settings(service, &err);
    warn_of_variables();
    /* report a mistake, print, or run */
    if (status != OK) {
        fprintf(stderr, "dalembert serve: %s\n", err.message);
        code = 2;
    } else if (action == CONFIG_HELP) {
        print_text(write_help, &service->config);
    } else if (action == CONFIG_PRINT) {
        print_text(config_print, &service->config);
    } else if (action == CONFIG_CHECK) {
        puts("the configuration is fine");
    } else {
        code = serve(service);
    }
    config_done(&service->config);
    free(service);
    return code;
}
