/* Transitions of jobs that nobody runs: add (once for each idempotency key), cancel, delete. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/deleted.h"
#include "db/sqlite/reuse.h"

/* A job to be added. */
typedef struct Added {
    const JobDraft *draft;
    const char *key;            /* its idempotency key as it is stored, or NULL */
    char digest[HASH_TEXT_MAX]; /* of the request behind its key, if it has one */
    char id[JOB_ID_MAX];
    int64_t revision, created_ms;
    int64_t reused; /* the number of the job whose result it shares; 0: it is queued */
    bool seated;
    LiveEnsemble *ensemble; /* made before, or NULL */
} Added;

typedef struct AddOp {
    WriteOp op;
    int64_t tenant;
    Added *jobs; /* n: all or none */
    size_t n;
    bool replayed; /* ids are of earlier jobs, "" of deleted ones */
    bool refused;  /* for lack of space; the other jobs of the group are not */
} AddOp;

/* Separators of stored keys, which no client can send. In the order of the index a key is followed
 * by those that are derived from it, then by those with OF_TENANT. */
#define OF_BATCH "\x1e"
#define OF_TENANT "\x1f"
enum { STORED_KEY_MAX = 320 };

const char *batch_key(const char *key, size_t k, Arena *arena)
{
    return arena_printf(arena, "%s" OF_BATCH "%zu", key, k);
}

/* The key in the column that is unique for all tenants: behind the tenant's number. Those of the
 * default tenant are as in older formats. */
static const char *stored_key(int64_t tenant, const char *key, Arena *arena)
{
    return !key || tenant == TENANT_DEFAULT
               ? key
               : arena_printf(arena, "%lld" OF_TENANT "%s", (long long)tenant, key);
}

static void digest_draft(const JobDraft *draft, char ret_digest[HASH_TEXT_MAX])
{
    if (draft->idempotency_digest) {
        snprintf(ret_digest, HASH_TEXT_MAX, "%s", draft->idempotency_digest);
        return;
    }
    Hash hash = hash_bytes(draft->request, draft->request_size);
    hash_format(&hash, ret_digest);
}

/* The key ?1 and those derived from it. */
#define IN_RANGE "j.idempotency_key >= ?1 AND j.idempotency_key < ?1 || '" OF_TENANT "'"

/* The earlier job with this key; "" if there is none. A job with a key derived from it stands for
 * the same request: the first job of a batch may be deleted. */
static Status find_replay(Connection *connection, int64_t tenant, const char *key,
                          const char *digest, char *ret_id, Error *err)
{
    bool same = true, itself = false;
    Query query =
        query_new(connection, "SELECT j.id, j.idempotency_digest, " IN_RANGE " AND " JOB_SOUND ", "
                              "j.idempotency_key = ?1 FROM jobs j WHERE " IN_RANGE
                              " AND +j.tenant = ?2 ORDER BY j.idempotency_key LIMIT 1");
    query_text(&query, 1, key);
    query_int(&query, 2, tenant);
    *ret_id = '\0';
    /* check the row and compare the requests */
    if (query_next(&query)) {
        job_id_copy(ret_id, row_peek(&query, 0));
        job_sound(&query, row_int(&query, 2), ret_id);
        same = strcmp(row_peek(&query, 1), digest) == 0;
        itself = row_int(&query, 3);
    }
    Status status = query_end(&query, err);
    if (status == OK && !same)
        return error_set(err, ERR_CONFLICT,
                         "the idempotency key was used with another request, for job %s", ret_id);
    if (!itself)
        *ret_id = '\0';
    return status;
}

/* Up to 0.8.0 keys were derived with the other separator. */
static Status find_older(Connection *connection, int64_t tenant, const char *key,
                         const char *digest, char *ret_id, Error *err)
{
    char older[STORED_KEY_MAX];
    const char *separator = strrchr(key, OF_BATCH[0]);
    if (!separator)
        return OK;
    snprintf(older, sizeof older, "%.*s" OF_TENANT "%s", (int)(separator - key), key,
             separator + 1);
    return find_replay(connection, tenant, older, digest, ret_id, err);
}

