/* The transitions of jobs that nobody runs: added (once for each idempotency key), cancelled,
 * deleted. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "db/sqlite/checksum.h"

typedef struct AddOp {
    WriteOp op;
    const JobDraft *draft;
    char digest[HASH_TEXT_MAX]; /* of the bytes, when there is a key */
    char id[JOB_ID_MAX];
    int64_t revision, created_ms;
    bool seated, replayed;
    LiveEnsemble *ensemble; /* made before, or NULL */
    bool refused;           /* for want of space; the others of its group are not */
} AddOp;

static void digest_request(const char *request, size_t size, char ret_digest[HASH_TEXT_MAX])
{
    Hash hash = hash_bytes(request, size);
    hash_format(&hash, ret_digest);
}

/* The job that was added with this key before; "" when there is none. */
static Status find_replay(Connection *connection, const char *key, const char *digest, char *ret_id,
                          Error *err)
{
    bool same = true;
    Query query = query_new(connection, "SELECT j.id, j.idempotency_digest, j.idempotency_key = ?1 "
                                        "AND " JOB_SOUND " FROM jobs j "
                                        "WHERE j.idempotency_key = ?1");
    query_text(&query, 1, key);
    *ret_id = '\0';
    if (query_next(&query)) {
        job_id_copy(ret_id, row_peek(&query, 0));
        job_sound(&query, row_int(&query, 2), ret_id);
        same = strcmp(row_peek(&query, 1), digest) == 0;
    }
    Status status = query_end(&query, err);
    if (status == OK && !same)
        return error_set(err, ERR_CONFLICT,
                         "the idempotency key was used with another request, for job %s", ret_id);
    return status;
}

Status store_job_replay(Store *store, const char *idempotency_key, const char *request,
                        size_t request_size, Arena *arena, JobRecord *ret_job, Error *err)
{
    char digest[HASH_TEXT_MAX], id[JOB_ID_MAX];
    digest_request(request, request_size, digest);
    Connection *reader = reader_take(store);
    Status status = find_replay(reader, idempotency_key, digest, id, err);
    reader_give(store, reader);
    if (status == OK && !*id)
        return error_set(err, ERR_NOT_FOUND, "the idempotency key is new");
    return status == OK ? store_job_get(store, id, arena, ret_job, err) : status;
}

