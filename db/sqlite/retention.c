/* Finished jobs that are not to be kept, of the service or of their tenant: found by a reader,
 * deleted as any other job.
 *
 * A job that has finished stays as it is, and its notification does not become due again. So what a
 * reader has found may be deleted later, whatever happens in between. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "db/sqlite/sqlite_store.h"

enum {
    RETIRE_BYTES = 64 << 20, /* of results in one transaction, so that submissions do not wait */
    JOB_BYTES = 4096,        /* about what the rows of a job take beside its request and result */
};

/* What one transaction is to delete. */
typedef struct Retiring {
    RetiredJob *jobs; /* RETIRE_MAX */
    size_t n;
    uint64_t bytes;
} Retiring;

/* What the deletion of job j gives back, unless another job owns the result too. */
#define BYTES_OF_JOB                                                                    \
    "(SELECT coalesce(sum(length(b.data)), 0) FROM blocks b WHERE b.job = " RESULT_KEY( \
        "j.") ") + coalesce((SELECT length(q.bytes) FROM requests q WHERE q.job = j.seq), 0)"
/* Whoever asked for a notification can read the job when it comes. A damaged row tells no state. */
#define MAY_GO                                                                          \
    "NOT EXISTS (SELECT 1 FROM calls c WHERE c.job = j.seq AND c.next_ms IS NOT NULL) " \
    "AND " JOB_SOUND

/* Jobs of state ?1 that ended before ?2: none of them was added later, and ids begin with the time
 * of that (?3). So the rows that are looked at are those of old jobs, however many are kept. */
static const char OLD[] =
    "SELECT j.id, j.tenant, " BYTES_OF_JOB
    " FROM jobs j WHERE j.state = ?1 AND j.tenant = ?5 AND j.seq <= "
    "coalesce((SELECT o.seq FROM jobs o WHERE o.id < ?3 ORDER BY o.id DESC LIMIT 1), 0) "
    "AND j.finished_ms < ?2 AND " MAY_GO " ORDER BY j.seq LIMIT ?4";

/* The oldest of all that have finished, by their numbers: few jobs before them wait or run. */
static const char OLDEST[] =
    "SELECT j.id, j.tenant, " BYTES_OF_JOB " FROM jobs j NOT INDEXED "
    "WHERE j.state IN ('succeeded', 'failed', 'cancelled') AND " MAY_GO " ORDER BY j.seq LIMIT ?4";

/* The same of tenant ?5. The + makes SQLite read its jobs by their numbers. */
static const char OLDEST_OF[] =
    "SELECT j.id, j.tenant, " BYTES_OF_JOB " FROM jobs j WHERE j.tenant = ?5 AND "
    "+j.state IN ('succeeded', 'failed', 'cancelled') AND " MAY_GO " ORDER BY j.seq LIMIT ?4";

static bool is_full(const Retiring *retiring)
{
    return retiring->n == RETIRE_MAX || retiring->bytes >= RETIRE_BYTES;
}

/* Jobs of the query, until `most` more bytes are to be deleted. */
static Status collect(Retiring *retiring, Query *query, RetireRule rule, uint64_t most, Error *err)
{
    const uint64_t before = retiring->bytes;
    query_int(query, 4, (int64_t)(RETIRE_MAX - retiring->n));
    while (!is_full(retiring) && retiring->bytes - before < most && query_next(query)) {
        RetiredJob *job = &retiring->jobs[retiring->n++];
        job->rule = rule;
        job->tenant = tenant_number(row_int(query, 1));
        job_id_copy(job->id, row_peek(query, 0));
        retiring->bytes += (uint64_t)row_int(query, 2) + JOB_BYTES;
    }
    return query_end(query, err);
}

/* Jobs of one tenant. */
static Status find_old(TenantStore of, Connection *reader, JobState state, int64_t keep_ms,
                       Retiring *retiring, Error *err)
{
    char first_id[JOB_ID_MAX];
    const int64_t before = clock_unix_ms() - keep_ms;
    if (keep_ms <= 0 || before <= 0 || is_full(retiring))
        return OK;
    snprintf(first_id, sizeof first_id, "%08llx-%04x", (unsigned long long)before >> 16,
             (unsigned)(before & 0xffff));
    Query query = query_new(reader, OLD);
    query_text(&query, 1, job_state_name(state));
    query_int(&query, 2, before);
    query_text(&query, 3, first_id);
    query_int(&query, 5, of.tenant);
    return collect(retiring, &query, state == JOB_FAILED ? RETIRE_FAILED : RETIRE_DONE,
                   RETIRE_BYTES, err);
}