/* The same for many keys; *ret_any: there is such a job. */
static Status find_replays(Connection *connection, int64_t tenant, Added *jobs, size_t n,
                           bool *ret_any, Error *err)
{
    Status status = OK;
    *ret_any = false;
    for (size_t k = 0; k < n && status == OK; k++) {
        Added *job = &jobs[k];
        if (!job->key)
            continue;
        status = find_replay(connection, tenant, job->key, job->digest, job->id, err);
        if (status == OK && !*job->id)
            status = find_older(connection, tenant, job->key, job->digest, job->id, err);
        *ret_any = *ret_any || (status == OK && *job->id);
    }
    return status;
}

static Added *added_new(int64_t tenant, const JobDraft *drafts, size_t n, Arena *arena, Error *err)
{
    Added *jobs = ARENA_NEW(arena, n, Added);
    if (!jobs)
        (void)!error_set(err, ERR_NO_MEMORY, "out of memory for %zu jobs", n);
    for (size_t k = 0; jobs && k < n; k++) {
        jobs[k].draft = &drafts[k];
        jobs[k].key = stored_key(tenant, drafts[k].idempotency_key, arena);
        if (jobs[k].key)
            digest_draft(&drafts[k], jobs[k].digest);
    }
    return jobs && arena_status(arena, err) == OK ? jobs : NULL;
}

/* The jobs as they are now; a deleted job keeps an empty id. */
static Status read_replayed(TenantStore of, const Added *jobs, size_t n, Arena *arena,
                            JobRecord *ret_jobs, Error *err)
{
    for (size_t k = 0; k < n; k++) {
        ret_jobs[k] = (JobRecord){.state = JOB_CANCELLED};
        Status status = *jobs[k].id ? store_job_get(of, jobs[k].id, arena, &ret_jobs[k], err) : OK;
        if (status == ERR_NOT_FOUND)
            ret_jobs[k] = (JobRecord){.state = JOB_CANCELLED};
        else if (status != OK)
            return status;
    }
    return OK;
}

Status store_jobs_replay(TenantStore of, const JobDraft *drafts, size_t n, Arena *arena,
                         JobRecord *ret_jobs, Error *err)
{
    Store *store = of.store;
    bool any = false;
    Added *jobs = added_new(of.tenant, drafts, n, arena, err);
    if (!jobs)
        return ERR_NO_MEMORY;
    Connection *reader = reader_take(store);
    Status status = find_replays(reader, of.tenant, jobs, n, &any, err);
    reader_give(store, reader);
    if (status == OK && !any)
        return error_set(err, ERR_NOT_FOUND, "the idempotency key is new");
    return status == OK ? read_replayed(of, jobs, n, arena, ret_jobs, err) : status;
}

static Status insert_job(TenantStore of, const Added *add, int64_t *ret_seq, Error *err)
{
    const JobDraft *draft = add->draft;
    Query query = query_new(
        &of.store->writer.connection,
        "INSERT INTO jobs (id, state, revision, priority, created_ms, timeout_ms, model_id, "
        "model_name, labels, formulation, method, request_hash, idempotency_key, "
        "idempotency_digest, rows, not_after_ms, reuse_key, tenant, request_id, traceparent) "
        "VALUES (?1, 'queued', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
        "?17, ?18, ?19)");
    query_text(&query, 1, add->id);
    query_int(&query, 2, add->revision);
    query_int(&query, 3, draft->priority);
    query_int(&query, 4, add->created_ms);
    query_int(&query, 5, (int64_t)draft->timeout_ms);
    query_text(&query, 6, draft->model_id);
    query_text(&query, 7, draft->model_name);
    query_text(&query, 8, draft->labels ? draft->labels : "{}");
    query_text(&query, 9, draft->formulation);
    query_text(&query, 10, draft->method);
    query_text(&query, 11, draft->request_hash);
    query_text(&query, 12, add->key);
    query_text(&query, 13, add->key ? add->digest : NULL);
    /* counted from the start, so that a missing row of its result is noticed */
    if (draft->members)
        query_int(&query, 14, 0);
    if (draft->not_after_ms)
        query_int(&query, 15, draft->not_after_ms);
    query_text(&query, 16, draft->reuse_key);
    query_int(&query, 17, of.tenant);
    query_text(&query, 18, draft->trace.request_id);
    query_text(&query, 19, draft->trace.traceparent);
    Status status = query_run(&query, err);
    *ret_seq = sqlite3_last_insert_rowid(of.store->writer.connection.db);
    return status;
}