static Status insert_job(Store *store, const AddOp *add, int64_t *ret_seq, Error *err)
{
    const JobDraft *draft = add->draft;
    Query query = query_new(
        &store->writer.connection,
        "INSERT INTO jobs (id, state, revision, priority, created_ms, timeout_ms, model_id, "
        "model_name, labels, formulation, method, request_hash, idempotency_key, "
        "idempotency_digest, rows) "
        "VALUES (?1, 'queued', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
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
    query_text(&query, 12, draft->idempotency_key);
    query_text(&query, 13, draft->idempotency_key ? add->digest : NULL);
    if (draft
            ->members) /* counted from the first: its result's row is there, and missed when it is not */
        query_int(&query, 14, 0);
    Status status = query_run(&query, err);
    *ret_seq = sqlite3_last_insert_rowid(store->writer.connection.db);
    return status;
}

static Status insert_ensemble(Store *store, const AddOp *add, int64_t seq, Error *err)
{
    const JobDraft *draft = add->draft;
    Query query = query_new(
        &store->writer.connection,
        "INSERT INTO results (job, columns, tables, members, table_columns, design, "
        "checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_checksum(?1, ?2, ?3, ?4, ?5, ?6))");
    query_int(&query, 1, seq);
    query_text(&query, 2, draft->columns ? draft->columns : "[]");
    query_text(&query, 3, draft->tables);
    query_int(&query, 4, (int64_t)draft->members);
    query_text(&query, 5, draft->table_columns);
    query_text(&query, 6, draft->design);
    return query_run(&query, err);
}

static Status insert_parts(Store *store, const AddOp *add, int64_t seq, Error *err)
{
    Connection *connection = &store->writer.connection;
    const char *labels = add->draft->labels;
    Query request =
        query_new(connection, "INSERT INTO requests (job, bytes, checksum) VALUES (?1, ?2, ?3)");
    query_int(&request, 1, seq);
    query_blob(&request, 2, add->draft->request, add->draft->request_size);
    query_int(&request, 3, request_checksum(seq, add->draft->request, add->draft->request_size));
    Status status = query_run(&request, err);
    if (status != OK || !labels || strcmp(labels, "{}") == 0)
        return status;
    Query query = query_new(connection, "INSERT INTO labels (job, key, value) "
                                        "SELECT ?1, key, value FROM json_each(?2)");
    query_int(&query, 1, seq);
    query_text(&query, 2, labels);
    return query_run(&query, err);
}

static Status job_add_run(Store *store, WriteOp *op, Error *err)
{
    AddOp *add = (AddOp *)op;
    const char *key = add->draft->idempotency_key;
    Status status =
        key ? find_replay(&store->writer.connection, key, add->digest, add->id, err) : OK;
    add->replayed = status == OK && *add->id;
    if (status != OK || add->replayed)
        return status;
    add->refused = space_check(store, store->disk_reserve, &op->err) != OK;
    if (add->refused)
        return OK;
    if (store->max_queued && store->writer.ledger.counts.queued >= store->max_queued)
        return error_set(err, ERR_BUSY, "the queue is full (%llu jobs)",
                         (unsigned long long)store->max_queued);
    /* the seat is taken now, so that settling cannot fail */
    pthread_mutex_lock(&store->mutex);
    add->seated = queue_seat(&store->queue);
    pthread_mutex_unlock(&store->mutex);
    if (!add->seated)
        return error_set(err, ERR_NO_MEMORY, "out of memory for the queue");

    int64_t seq;
    add->created_ms = clock_unix_ms();
    add->revision = writer_revision(store);
    status = uuid_next(&store->writer.ids, add->created_ms, add->id, err);
    if (status == OK)
        status = insert_job(store, add, &seq, err);
    if (status == OK)
        status = insert_parts(store, add, seq, err);
    if (status == OK && add->ensemble) {
        add->ensemble->seq = seq;
        status = insert_ensemble(store, add, seq, err);
    }
    if (status == OK)
        status = model_keep(&store->writer.connection, add->draft, err);
    if (status == OK)
        writer_count(store, JOB_QUEUED, +1);
    return status;
}

static void job_add_settle(Store *store, WriteOp *op)
{
    AddOp *add = (AddOp *)op;
    if (!add->seated)
        return;
    if (op->status == OK && add->ensemble) {
        job_id_copy(add->ensemble->id, add->id);
        live_ensemble_add(store, add->ensemble);
        live_ensemble_requeue(store, add->ensemble);
        add->ensemble = NULL;
    } else if (op->status == OK) {
        const QueueEntry entry = queue_entry(add->id, 0, add->draft->priority);
        queue_insert(&store->queue, &entry);
        if (store->last_place < entry.place)
            store->last_place = entry.place;
    } else {
        queue_unseat(&store->queue);
    }
}

static const char *copy(Arena *arena, const char *text, bool *failed)
{
    const char *result = arena_strdup(arena, text);
    *failed = *failed || !result;
    return result;
}

/* What the job will look like, made before it is added: nothing can fail after. */
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
    };
    if (draft->members) {
        ret_job->members.total = draft->members;
        ret_job->columns = copy(arena, draft->columns ? draft->columns : "[]", &failed);
        ret_job->tables = draft->tables ? copy(arena, draft->tables, &failed) : NULL;
        ret_job->table_columns =
            draft->table_columns ? copy(arena, draft->table_columns, &failed) : NULL;
        ret_job->design = draft->design ? copy(arena, draft->design, &failed) : NULL;
    }
    return failed ? error_set(err, ERR_NO_MEMORY, "out of memory for a job") : OK;
}

