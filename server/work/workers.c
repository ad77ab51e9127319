/* The worker threads: each claims a job, runs it, and puts it back if its end cannot be stored or
 * the daemon stops. */
#include "server/work/workers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "server/trace.h"
#include "server/work/background.h"
#include "server/work/unit_run.h"

enum { RUN_MEMORY = 512 * 1024 * 1024 };

static const char DERIVING[] = "deriving"; /* the first phase */
static const double POLL_SECONDS = 1.0;
static const double COMPLAINT_SECONDS = 10.0; /* between two log lines about claims */

typedef struct Worker {
    struct Workers *pool;
    pthread_t thread;
    char job_id[JOB_ID_MAX]; /* empty: idle */
    double started;
    JobProgress progress;
    UnitRunner *runner; /* of its thread; made for its first ensemble */
} Worker;

/* `lock` guards everything below it and the workers' members. */
struct Workers {
    WorkersOptions options;
    atomic_bool grace_over; /* running jobs go back to the queue */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Worker *workers;
    char complaint[sizeof((Error *)0)->message]; /* last failure of a claim; empty: they work */
    double complained;                           /* its time; 0: never */
    unsigned started;                            /* threads */
    uint64_t added; /* number of added jobs, so that none is missed between a claim and a wait */
    bool stopping;
    unsigned busy;
    double job_seconds; /* see workers_job_seconds() */
};

static void set_progress(void *self, const char *phase, double fraction, double t, uint64_t steps)
{
    Worker *worker = self;
    double seconds = clock_seconds() - worker->started;
    pthread_mutex_lock(&worker->pool->lock);
    JobProgress *progress = &worker->progress;
    progress->phase = phase;
    if (fraction >= 0.0)
        progress->fraction = fraction;
    progress->t = t;
    progress->steps = steps;
    progress->eta_s = progress->fraction > 0.001
                          ? seconds * (1.0 - progress->fraction) / progress->fraction
                          : -1.0;
    pthread_mutex_unlock(&worker->pool->lock);
}

static void set_members(void *self, double members_per_second, uint64_t unstored)
{
    Worker *worker = self;
    pthread_mutex_lock(&worker->pool->lock);
    worker->progress.rate = members_per_second;
    worker->progress.unstored = unstored;
    pthread_mutex_unlock(&worker->pool->lock);
}

/* The origin of a job, for the log. */
static const char *lease_fields(const Workers *pool, const JobLease *lease,
                                char ret[TRACE_FIELDS_MAX])
{
    return trace_fields((TenantStore){pool->options.store, lease->tenant}, &lease->job.trace, ret);
}

static void worker_enter(Worker *worker, const JobLease *lease)
{
    Workers *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    memcpy(worker->job_id, lease->job.id, sizeof worker->job_id);
    worker->started = clock_seconds();
    worker->progress = (JobProgress){.phase = DERIVING, .eta_s = -1.0};
    pool->busy++;
    pthread_mutex_unlock(&pool->lock);
    char trace[TRACE_FIELDS_MAX];
    log_event(pool->options.log, LOG_DEBUG, "job", "id=%s state=running attempt=%u%s",
              lease->job.id, lease->job.attempt, lease_fields(pool, lease, trace));
}