static Status insert_ensemble(TenantStore of, const Added *add, int64_t seq, Error *err)
{
    const JobDraft *draft = add->draft;
    Query query = query_new(
        &of.store->writer.connection,
        "INSERT INTO results (job, columns, tables, members, table_columns, design, checksum, "
        "tenant) VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_checksum(?1, ?2, ?3, ?4, ?5, ?6), ?7)");
    query_int(&query, 1, seq);
    query_text(&query, 2, draft->columns ? draft->columns : "[]");
    query_text(&query, 3, draft->tables);
    query_int(&query, 4, (int64_t)draft->members);
    query_text(&query, 5, draft->table_columns);
    query_text(&query, 6, draft->design);
    query_int(&query, 7, of.tenant);
    return query_run(&query, err);
}

static Status insert_parts(TenantStore of, const Added *add, int64_t seq, Error *err)
{
    Connection *connection = &of.store->writer.connection;
    const char *labels = add->draft->labels;
    Query request =
        query_new(connection, "INSERT INTO requests (job, bytes, checksum) VALUES (?1, ?2, ?3)");
    query_int(&request, 1, seq);
    query_blob(&request, 2, add->draft->request, add->draft->request_size);
    query_int(&request, 3, request_checksum(seq, add->draft->request, add->draft->request_size));
    Status status = query_run(&request, err);
    if (status != OK || !labels || strcmp(labels, "{}") == 0)
        return status;
    Query query = query_new(connection, "INSERT INTO labels (job, key, value, tenant) "
                                        "SELECT ?1, key, value, ?3 FROM json_each(?2)");
    query_int(&query, 1, seq);
    query_text(&query, 2, labels);
    query_int(&query, 3, of.tenant);
    return query_run(&query, err);
}

/* Taken before the job is added, so that settle() cannot fail. */
static Status take_seat(TenantStore of, Added *add, Error *err)
{
    pthread_mutex_lock(&of.store->mutex);
    add->seated = queue_seat(queue_of(of.store, of.tenant));
    pthread_mutex_unlock(&of.store->mutex);
    return add->seated ? OK : error_set(err, ERR_NO_MEMORY, "out of memory for the queue");
}

static Status add_one(TenantStore of, Added *add, Error *err)
{
    Store *store = of.store;
    int64_t seq;
    Status seat = add->reused ? OK : take_seat(of, add, err);
    if (seat != OK)
        return seat;
    add->created_ms = clock_unix_ms();
    add->revision = writer_revision(store, of.tenant);
    Status status = uuid_next(&store->writer.ids, add->created_ms, add->id, err);
    if (status == OK)
        status = insert_job(of, add, &seq, err);
    if (status == OK)
        status = insert_parts(of, add, seq, err);
    /* before the job ends, because its end makes the notification due */
    if (status == OK && add->draft->notify.url)
        status = call_add(&store->writer.connection, seq, &add->draft->notify, err);
    if (status == OK && add->reused) {
        status = reuse_result(&store->writer.connection, seq, add->reused, err);
    } else if (status == OK && add->ensemble) {
        add->ensemble->seq = seq;
        status = insert_ensemble(of, add, seq, err);
    }
    if (status == OK)
        status = model_keep(&store->writer.connection, add->draft, err);
    return status;
}

/* Finds the jobs that share a stored result, and counts the others. */
static Status find_results(Store *store, AddOp *add, size_t *ret_queued, Error *err)
{
    Status status = OK;
    size_t queued = 0;
    for (size_t k = 0; k < add->n && status == OK; k++) {
        status = reuse_find(&store->writer.connection, add->tenant, add->jobs[k].draft,
                            &add->jobs[k].reused, err);
        queued += add->jobs[k].reused == 0;
    }
    *ret_queued = queued;
    return status;
}

