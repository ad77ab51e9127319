/* One thread with libcurl's multi interface: many calls at a time, a bounded number for each
 * origin. Each round begins due notifications, lets libcurl work, and stores the outcome of ended
 * calls. */
#include "server/notify/webhooks.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

/* Calls at a time: of all tenants and for one origin. One tenant alone has half of the first; fewer
 * than 16 dead origins delay none of its others. */
enum { CALLS = 64, CALLS_OF_ORIGIN = 2 };
/* Reads of up to CALLS due notifications in one look; the next look goes on behind them. */
enum { READS = 64 };

#define PAUSE_SECONDS 0.02  /* between two looks for due notifications: jobs end in crowds */
#define IDLE_SECONDS 5.0    /* between two looks if none is known to be due */
#define CROWDED_SECONDS 1.0 /* .. if a due notification found no room */
#define STORE_SECONDS 1.0   /* between two tries of a store that has failed */
#define WAIT_MOST 21600.0   /* between two attempts */

typedef struct Slot {
    Call call;
    int64_t tenant; /* of the job */
    bool busy, ended;
    CURLcode code; /* outcome of libcurl */
} Slot;

struct Webhooks {
    WebhooksOptions options;
    CURLM *multi;
    pthread_t thread;
    bool running;
    Slot slots[CALLS];
    char last_origin[CALL_ORIGIN_MAX]; /* the origin begun last; the others follow */
    double looked_at, look_at;         /* the last and the next look for due notifications */
    double store_at;                   /* the next try to store outcomes */
    atomic_bool woken;
    _Atomic double stop_at; /* INFINITY: not yet */
    atomic_uint_fast64_t under_way, delivered, failed, given_up;
};

static void tell(const Webhooks *webhooks, LogLevel level, const char *event, const Slot *slot,
                 const char *why)
{
    const Call *call = &slot->call;
    const TenantStore of = {webhooks->options.store, slot->tenant};
    const JobTrace sent = {call->request_id, call->traceparent};
    char origin[LOG_QUOTE_MAX], reason[LOG_QUOTE_MAX], trace[TRACE_FIELDS_MAX];
    log_event(webhooks->options.log, level, event, "job=%s to=%s attempt=%u reason=%s%s",
              call->job_id, log_quote(call->origin, origin), call->attempts, log_quote(why, reason),
              trace_fields(of, &sent, trace));
}

/* Beginning. */

static bool is_under_way(const Webhooks *webhooks, const char *job_id)
{
    for (size_t i = 0; i < CALLS; i++)
        if (webhooks->slots[i].busy && strcmp(webhooks->slots[i].call.job_id, job_id) == 0)
            return true;
    return false;
}

static size_t calls_to(const Webhooks *webhooks, const char *origin)
{
    size_t n = 0;
    for (size_t i = 0; i < CALLS; i++)
        n += webhooks->slots[i].busy && strcmp(webhooks->slots[i].call.origin, origin) == 0;
    return n;
}

/* A tenant has at most half of the slots that the others leave, so that there is room for another
 * tenant. */
static bool has_share(const Webhooks *webhooks, int64_t tenant)
{
    size_t own = 0, others = 0;
    for (size_t i = 0; i < CALLS; i++) {
        const Slot *slot = &webhooks->slots[i];
        own += slot->busy && slot->tenant == tenant;
        others += slot->busy && slot->tenant != tenant;
    }
    return 2 * own < CALLS - others;
}

static Slot *free_slot(Webhooks *webhooks)
{
    for (size_t i = 0; i < CALLS; i++)
        if (!webhooks->slots[i].busy)
            return &webhooks->slots[i];
    return NULL;
}

static Status begin(Webhooks *webhooks, Slot *slot, const DueCall *due, Error *err)
{
    const Status status =
        call_begin(&slot->call, webhooks->multi, &webhooks->options.call, due, err);
    if (status != OK)
        return status;
    slot->tenant = due->tenant_number;
    slot->busy = true;
    slot->ended = false;
    atomic_fetch_add(&webhooks->under_way, 1);
    return OK;
}

/* Begins calls of the next origins while there is room; *ret_last: it has reached the last
 * origin. */
