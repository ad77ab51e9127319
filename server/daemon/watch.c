/* The work of the main thread while the others serve. */
#include <signal.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "server/daemon/service.h"
#include "server/systemd.h"
#include "server/trace.h"
#include "server/work/retention.h"

/* The use of the disk that is logged as a warning, and the interval of the checks. */
static const double DISK_WARNING = 0.9;
enum { WATCH_SECONDS = 1, NOTE_USES_SECONDS = 60 };

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
        service_job_changed(service, jobs[k].id, true);
        const TenantStore of = {service->store, jobs[k].tenant};
        log_event(&service->log, LOG_INFO, "job", "id=%s state=failed reason=expired%s", jobs[k].id,
                  trace_fields(of, &jobs[k].trace, trace));
    }
    arena_done(&scratch);
}

/* As if somebody had deleted the job over HTTP. */
static void on_job_retired(void *self, const char *job_id)
{
    Service *service = self;
    resource_cache_forget(service->resources, job_id);
    service_job_changed(service, job_id, true);
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

static void exit_at_once(int signal_number)
{
    _exit(128 + signal_number);
}

int service_watch(Service *service, const sigset_t *signals)
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