/* Bytes of the pages in use: free pages are used again, or go back to the disk. */
static Status read_size(Connection *reader, uint64_t *ret_bytes, Error *err)
{
    int64_t pages = 0, unused = 0, size = 0;
    Status status = connection_int(reader, "PRAGMA page_count", &pages, err);
    if (status == OK)
        status = connection_int(reader, "PRAGMA freelist_count", &unused, err);
    if (status == OK)
        status = connection_int(reader, "PRAGMA page_size", &size, err);
    if (status == OK)
        *ret_bytes = (uint64_t)(pages - unused) * (uint64_t)size;
    return status;
}

static Status find_beyond(Connection *reader, uint64_t keep_bytes, Retiring *retiring, Error *err)
{
    uint64_t bytes = 0;
    Status status = read_size(reader, &bytes, err);
    if (status != OK || bytes <= keep_bytes)
        return status;
    Query query = query_new(reader, OLDEST);
    return collect(retiring, &query, RETIRE_BYTES_BEYOND, bytes - keep_bytes, err);
}

/* The oldest jobs of a tenant whose results are `more` bytes too large. */
static Status find_beyond_of(Connection *reader, int64_t tenant, uint64_t more, Retiring *retiring,
                             Error *err)
{
    Query query = query_new(reader, OLDEST_OF);
    query_int(&query, 5, tenant);
    return collect(retiring, &query, RETIRE_BYTES_BEYOND, more, err);
}

/* The jobs that one tenant is not to keep, those of the service's rules or of its own. */
static Status find_of(TenantStore of, Connection *reader, const StoreKeep *service,
                      Retiring *retiring, Error *err)
{
    const size_t before = retiring->n;
    TenantKeep keep;
    uint64_t bytes;
    Status status = tenant_keep_read(reader, of.tenant, &keep, &bytes, err);
    if (status != OK)
        return status;
    const int64_t done_ms = keep.done_ms ? keep.done_ms : service->done_ms;
    const int64_t failed_ms = keep.failed_ms ? keep.failed_ms : service->failed_ms;
    /* jobs whose time has passed, then those beyond the bytes */
    status = find_old(of, reader, JOB_SUCCEEDED, done_ms, retiring, err);
    if (status == OK)
        status = find_old(of, reader, JOB_CANCELLED, done_ms, retiring, err);
    if (status == OK)
        status = find_old(of, reader, JOB_FAILED, failed_ms, retiring, err);
    if (status == OK && retiring->n == before && keep.bytes && bytes > keep.bytes)
        status = find_beyond_of(reader, of.tenant, bytes - keep.bytes, retiring, err);
    return status;
}

static Status find_all(Store *store, const StoreKeep *keep, Retiring *retiring, Error *err)
{
    Connection *reader = reader_take(store);
    const int64_t n = (int64_t)store_tenant_count(store);
    Status status = OK;
    for (int64_t t = 1; t <= n && status == OK && !is_full(retiring); t++)
        status = find_of((TenantStore){store, t}, reader, keep, retiring, err);
    if (status == OK && retiring->n == 0 && keep->bytes > 0)
        status = find_beyond(reader, keep->bytes, retiring, err);
    reader_give(store, reader);
    return status;
}

static bool none_has_finished(Store *store)
{
    StoreCounts counts;
    return store_counts((TenantStore){store, TENANT_ALL}, &counts, NULL) == OK &&
           counts.succeeded + counts.failed + counts.cancelled == 0;
}

Status store_jobs_retire(Store *store, const StoreKeep *keep, RetiredJob ret_jobs[RETIRE_MAX],
                         size_t *ret_n, Error *err)
{
    const char *ids[RETIRE_MAX];
    Status each[RETIRE_MAX];
    Retiring retiring = {.jobs = ret_jobs};
    *ret_n = 0;
    if (none_has_finished(store))
        return OK;
    Status status = find_all(store, keep, &retiring, err);
    for (size_t k = 0; k < retiring.n; k++)
        ids[k] = ret_jobs[k].id;
    if (status == OK && retiring.n > 0)
        status = store_jobs_delete((TenantStore){store, TENANT_ALL}, ids, retiring.n, each, err);
    for (size_t k = 0; k < retiring.n && status == OK; k++)
        if (each[k] == OK)
            ret_jobs[(*ret_n)++] = ret_jobs[k];
    return status;
}