static size_t bytes_of(const Added *jobs, size_t n)
{
    size_t bytes = 0;
    for (size_t k = 0; k < n; k++)
        bytes += jobs[k].draft->request_size + jobs[k].draft->model_size;
    return bytes;
}

static Status job_add_run(Store *store, WriteOp *op, Error *err)
{
    AddOp *add = (AddOp *)op;
    /* known keys: return the earlier jobs */
    Status status = find_replays(&store->writer.connection, add->tenant, add->jobs, add->n,
                                 &add->replayed, err);
    if (status != OK || add->replayed)
        return status;
    /* without space the jobs are refused, but not the whole group */
    add->refused =
        space_take(store, store->disk_reserve, bytes_of(add->jobs, add->n), &op->err) != OK;
    if (add->refused)
        return OK;
    size_t queued = 0;
    status = find_results(store, add, &queued, err);
    if (status != OK)
        return status;
    /* check the limits, then add the jobs */
    if (queued)
        status = tenant_check_room(store, add->tenant, queued, err);
    for (size_t k = 0; k < add->n && status == OK; k++)
        status = add_one((TenantStore){store, add->tenant}, &add->jobs[k], err);
    return status;
}

static void settle_one(Store *store, int64_t tenant, Added *add, Status status)
{
    if (!add->seated)
        return;
    if (status == OK && add->ensemble) {
        job_id_copy(add->ensemble->id, add->id);
        live_ensemble_add(store, add->ensemble);
        live_ensemble_requeue(store, add->ensemble);
        add->ensemble = NULL;
    } else if (status == OK) {
        QueueEntry entry = queue_entry(tenant, add->id, 0, add->draft->priority);
        entry.not_after_ms = add->draft->not_after_ms;
        queue_insert(queue_of(store, tenant), &entry);
        if (store->last_place < entry.place)
            store->last_place = entry.place;
    } else {
        queue_unseat(queue_of(store, tenant));
    }
}

static void job_add_settle(Store *store, WriteOp *op)
{
    AddOp *add = (AddOp *)op;
    for (size_t k = 0; k < add->n; k++)
        settle_one(store, add->tenant, &add->jobs[k], op->status);
}

static const char *copy(Arena *arena, const char *text, bool *failed)
{
    const char *result = arena_strdup(arena, text);
    *failed = *failed || !result;
    return result;
}

/* The record of the new job, made before the job is added, so that nothing can fail afterwards. */
static Status draft_record(const JobDraft *draft, Arena *arena, JobRecord *ret_job, Error *err)
{
    bool failed = false;
    *ret_job = (JobRecord){
        .state = JOB_QUEUED,
        .priority = draft->priority,
        .model_id = copy(arena, draft->model_id, &failed),
        .model_name = copy(arena, draft->model_name, &failed),
        .labels = copy(arena, draft->labels ? draft->labels : "{}", &failed),
        .formulation = copy(arena, draft->formulation, &failed),
        .method = copy(arena, draft->method, &failed),
        .request_hash = copy(arena, draft->request_hash, &failed),
        .timeout_ms = draft->timeout_ms,
        .not_after_ms = draft->not_after_ms,
    };
    /* optional parts */
    if (draft->notify.url)
        ret_job->notify = (JobNotify){.url = copy(arena, draft->notify.url, &failed),
                                      .on = copy(arena, draft->notify.on, &failed)};
    if (draft->members) {
        ret_job->members.total = draft->members;
        ret_job->columns = copy(arena, draft->columns ? draft->columns : "[]", &failed);
        ret_job->tables = draft->tables ? copy(arena, draft->tables, &failed) : NULL;
        ret_job->table_columns =
            draft->table_columns ? copy(arena, draft->table_columns, &failed) : NULL;
        ret_job->members.design = draft->design ? copy(arena, draft->design, &failed) : NULL;
    }
    if (draft->trace.request_id)
        ret_job->trace.request_id = copy(arena, draft->trace.request_id, &failed);
    if (draft->trace.traceparent)
        ret_job->trace.traceparent = copy(arena, draft->trace.traceparent, &failed);
    return failed ? error_set(err, ERR_NO_MEMORY, "out of memory for a job") : OK;
}

