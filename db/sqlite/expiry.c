/* Queued jobs whose not_after_ms has passed fail without a run.
 *
 * Expiry takes the job out of the queue in memory first, like a cancellation: from then on no
 * worker can claim it. */
#include <stdio.h>

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"

enum { EXPIRED_AT_ONCE = 1000 };

typedef struct Expiring {
    QueueEntry entry;
    LiveEnsemble *ensemble; /* or NULL */
    bool withdrawn;         /* out of the queue until the outcome is known */
    bool unreadable;        /* its stored state is not queued: the row is damaged */
    JobTrace trace;
} Expiring;

typedef struct ExpireOp {
    WriteOp op;
    Expiring *jobs;
    size_t n;
    Arena *arena;
} ExpireOp;

static void withdraw(Store *store, Expiring *job)
{
    pthread_mutex_lock(&store->mutex);
    job->ensemble = job->entry.ensemble ? live_ensemble_find(store, job->entry.id) : NULL;
    if (!job->entry.ensemble)
        job->withdrawn = queue_remove(queue_of(store, job->entry.tenant), &job->entry);
    else
        job->withdrawn = job->ensemble && live_ensemble_fresh(job->ensemble) &&
                         live_ensemble_withdraw(store, job->ensemble);
    pthread_mutex_unlock(&store->mutex);
}

static Status end_job(Store *store, Expiring *job, Arena *arena, Error *err)
{
    char not_after[CLOCK_TEXT_MAX];
    Query query = query_new(
        &store->writer.connection,
        "UPDATE jobs SET state = 'failed', reason = 'expired', revision = ?2, finished_ms = ?3, "
        "error = json_object('type', '/problems/expired', "
        "'title', 'The job was not begun in time', 'status', 422, "
        "'detail', printf('The job is not to be begun after %s (not_after): until then its turn "
        "had not come.', ?4), 'instance', '/v1/jobs/' || id, 'code', 'expired') "
        "WHERE id = ?1 AND state = 'queued' RETURNING request_id, traceparent");
    clock_format(job->entry.not_after_ms, not_after);
    query_text(&query, 1, job->entry.id);
    query_int(&query, 2, writer_revision(store, job->entry.tenant));
    query_int(&query, 3, clock_unix_ms());
    query_text(&query, 4, not_after);
    /* no row has changed: the stored row is damaged */
    job->unreadable = !query_next(&query);
    if (!job->unreadable)
        job->trace = (JobTrace){.request_id = row_text(&query, 0, arena),
                                .traceparent = row_text(&query, 1, arena)};
    return query_run(&query, err);
}

static Status expire_run(Store *store, WriteOp *op, Error *err)
{
    const ExpireOp *expire = (ExpireOp *)op;
    Status status = OK;
    for (size_t k = 0; k < expire->n && status == OK; k++) {
        withdraw(store, &expire->jobs[k]);
        if (expire->jobs[k].withdrawn)
            status = end_job(store, &expire->jobs[k], expire->arena, err);
    }
    return status;
}

/* A damaged job would expire again and again. It stays behind all others until it is deleted. */
static void leave_out(Store *store, Expiring *job)
{
    Error reason;
    (void)!damage(store, &reason, "job %s cannot be read: its stored state is not queued",
                  job->entry.id);
    if (job->ensemble) {
        live_ensemble_leave_out(store, job->ensemble, &reason);
        return;
    }
    job->entry.attempt = ATTEMPT_LEFT_OUT;
    queue_insert(queue_of(store, job->entry.tenant), &job->entry);
    if (store->n_unreadable++ == 0)
        store->unreadable = reason;
}

static void settle_job(Store *store, Expiring *job, Status status)
{
    if (!job->withdrawn)
        return;
    if (status == OK && job->unreadable)
        leave_out(store, job);
    else if (job->ensemble)
        live_ensemble_cancelled(store, job->ensemble, status, true);
    else if (status == OK)
        queue_unseat(queue_of(store, job->entry.tenant));
    else
        queue_insert(queue_of(store, job->entry.tenant), &job->entry);
}

static void expire_settle(Store *store, WriteOp *op)
{
    const ExpireOp *expire = (ExpireOp *)op;
    for (size_t k = 0; k < expire->n; k++)
        settle_job(store, &expire->jobs[k], op->status);
}

/* The queue entries of the jobs that have expired by now. */
static Status find_expired(Store *store, Arena *arena, Expiring **ret_jobs, size_t *ret_n,
                           Error *err)
{
    const int64_t now = clock_unix_ms();
    *ret_n = 0;
    /* return early if no job has expired */
    pthread_mutex_lock(&store->mutex);
    const bool any = tenants_expire(store, now);
    pthread_mutex_unlock(&store->mutex);
    if (!any)
        return OK;
    QueueEntry *entries = ARENA_NEW(arena, EXPIRED_AT_ONCE, QueueEntry);
    Expiring *jobs = ARENA_NEW(arena, EXPIRED_AT_ONCE, Expiring);
    if (!entries || !jobs)
        return arena_status(arena, err);
    /* copy the expired entries */
    pthread_mutex_lock(&store->mutex);
    const size_t n = tenants_expired(store, now, entries, EXPIRED_AT_ONCE);
    pthread_mutex_unlock(&store->mutex);
    for (size_t k = 0; k < n; k++)
        jobs[k].entry = entries[k];
    *ret_jobs = jobs;
    *ret_n = n;
    return OK;
}

Status store_jobs_expire(Store *store, Arena *arena, ExpiredJob **ret_jobs, size_t *ret_n,
                         Error *err)
{
    Expiring *jobs = NULL;
    size_t n, ended = 0;
    *ret_n = 0;
    Status status = find_expired(store, arena, &jobs, &n, err);
    if (status != OK || n == 0)
        return status;
    ExpiredJob *expired = ARENA_NEW(arena, n, ExpiredJob);
    if (!expired)
        return arena_status(arena, err);
    /* end the jobs in one transaction */
    ExpireOp expire = {
        .op = {.run = expire_run, .settle = expire_settle}, .jobs = jobs, .n = n, .arena = arena};
    status = writer_do(store, &expire.op, err);
    /* return the ended jobs */
    for (size_t k = 0; k < n && status == OK; k++)
        if (jobs[k].withdrawn && !jobs[k].unreadable) {
            job_id_copy(expired[ended].id, jobs[k].entry.id);
            expired[ended].tenant = jobs[k].entry.tenant;
            expired[ended++].trace = jobs[k].trace;
        }
    if (status != OK)
        return status;
    *ret_jobs = expired;
    *ret_n = ended;
    return OK;
}