static Status begin_some(Webhooks *webhooks, Arena *arena, bool *ret_last, Error *err)
{
    DueCall *due;
    size_t n = 0;
    /* find due notifications */
    Status status = store_calls_due(webhooks->options.store, clock_unix_ms(), webhooks->last_origin,
                                    CALLS_OF_ORIGIN, CALLS, arena, &due, &n, err);
    if (status != OK)
        return status;
    /* begin those with a free slot */
    for (size_t k = 0; k < n && status == OK; k++) {
        Slot *slot = free_slot(webhooks);
        if (!slot)
            break;
        snprintf(webhooks->last_origin, sizeof webhooks->last_origin, "%s", due[k].origin);
        if (!is_under_way(webhooks, due[k].job_id) &&
            calls_to(webhooks, due[k].origin) < CALLS_OF_ORIGIN &&
            has_share(webhooks, due[k].tenant_number))
            status = begin(webhooks, slot, &due[k], err);
    }
    *ret_last = n < CALLS;
    return status;
}

/* Goes once around all origins, while there is room, but not beyond READS. */
static Status begin_due(Webhooks *webhooks, Error *err)
{
    Arena scratch = {0};
    Status status = OK;
    bool last = false;
    int rounds = 0; /* visits of the last origin; the second begins with the first */
    for (int k = 0; k < READS && status == OK && rounds < 2 && free_slot(webhooks); k++) {
        status = begin_some(webhooks, &scratch, &last, err);
        arena_reset(&scratch);
        if (status == OK && last) {
            webhooks->last_origin[0] = '\0';
            rounds++;
        }
    }
    arena_done(&scratch);
    return status;
}

/* A due notification that was not begun hides the time of later ones. */
static double seconds_to_next(const Webhooks *webhooks)
{
    int64_t next = 0;
    if (store_calls_next(webhooks->options.store, &next, NULL) != OK || next == 0)
        return IDLE_SECONDS;
    const double seconds = (double)(next - clock_unix_ms()) / 1e3;
    return seconds > 0 ? fmin(seconds, IDLE_SECONDS) : CROWDED_SECONDS;
}

static void look(Webhooks *webhooks)
{
    Error err = {0};
    char reason[LOG_QUOTE_MAX];
    if (atomic_load(&webhooks->woken))
        webhooks->look_at = fmin(webhooks->look_at, webhooks->looked_at + PAUSE_SECONDS);
    if (clock_seconds() < webhooks->look_at)
        return;
    webhooks->looked_at = clock_seconds();
    atomic_store(&webhooks->woken, false);
    if (begin_due(webhooks, &err) != OK)
        log_event(webhooks->options.log, LOG_ERROR, "webhooks", "reason=%s",
                  log_quote(err.message, reason));
    webhooks->look_at = clock_seconds() + seconds_to_next(webhooks);
}

/* Ending. */

static void collect_ended(Webhooks *webhooks)
{
    CURLMsg *message;
    int more;
    while ((message = webhooks->options.call.lib->multi_info_read(webhooks->multi, &more))) {
        char *self = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        webhooks->options.call.lib->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
        for (size_t i = 0; i < CALLS; i++)
            if (self == (char *)&webhooks->slots[i].call) {
                webhooks->slots[i].ended = true;
                webhooks->slots[i].code = message->data.result;
            }
    }
}

/* 0: no further attempt. */
static int64_t next_attempt(const WebhooksOptions *options, const Call *call, const CallEnd *end,
                            int64_t now)
{
    const double planned = options->retry * ldexp(1.0, (int)call->attempts - 1);
    const double wait = fmin(fmax(planned, end->retry_after), WAIT_MOST);
    const int64_t next = now + (int64_t)(wait * 1e3);
    if (call->attempts >= options->attempts ||
        (double)(next - call->finished_ms) > options->max_age * 1e3)
        return 0;
    return next;
}

static void count(Webhooks *webhooks, const Slot *slot, const CallEnd *end, int64_t next)
{
    if (!*end->error) {
        atomic_fetch_add(&webhooks->delivered, 1);
        tell(webhooks, LOG_DEBUG, "webhook_delivered", slot, "");
        return;
    }
    atomic_fetch_add(&webhooks->failed, 1);
    tell(webhooks, next ? LOG_INFO : LOG_WARNING, next ? "webhook_failed" : "webhook_given_up",
         slot, end->error);
    if (!next)
        atomic_fetch_add(&webhooks->given_up, 1);
}