/* Allocates all memory before the writer's turn. */
static Status added_prepare(int64_t tenant, Added *add, Arena *arena, JobRecord *ret_job,
                            Error *err)
{
    const JobDraft *draft = add->draft;
    Status status = draft_record(draft, arena, ret_job, err);
    if (status != OK || !draft->members)
        return status;
    if (draft->members > INT64_MAX >> MEMBER_ROW_BITS)
        return error_set(err, ERR_INVALID, "an ensemble of %llu members",
                         (unsigned long long)draft->members);
    add->ensemble = live_ensemble_new(tenant, "", draft->priority, draft->members);
    if (!add->ensemble)
        return error_set(err, ERR_NO_MEMORY, "out of memory for an ensemble");
    add->ensemble->not_after_ms = draft->not_after_ms;
    return OK;
}

/* Reads the job as it was added; another client may have deleted it already. */
static Status read_reused(TenantStore of, const char *id, Arena *arena, JobRecord *job, Error *err)
{
    job->state = JOB_SUCCEEDED;
    job->complete = true;
    const Status status = store_job_get(of, id, arena, job, err);
    return status == ERR_NOT_FOUND ? OK : status;
}

Status store_jobs_add(TenantStore of, const JobDraft *drafts, size_t n, Arena *arena,
                      JobRecord *ret_jobs, bool *ret_replayed, Error *err)
{
    Store *store = of.store;
    Added *jobs = added_new(of.tenant, drafts, n, arena, err);
    if (!jobs)
        return ERR_NO_MEMORY;
    AddOp add = {.op = {.run = job_add_run, .settle = job_add_settle},
                 .tenant = of.tenant,
                 .jobs = jobs,
                 .n = n};
    Status status = OK;
    /* allocate all memory, then add the jobs in one operation */
    for (size_t k = 0; k < n && status == OK; k++)
        status = added_prepare(of.tenant, &jobs[k], arena, &ret_jobs[k], err);
    if (status == OK)
        status = writer_do(store, &add.op, err);
    for (size_t k = 0; k < n; k++)
        live_ensemble_free(jobs[k].ensemble);
    /* refused, or added before with the same keys */
    if (status == OK && add.refused)
        status = error_set(err, ERR_NO_SPACE, "%s", add.op.err.message);
    if (status == OK && add.replayed)
        status = read_replayed(of, jobs, n, arena, ret_jobs, err);
    /* complete the records of new jobs */
    for (size_t k = 0; k < n && status == OK && !add.replayed; k++) {
        memcpy(ret_jobs[k].id, jobs[k].id, sizeof ret_jobs[k].id);
        ret_jobs[k].revision = jobs[k].revision;
        ret_jobs[k].created_ms = jobs[k].created_ms;
    }
    for (size_t k = 0; k < n && status == OK && !add.replayed; k++)
        if (jobs[k].reused)
            status = read_reused(of, jobs[k].id, arena, &ret_jobs[k], err);
    if (status == OK)
        *ret_replayed = add.replayed;
    return status;
}

/* A deleted job has no id. */
static Status take_one(const JobRecord *job, JobRecord *ret_job, Error *err)
{
    if (!*job->id)
        return error_set(err, ERR_NOT_FOUND, "the job of the idempotency key was deleted");
    *ret_job = *job;
    return OK;
}

Status store_job_add(TenantStore of, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                     bool *ret_replayed, Error *err)
{
    JobRecord job;
    Status status = store_jobs_add(of, draft, 1, arena, &job, ret_replayed, err);
    return status == OK ? take_one(&job, ret_job, err) : status;
}

Status store_job_replay(TenantStore of, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                        Error *err)
{
    JobRecord job;
    Status status = store_jobs_replay(of, draft, 1, arena, &job, err);
    return status == OK ? take_one(&job, ret_job, err) : status;
}