Status store_job_add(Store *store, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                     bool *ret_replayed, Error *err)
{
    JobRecord job;
    AddOp add = {.op = {.run = job_add_run, .settle = job_add_settle}, .draft = draft};
    Status status = draft_record(draft, arena, &job, err);
    if (status == OK && draft->members > INT64_MAX >> MEMBER_ROW_BITS)
        status = error_set(err, ERR_INVALID, "an ensemble of %llu members",
                           (unsigned long long)draft->members);
    if (status == OK && draft->members) {
        add.ensemble = live_ensemble_new("", draft->priority, draft->members);
        if (!add.ensemble)
            status = error_set(err, ERR_NO_MEMORY, "out of memory for an ensemble");
    }
    if (status == OK && draft->idempotency_key)
        digest_request(draft->request, draft->request_size, add.digest);
    if (status == OK)
        status = writer_do(store, &add.op, err);
    live_ensemble_free(add.ensemble);
    if (status == OK && add.refused)
        status = error_set(err, ERR_NO_SPACE, "%s", add.op.err.message);
    if (status == OK && add.replayed) {
        status = store_job_get(store, add.id, arena, &job, err);
    } else if (status == OK) {
        memcpy(job.id, add.id, sizeof job.id);
        job.revision = add.revision;
        job.created_ms = add.created_ms;
    }
    if (status == OK) {
        *ret_job = job;
        *ret_replayed = add.replayed;
    }
    return status;
}

typedef struct CancelOp {
    WriteOp op;
    const char *id;
    QueueEntry entry;
    LiveEnsemble *ensemble; /* or NULL */
    bool queued;            /* was in the queue, and is taken from it for the time being */
} CancelOp;

static Status cancel_look(Store *store, CancelOp *cancel, bool *ret_wanted, Error *err)
{
    JobState state = JOB_QUEUED;
    Query query =
        query_new(&store->writer.connection,
                  "SELECT j.state, j.attempt, j.priority, j.cancel_requested, " JOB_SOUND_ID
                  " FROM jobs j WHERE j.id = ?1");
    query_text(&query, 1, cancel->id);
    const bool found = query_next(&query);
    if (found) {
        job_sound(&query, row_int(&query, 4), cancel->id);
        (void)job_state_parse(row_peek(&query, 0), &state);
        cancel->entry =
            queue_entry(cancel->id, (unsigned)row_int(&query, 1), (int)row_int(&query, 2));
        *ret_wanted = row_int(&query, 3) != 0;
    }
    Status status = query_end(&query, err);
    if (status == OK && !found)
        status = job_missing(cancel->id, err);
    if (status == OK && job_state_done(state))
        status = error_set(err, ERR_CONFLICT, "the job has ended already: it %s",
                           state == JOB_CANCELLED ? "was cancelled" : job_state_name(state));
    return status;
}

/* A job that is queued in the database may have been claimed a moment ago: the queue in memory
 * knows. Then the wish is remembered as for a running job. */
static Status job_cancel_run(Store *store, WriteOp *op, Error *err)
{
    CancelOp *cancel = (CancelOp *)op;
    Connection *connection = &store->writer.connection;
    bool wanted = false;
    Status status = cancel_look(store, cancel, &wanted, err);
    if (status != OK)
        return status;
    /* who finds it in the queue has it: from here on no worker can claim it */
    pthread_mutex_lock(&store->mutex);
    cancel->ensemble = live_ensemble_find(store, cancel->id);
    cancel->queued = !cancel->ensemble ? queue_remove(&store->queue, &cancel->entry)
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
    query_int(&query, 2, writer_revision(store));
    if (cancel->queued) {
        query_int(&query, 3, clock_unix_ms());
        writer_count(store, JOB_QUEUED, -1);
        writer_count(store, JOB_CANCELLED, +1);
    }
    return query_run(&query, err);
}

static void job_cancel_settle(Store *store, WriteOp *op)
{
    CancelOp *cancel = (CancelOp *)op;
    if (cancel->ensemble) {
        live_ensemble_cancelled(store, cancel->ensemble, op->status, cancel->queued);
    } else if (cancel->queued) {
        if (op->status == OK)
            queue_unseat(&store->queue);
        else
            queue_insert(&store->queue, &cancel->entry);
    } else if (op->status == OK) {
        Lease *lease = lease_find(&store->leases, cancel->id);
        if (lease)
            lease->cancel_wanted = true;
    }
}