/* An ended call keeps its slot until its outcome is stored; otherwise it would begin again. */
static void write_ended(Webhooks *webhooks)
{
    MadeCall made[CALLS];
    CallEnd ends[CALLS];
    Slot *slots[CALLS];
    size_t n = 0;
    const int64_t now = clock_unix_ms();
    if (clock_seconds() < webhooks->store_at)
        return;
    for (size_t i = 0; i < CALLS; i++) {
        Slot *slot = &webhooks->slots[i];
        if (!slot->busy || !slot->ended)
            continue;
        slots[n] = slot;
        ends[n] = call_end(&slot->call, slot->code);
        made[n] = (MadeCall){
            .status = ends[n].status,
            .error = *ends[n].error ? ends[n].error : NULL,
            .made_ms = now,
            .next_ms = next_attempt(&webhooks->options, &slot->call, &ends[n], now),
        };
        memcpy(made[n].job_id, slot->call.job_id, sizeof made[n].job_id);
        n++;
    }
    if (n == 0)
        return;
    if (store_calls_made(webhooks->options.store, made, n, NULL) != OK) {
        webhooks->store_at = clock_seconds() + STORE_SECONDS;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        count(webhooks, slots[k], &ends[k], made[k].next_ms);
        call_done(&slots[k]->call, webhooks->multi);
        slots[k]->busy = false;
        atomic_fetch_sub(&webhooks->under_way, 1);
    }
    webhooks->look_at = 0; /* there is room */
}

/* The thread. */

static bool is_over(Webhooks *webhooks)
{
    const double stop_at = atomic_load(&webhooks->stop_at);
    return !isinf(stop_at) &&
           (atomic_load(&webhooks->under_way) == 0 || clock_seconds() >= stop_at);
}

static void *webhooks_main(void *argument)
{
    Webhooks *webhooks = argument;
    int running;
    while (!is_over(webhooks)) {
        const double stop_at = atomic_load(&webhooks->stop_at);
        if (isinf(stop_at))
            look(webhooks);
        webhooks->options.call.lib->multi_perform(webhooks->multi, &running);
        collect_ended(webhooks);
        write_ended(webhooks);
        /* sleep until data come, a wake-up, or the next time */
        const double until = isinf(stop_at) ? webhooks->look_at : stop_at;
        const double seconds = fmin(fmax(until - clock_seconds(), 0.0), IDLE_SECONDS);
        webhooks->options.call.lib->multi_poll(webhooks->multi, NULL, 0, (int)ceil(1e3 * seconds),
                                               NULL);
    }
    return NULL;
}

Status webhooks_start(const WebhooksOptions *options, Webhooks **ret_webhooks, Error *err)
{
    const Curl *lib;
    const Status status = curl_load(&lib, err);
    if (status != OK)
        return status;
    Webhooks *webhooks = calloc(1, sizeof *webhooks);
    if (!webhooks || lib->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(webhooks);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    /* set up libcurl */
    webhooks->options = *options;
    webhooks->options.call.lib = lib;
    webhooks->multi = lib->multi_init();
    atomic_store(&webhooks->stop_at, INFINITY);
    /* start the thread */
    int failed =
        webhooks->multi ? pthread_create(&webhooks->thread, NULL, webhooks_main, webhooks) : ENOMEM;
    webhooks->running = failed == 0;
    if (failed == 0) {
        *ret_webhooks = webhooks;
        return OK;
    }
    webhooks_free(webhooks);
    return error_set(err, ERR_INTERNAL, "cannot start the webhooks: %s", strerror(failed));
}

void webhooks_wake(Webhooks *webhooks)
{
    if (webhooks && !atomic_exchange(&webhooks->woken, true))
        webhooks->options.call.lib->multi_wakeup(webhooks->multi);
}

WebhooksCounts webhooks_counts(const Webhooks *webhooks)
{
    return (WebhooksCounts){.under_way = atomic_load(&webhooks->under_way),
                            .delivered = atomic_load(&webhooks->delivered),
                            .failed = atomic_load(&webhooks->failed),
                            .given_up = atomic_load(&webhooks->given_up)};
}

void webhooks_stop(Webhooks *webhooks, double grace)
{
    if (!webhooks || !webhooks->running)
        return;
    atomic_store(&webhooks->stop_at, clock_seconds() + grace);
    webhooks->options.call.lib->multi_wakeup(webhooks->multi);
    pthread_join(webhooks->thread, NULL);
    webhooks->running = false;
}

void webhooks_free(Webhooks *webhooks)
{
    if (!webhooks)
        return;
    for (size_t i = 0; i < CALLS; i++)
        call_done(&webhooks->slots[i].call, webhooks->multi);
    webhooks->options.call.lib->multi_cleanup(webhooks->multi);
    webhooks->options.call.lib->global_cleanup();
    free(webhooks);
}