static void worker_leave(Worker *worker)
{
    Workers *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    worker->job_id[0] = '\0';
    pool->busy--;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

/* Estimates the time of the next jobs from the last ones. */
static void workers_learn(Workers *pool, double seconds)
{
    static const double SHARE = 0.1;
    pthread_mutex_lock(&pool->lock);
    pool->job_seconds =
        pool->job_seconds > 0 ? (1 - SHARE) * pool->job_seconds + SHARE * seconds : seconds;
    pthread_mutex_unlock(&pool->lock);
}

static void count_outcome(Metrics *metrics, const JobOutcome *outcome, double seconds)
{
    atomic_fetch_add(&metrics->job_us, (uint_fast64_t)(seconds * 1e6));
    atomic_fetch_add(&metrics->rows, outcome->rows);
    if (outcome->released)
        atomic_fetch_add(&metrics->jobs_released, 1);
    else if (outcome->state == JOB_SUCCEEDED)
        atomic_fetch_add(&metrics->jobs_succeeded, 1);
    else if (outcome->state == JOB_FAILED)
        metrics_job_failed(metrics, outcome->reason);
    else
        atomic_fetch_add(&metrics->jobs_cancelled, 1);
}

static void log_outcome(const Workers *pool, const JobLease *lease, const JobOutcome *outcome,
                        double seconds)
{
    char trace[TRACE_FIELDS_MAX];
    log_event(pool->options.log, LOG_INFO, "job",
              "id=%s state=%s%s%s attempt=%u rows=%llu ms=%.2f%s", lease->job.id,
              outcome->released ? "released" : job_state_name(outcome->state),
              *outcome->reason ? " reason=" : "", outcome->reason, lease->job.attempt,
              (unsigned long long)outcome->rows, seconds * 1e3, lease_fields(pool, lease, trace));
}

/* Sleeps until a job is added beyond those seen (NULL: by anything), for POLL_SECONDS at most. */
static void workers_rest(Workers *pool, const uint64_t *seen)
{
    struct timespec until;
    clock_timespec(clock_seconds() + POLL_SECONDS, &until);
    pthread_mutex_lock(&pool->lock);
    int code = 0;
    while (!pool->stopping && (!seen || pool->added == *seen) && code == 0)
        code = pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
    pthread_mutex_unlock(&pool->lock);
}

/* A failure of the store, at a job's end or, if there is no job, at a claim. */
static void workers_complain(const Workers *pool, const char *event, const JobLease *lease,
                             const Error *err)
{
    char text[LOG_QUOTE_MAX], trace[TRACE_FIELDS_MAX] = "";
    log_event(pool->options.log, LOG_ERROR, event, "reason=%s%s%s%s", log_quote(err->message, text),
              lease ? " id=" : "", lease ? lease->job.id : "",
              lease ? lease_fields(pool, lease, trace) : "");
}

/* Claims are retried all the time. A failure is logged when it begins, changes and ends, but not at
 * each try. */
static void workers_note_claims(Workers *pool, const Error *err)
{
    const char *message = err ? err->message : "";
    const double now = clock_seconds();
    pthread_mutex_lock(&pool->lock);
    const bool news = strcmp(pool->complaint, message) != 0 &&
                      (pool->complained == 0.0 || now - pool->complained >= COMPLAINT_SECONDS);
    if (news) {
        snprintf(pool->complaint, sizeof pool->complaint, "%s", message);
        pool->complained = now;
    }
    pthread_mutex_unlock(&pool->lock);
    if (news && err)
        workers_complain(pool, "claim_failed", NULL, err);
    else if (news)
        log_event(pool->options.log, LOG_INFO, "claims_work", "%s", "again=true");
}

static bool workers_stopping(Workers *pool)
{
    pthread_mutex_lock(&pool->lock);
    bool stops = pool->stopping;
    pthread_mutex_unlock(&pool->lock);
    return stops;
}

/* A job whose result cannot be stored, perhaps for lack of space, goes back to the queue when the
 * store accepts that. False if the process ends first: then the next process finds the job. */
static bool workers_put_back(Workers *pool, const JobLease *lease)
{
    Status status;
    do {
        workers_rest(pool, NULL);
        status = store_job_release(pool->options.store, lease->job.id, lease->token, NULL);
    } while (status != OK && status != ERR_CONFLICT && !workers_stopping(pool));
    return status == OK;
}

/* NULL: out of memory. */
static UnitRunner *worker_runner(Worker *worker)
{
    if (!worker->runner)
        worker->runner = unit_runner_new();
    return worker->runner;
}

/* Runs members of an ensemble for this worker's turn. Other workers may take part. */
static void worker_run_units(Worker *worker, const JobLease *lease)
{
    Workers *pool = worker->pool;
    const WorkersOptions *options = &pool->options;
    const JobRunContext job = {options->store, options->setting, &pool->grace_over, worker,
                               set_progress};
    UnitRunContext ctx = {.job = &job,
                          .workers = options->count,
                          .metrics = options->metrics,
                          .self = worker,
                          .progress = set_members};
    Error err = {0};
    ctx.runner = worker_runner(worker);
    /* wake other workers, then run units */
    worker_enter(worker, lease);
    workers_wake(pool);
    options->job_changed(options->self, lease->job.id, false);
    Status status =
        ctx.runner ? units_run(&ctx, lease, &err) : error_set(&err, ERR_NO_MEMORY, "out of memory");
    worker_leave(worker);
    options->job_changed(options->self, lease->job.id, false);
    if (status != OK) {
        workers_complain(pool, "members_not_stored", lease, &err);
        workers_rest(pool, NULL);
    }
}

static Status worker_end_ensemble(Worker *worker, const JobRunContext *ctx, const JobLease *lease,
                                  Arena *arena, JobOutcome *ret_outcome, Error *err)
{
    UnitRunner *runner = worker_runner(worker);
    return runner ? ensemble_end(ctx, runner, lease, arena, ret_outcome, err)
                  : error_set(err, ERR_NO_MEMORY, "out of memory");
}

static void worker_run(Worker *worker, const JobLease *lease, Arena *arena)
{
    Workers *pool = worker->pool;
    const WorkersOptions *options = &pool->options;
    JobRunContext ctx = {options->store, options->setting, &pool->grace_over, worker, set_progress};
    JobOutcome outcome = {0};
    Error err = {0};

    worker_enter(worker, lease);
    options->job_changed(options->self, lease->job.id, false);
    Status status = lease->job.members.total
                        ? worker_end_ensemble(worker, &ctx, lease, arena, &outcome, &err)
                        : job_run(&ctx, lease, arena, &outcome, &err);
    double seconds = clock_seconds() - worker->started;

    /* a run that could not be stored is repeated after the next claim */
    if (status != OK)
        workers_complain(pool, "job_not_stored", lease, &err);
    if (status != OK && status != ERR_CONFLICT)
        outcome.released = workers_put_back(pool, lease);
    bool told = status == OK || outcome.released;

    /* counted before waiting requests are woken, logged after: they do not wait for the log */
    if (told)
        count_outcome(options->metrics, &outcome, seconds);
    if (told && !outcome.released && !lease->job.members.total)
        workers_learn(pool, seconds);
    worker_leave(worker);
    options->job_changed(options->self, lease->job.id, true);
    if (told)
        log_outcome(pool, lease, &outcome, seconds);
}

static void *worker_main(void *cls)
{
    Worker *worker = cls;
    Workers *pool = worker->pool;
    Arena *arena = arena_new(RUN_MEMORY);
    background_enter(pool->options.nice);
    while (arena) {
        JobLease lease;
        Error err = {0};
        /* counted before the claim, so that a job added in between is noticed */
        pthread_mutex_lock(&pool->lock);
        uint64_t seen = pool->added;
        pthread_mutex_unlock(&pool->lock);
        if (workers_stopping(pool))
            break;
        arena_reset(arena);
        Status status = store_job_claim(pool->options.store, arena, &lease, &err);
        if (status == OK) {
            workers_note_claims(pool, NULL);
            if (lease.in_units)
                worker_run_units(worker, &lease);
            else
                worker_run(worker, &lease, arena);
            continue;
        }
        workers_note_claims(pool, status == ERR_NOT_FOUND ? NULL : &err);
        workers_rest(pool, status == ERR_NOT_FOUND ? &seen : NULL);
    }
    arena_free(arena);
    unit_runner_free(worker->runner);
    return NULL;
}

static Status start_threads(Workers *pool, Error *err)
{
    for (unsigned i = 0; i < pool->options.count; i++) {
        Worker *worker = &pool->workers[i];
        worker->pool = pool;
        int code = pthread_create(&worker->thread, NULL, worker_main, worker);
        if (code != 0)
            return error_set(err, ERR_IO, "cannot start a worker thread: %s", strerror(code));
        pool->started++;
    }
    return OK;
}

Status workers_start(const WorkersOptions *options, Workers **ret_workers, Error *err)
{
    Workers *pool = calloc(1, sizeof *pool);
    if (!pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* waits use the monotonic clock */
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&pool->lock, NULL);
    pool->options = *options;
    /* start the threads */
    pool->workers = alloc_array(options->count, sizeof *pool->workers);
    Status status =
        pool->workers ? start_threads(pool, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK) {
        workers_stop(pool, 0.0);
        workers_free(pool);
        return status;
    }
    *ret_workers = pool;
    return OK;
}

void workers_wake(Workers *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->added++;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

bool workers_progress(Workers *pool, const char *job_id, JobProgress *ret_progress)
{
    const Worker *first = NULL; /* the farthest: others may still prepare an ensemble */
    double rate = 0.0;
    uint64_t unstored = 0;
    pthread_mutex_lock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++) {
        const Worker *worker = &pool->workers[i];
        if (strcmp(worker->job_id, job_id) != 0)
            continue;
        if (!first || strcmp(first->progress.phase, DERIVING) == 0)
            first = worker;
        rate += worker->progress.rate;
        unstored += worker->progress.unstored;
    }
    if (first)
        *ret_progress = first->progress;
    pthread_mutex_unlock(&pool->lock);
    if (first) {
        ret_progress->rate = rate;
        ret_progress->unstored = unstored;
    }
    return first != NULL;
}

unsigned workers_busy(Workers *pool)
{
    pthread_mutex_lock(&pool->lock);
    unsigned busy = pool->busy;
    pthread_mutex_unlock(&pool->lock);
    return busy;
}

double workers_job_seconds(Workers *pool)
{
    pthread_mutex_lock(&pool->lock);
    const double seconds = pool->job_seconds;
    pthread_mutex_unlock(&pool->lock);
    return seconds;
}

/* With the lock held: waits until no worker is busy, for at most this many seconds. */
static void await_idle(Workers *pool, double seconds)
{
    struct timespec until;
    clock_timespec(clock_seconds() + seconds, &until);
    int code = 0;
    while (pool->busy > 0 && code == 0)
        code = pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
}

void workers_stop(Workers *pool, double grace)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    /* no more claims; running jobs have the grace period, then go back to the queue */
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    await_idle(pool, grace);
    pthread_mutex_unlock(&pool->lock);
    atomic_store(&pool->grace_over, true);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
}

void workers_free(Workers *pool)
{
    if (!pool)
        return;
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}