Status store_job_cancel(Store *store, const char *job_id, Arena *arena, JobRecord *ret_job,
                        Error *err)
{
    CancelOp cancel = {.op = {.run = job_cancel_run, .settle = job_cancel_settle}, .id = job_id};
    Status status = writer_do(store, &cancel.op, err);
    if (status == OK)
        status = store_job_get(store, job_id, arena, ret_job, err);
    return status;
}

typedef struct DeleteOp {
    WriteOp op;
    const char *id;
    QueueEntry entry;
    bool queued; /* was in the queue, and is taken from it for the time being */
} DeleteOp;

/* What is to be known of a job before it is deleted. */
typedef struct DeleteLook {
    int64_t seq;
    JobState state;
    char model[HASH_TEXT_MAX];
    bool sound;
} DeleteLook;

static Status delete_look(Store *store, const char *id, DeleteLook *ret_look, Error *err)
{
    Query query =
        query_new(&store->writer.connection, "SELECT j.seq, j.state, j.model_id, " JOB_SOUND_ID
                                             " FROM jobs j WHERE j.id = ?1");
    query_text(&query, 1, id);
    const bool found = query_next(&query);
    if (found) {
        ret_look->seq = row_int(&query, 0);
        ret_look->sound =
            row_int(&query, 3) && job_state_parse(row_peek(&query, 1), &ret_look->state);
        snprintf(ret_look->model, sizeof ret_look->model, "%s", row_peek(&query, 2));
    }
    Status status = query_end(&query, err);
    return status == OK && !found ? job_missing(id, err) : status;
}

/* Of a damaged job only the memory knows whether it runs. */
static Status delete_from_memory(Store *store, DeleteOp *deletion, Error *err)
{
    pthread_mutex_lock(&store->mutex);
    const bool runs = lease_find(&store->leases, deletion->id) != NULL;
    const QueueEntry *entry = runs ? NULL : queue_find(&store->queue, deletion->id);
    deletion->queued = entry != NULL;
    if (entry) {
        deletion->entry = *entry;
        queue_remove(&store->queue, &deletion->entry);
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

/* The indexes may know the row as it was: it is not found in them until they are made anew. */
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
    return status == OK ? writer_recount(store, err) : status;
}

static Status job_delete_run(Store *store, WriteOp *op, Error *err)
{
    DeleteOp *deletion = (DeleteOp *)op;
    Connection *connection = &store->writer.connection;
    DeleteLook look = {0};
    Status status = delete_look(store, deletion->id, &look, err);
    if (status != OK)
        return status;
    if (look.sound && !job_state_done(look.state))
        return error_set(err, ERR_CONFLICT, "the job is %s; cancel it first",
                         job_state_name(look.state));
    store->writer.gives_back = true;
    writer_revision(store);
    if (!look.sound)
        return delete_damaged(store, deletion, look.seq, err);
    writer_count(store, look.state, -1);
    status = delete_row(connection, look.seq, err);
    return status == OK ? model_drop_unused(connection, look.model, err) : status;
}

static void job_delete_settle(Store *store, WriteOp *op)
{
    DeleteOp *deletion = (DeleteOp *)op;
    if (!deletion->queued)
        return;
    if (op->status != OK) {
        queue_insert(&store->queue, &deletion->entry);
        return;
    }
    queue_unseat(&store->queue);
    store->n_unreadable -= deletion->entry.attempt == ATTEMPT_LEFT_OUT;
    if (deletion->entry.ensemble)
        live_ensemble_remove(store, deletion->entry.ensemble);
}

Status store_job_delete(Store *store, const char *job_id, Error *err)
{
    DeleteOp deletion = {.op = {.run = job_delete_run, .settle = job_delete_settle}, .id = job_id};
    return writer_do(store, &deletion.op, err);
}
