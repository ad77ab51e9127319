/* The daemon as one object: its parts, their start in order and their end in reverse order. */
#ifndef SERVER_DAEMON_SERVICE_H
#define SERVER_DAEMON_SERVICE_H

#include <signal.h>
#include <stdatomic.h>

#include "api/prepared_jobs.h"
#include "server/config.h"
#include "server/http/host_rules.h"
#include "server/http/http.h"
#include "server/http/waiters.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/notify/webhooks.h"
#include "server/origin.h"
#include "server/work/workers.h"

enum { ORIGINS_MAX = 32, LIMITS_MAX = 64 };

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

/* Checks the settings alone, without the resources of this machine, and sets what follows from them
 * (settings.c). ERR_INVALID. */
Status service_check(Service *service, Error *err) MUST_CHECK;

/* Opens the store and starts all threads; requests are served from then on (open.c). On failure
 * call service_close() all the same. */
Status service_open(Service *service, Error *err) MUST_CHECK;
/* Refuses new connections at once. Running jobs have the grace period, then go back to the queue.
 * Then every waiting request is answered, and the store is closed. */
void service_close(Service *service);

/* The daemon as the handlers of requests see it: fills service->api (host.c). */
void service_fill_context(Service *service);
/* A job of this id has changed: wakes those who wait for it. self: the service. */
void service_job_changed(void *self, const char *job_id, bool done);

/* Does the work that is due each second, until one of these signals comes, and returns it: the
 * disk, jobs that expire, retention, the uses of keys, the watchdog of systemd (watch.c). */
int service_watch(Service *service, const sigset_t *signals);

#endif