typedef struct CancelOp {
    WriteOp op;
    int64_t tenant;
    const char *id;
    QueueEntry entry;
    LiveEnsemble *ensemble; /* or NULL */
    bool queued;            /* was in the queue; out of it until the outcome is known */
} CancelOp;

static Status cancel_look(Store *store, CancelOp *cancel, bool *ret_wanted, Error *err)
{
    JobState state = JOB_QUEUED;
    Query query =
        query_new(&store->writer.connection,
                  "SELECT j.state, j.attempt, j.priority, j.cancel_requested, " JOB_SOUND_ID
                  ", j.not_after_ms FROM jobs j WHERE " JOB_OF("?2"));
    query_text(&query, 1, cancel->id);
    query_int(&query, 2, cancel->tenant);
    const bool found = query_next(&query);
    /* rebuild the queue entry of the job */
    if (found) {
        job_sound(&query, row_int(&query, 4), cancel->id);
        (void)job_state_parse(row_peek(&query, 0), &state);
        cancel->entry = queue_entry(cancel->tenant, cancel->id, (unsigned)row_int(&query, 1),
                                    (int)row_int(&query, 2));
        cancel->entry.not_after_ms = row_int(&query, 5);
        *ret_wanted = row_int(&query, 3) != 0;
    }
    Status status = query_end(&query, err);
    if (status == OK && !found)
        status = job_missing(&store->writer.connection, cancel->id, err);
    if (status == OK && job_state_done(state))
        status = error_set(err, ERR_CONFLICT, "the job has ended already: it %s",
                           state == JOB_CANCELLED ? "was cancelled" : job_state_name(state));
    return status;
}

/* A job that is queued in the database may have been claimed a moment ago; the queue in memory
 * decides. Then the request is recorded, as for a running job. */
static Status job_cancel_run(Store *store, WriteOp *op, Error *err)
{
    CancelOp *cancel = (CancelOp *)op;
    Connection *connection = &store->writer.connection;
    bool wanted = false;
    Status status = cancel_look(store, cancel, &wanted, err);
    if (status != OK)
        return status;
    /* take the job out of the queue: from here on no worker can claim it */
    pthread_mutex_lock(&store->mutex);
    cancel->ensemble = live_ensemble_find(store, cancel->id);
    cancel->queued = !cancel->ensemble
                         ? queue_remove(queue_of(store, cancel->tenant), &cancel->entry)
                         : live_ensemble_withdraw(store, cancel->ensemble);
    pthread_mutex_unlock(&store->mutex);
    if (!cancel->queued && wanted)
        return OK;

    Query query =
        cancel->queued
            ? query_new(connection, "UPDATE jobs SET cancel_requested = 1, revision = ?2, "
                                    "state = 'cancelled', finished_ms = ?3 "
                                    "WHERE id = ?1 AND state = 'queued'")
            : query_new(connection, "UPDATE jobs SET cancel_requested = 1, revision = ?2 "
                                    "WHERE id = ?1 AND state IN ('queued', 'running')");
    query_text(&query, 1, cancel->id);
    query_int(&query, 2, writer_revision(store, cancel->tenant));
    if (cancel->queued)
        query_int(&query, 3, clock_unix_ms());
    return query_run(&query, err);
}

static void job_cancel_settle(Store *store, WriteOp *op)
{
    CancelOp *cancel = (CancelOp *)op;
    if (cancel->ensemble) {
        live_ensemble_cancelled(store, cancel->ensemble, op->status, cancel->queued);
    } else if (cancel->queued) {
        if (op->status == OK)
            queue_unseat(queue_of(store, cancel->tenant));
        else
            queue_insert(queue_of(store, cancel->tenant), &cancel->entry);
    } else if (op->status == OK) {
        Lease *lease = lease_find(&store->leases, cancel->id);
        if (lease)
            lease->cancel_wanted = true;
    }
}

Status store_job_cancel(TenantStore of, const char *job_id, Arena *arena, JobRecord *ret_job,
                        Error *err)
{
    Store *store = of.store;
    CancelOp cancel = {.op = {.run = job_cancel_run, .settle = job_cancel_settle},
                       .tenant = of.tenant,
                       .id = job_id};
    Status status = writer_do(store, &cancel.op, err);
    if (status == OK)
        status = store_job_get(of, job_id, arena, ret_job, err);
    return status;
}

typedef struct DeleteOp {
    WriteOp op;
    int64_t tenant; /* TENANT_ALL: of any; then that of the job, once it is known */
    const char *id;
    QueueEntry entry;
    bool queued; /* was in the queue; out of it until the outcome is known */
} DeleteOp;

/* Facts about a job that its deletion needs. */
typedef struct DeleteLook {
    int64_t seq;
    JobState state;
    char model[HASH_TEXT_MAX];
    bool sound;
} DeleteLook;

static Status delete_look(Store *store, DeleteOp *deletion, DeleteLook *ret_look, Error *err)
{
    const char *id = deletion->id;
    Query query = query_new(&store->writer.connection,
                            "SELECT j.seq, j.state, j.model_id, " JOB_SOUND_ID ", j.tenant "
                            "FROM jobs j WHERE j.id = ?1 AND (?2 = 0 OR j.tenant = ?2)");
    query_text(&query, 1, id);
    query_int(&query, 2, deletion->tenant);
    const bool found = query_next(&query);
    if (found) {
        ret_look->seq = row_int(&query, 0);
        ret_look->sound =
            row_int(&query, 3) && job_state_parse(row_peek(&query, 1), &ret_look->state);
        snprintf(ret_look->model, sizeof ret_look->model, "%s", row_peek(&query, 2));
        deletion->tenant = tenant_number(row_int(&query, 4));
    }
    Status status = query_end(&query, err);
    return status == OK && !found ? job_missing(&store->writer.connection, id, err) : status;
}

/* If the row is damaged, only the memory tells whether the job runs. */
static Status delete_from_memory(Store *store, DeleteOp *deletion, Error *err)
{
    pthread_mutex_lock(&store->mutex);
    const bool runs = lease_find(&store->leases, deletion->id) != NULL;
    const QueueEntry *entry =
        runs ? NULL : queue_find(queue_of(store, deletion->tenant), deletion->id);
    deletion->queued = entry != NULL;
    if (entry) {
        deletion->entry = *entry;
        queue_remove(queue_of(store, deletion->tenant), &deletion->entry);
    }
    pthread_mutex_unlock(&store->mutex);
    return runs ? error_set(err, ERR_CONFLICT, "the job is running; its row is damaged") : OK;
}

static Status delete_row(Connection *connection, int64_t seq, Error *err)
{
    Query query = query_new(connection, "DELETE FROM jobs WHERE seq = ?1");
    query_int(&query, 1, seq);
    return query_run(&query, err);
}

/* The indexes may miss the changed values of a damaged row until they are rebuilt. */
static Status delete_damaged(Store *store, DeleteOp *deletion, int64_t seq, Error *err)
{
    Connection *connection = &store->writer.connection;
    Status status = delete_from_memory(store, deletion, err);
    if (status != OK)
        return status;
    status = delete_row(connection, seq, err);
    if (status == ERR_DAMAGED) {
        status = connection_script(connection, "REINDEX jobs", err);
        if (status == OK)
            status = delete_row(connection, seq, err);
    }
    return status == OK ? tenants_recount(connection, err) : status;
}

static Status job_delete_run(Store *store, WriteOp *op, Error *err)
{
    DeleteOp *deletion = (DeleteOp *)op;
    Connection *connection = &store->writer.connection;
    DeleteLook look = {0};
    Status status = delete_look(store, deletion, &look, err);
    if (status != OK)
        return status;
    /* a queued or running job is kept */
    if (look.sound && !job_state_done(look.state))
        return error_set(err, ERR_CONFLICT, "the job is %s; cancel it first",
                         job_state_name(look.state));
    /* remember the deletion */
    store->writer.gives_back = true;
    status = deleted_add((TenantStore){store, deletion->tenant}, deletion->id,
                         writer_revision(store, deletion->tenant), err);
    if (status != OK)
        return status;
    if (!look.sound)
        return delete_damaged(store, deletion, look.seq, err);
    status = delete_row(connection, look.seq, err);
    return status == OK ? model_drop_unused(connection, look.model, err) : status;
}

static void job_delete_settle(Store *store, WriteOp *op)
{
    DeleteOp *deletion = (DeleteOp *)op;
    if (!deletion->queued)
        return;
    if (op->status != OK) {
        queue_insert(queue_of(store, deletion->tenant), &deletion->entry);
        return;
    }
    queue_unseat(queue_of(store, deletion->tenant));
    store->n_unreadable -= deletion->entry.attempt == ATTEMPT_LEFT_OUT;
    if (deletion->entry.ensemble)
        live_ensemble_remove(store, deletion->entry.ensemble);
}

Status store_job_delete(TenantStore of, const char *job_id, Error *err)
{
    Store *store = of.store;
    DeleteOp deletion = {.op = {.run = job_delete_run, .settle = job_delete_settle},
                         .tenant = of.tenant,
                         .id = job_id};
    return writer_do(store, &deletion.op, err);
}

/* Many operations in one. */
typedef struct BulkOp {
    WriteOp op;
    WriteOp **items; /* n */
    size_t n;
} BulkOp;

static Status bulk_run(Store *store, WriteOp *op, Error *err)
{
    const BulkOp *bulk = (BulkOp *)op;
    Status status = OK;
    for (size_t k = 0; k < bulk->n && status == OK; k++) {
        WriteOp *item = bulk->items[k];
        status = writer_run(store, item, err);
        if (status == OK && writer_may_pass(item->status))
            status = error_set(err, item->status, "%s", item->err.message);
    }
    return status;
}

static void bulk_settle(Store *store, WriteOp *op)
{
    const BulkOp *bulk = (BulkOp *)op;
    for (size_t k = 0; k < bulk->n; k++) {
        if (op->status != OK)
            bulk->items[k]->status = op->status;
        bulk->items[k]->settle(store, bulk->items[k]);
    }
}

static Status bulk_do(Store *store, WriteOp **items, size_t n, Status *ret_each, Error *err)
{
    BulkOp bulk = {.op = {.run = bulk_run, .settle = bulk_settle}, .items = items, .n = n};
    Status status = writer_do(store, &bulk.op, err);
    for (size_t k = 0; k < n && status == OK; k++)
        ret_each[k] = items[k]->status;
    return status;
}

Status store_jobs_cancel(TenantStore of, const char *const *ids, size_t n, Status *ret_each,
                         Error *err)
{
    Store *store = of.store;
    Arena scratch = {0};
    CancelOp *cancels = ARENA_NEW(&scratch, n, CancelOp);
    WriteOp **items = ARENA_NEW(&scratch, n, WriteOp *);
    Status status = arena_status(&scratch, err);
    for (size_t k = 0; k < n && status == OK; k++) {
        cancels[k] = (CancelOp){.op = {.run = job_cancel_run, .settle = job_cancel_settle},
                                .tenant = of.tenant,
                                .id = ids[k]};
        items[k] = &cancels[k].op;
    }
    if (status == OK)
        status = bulk_do(store, items, n, ret_each, err);
    arena_done(&scratch);
    return status;
}

Status store_jobs_delete(TenantStore of, const char *const *ids, size_t n, Status *ret_each,
                         Error *err)
{
    Store *store = of.store;
    Arena scratch = {0};
    DeleteOp *deletions = ARENA_NEW(&scratch, n, DeleteOp);
    WriteOp **items = ARENA_NEW(&scratch, n, WriteOp *);
    Status status = arena_status(&scratch, err);
    for (size_t k = 0; k < n && status == OK; k++) {
        deletions[k] = (DeleteOp){.op = {.run = job_delete_run, .settle = job_delete_settle},
                                  .tenant = of.tenant,
                                  .id = ids[k]};
        items[k] = &deletions[k].op;
    }
    if (status == OK)
        status = bulk_do(store, items, n, ret_each, err);
    arena_done(&scratch);
    return status;
}
