/* A run from its claim to its end: the transitions of a job that hold a lease, each guarded by
 * attempt and token. */
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/member_texts.h"

Status lease_missing(const char *job_id, Error *err)
{
    return error_set(err, ERR_CONFLICT, "this run of job '%.40s' has lost its lease", job_id);
}

void lease_bind(Query *query, const Lease *lease)
{
    query_int(query, 1, lease->seq);
    query_int(query, 2, lease->attempt);
    query_int(query, 3, lease->token);
}

Lease *lease_held(const Store *store, const char *job_id, int64_t token)
{
    Lease *lease = lease_of(&store->leases, job_id, token);
    return lease && !lease->closing ? lease : NULL;
}

void lease_lose(Store *store, Lease *lease)
{
    if (lease->lost)
        return;
    if (lease->ensemble)
        live_ensemble_remove(store, lease->ensemble);
    lease_remove(&store->leases, lease);
    queue_unseat(queue_of(store, lease->tenant));
}

void lease_settle(Store *store, WriteOp *op)
{
    if (op->status != OK)
        lease_lose(store, op->lease);
    free(op);
}

static Status claim_run(Store *store, WriteOp *op, Error *err)
{
    const Lease *lease = op->lease;
    Query query = query_new(&store->writer.connection,
                            "UPDATE jobs SET state = 'running', attempt = ?2, token = ?3, "
                            "started_ms = ?4, revision = ?5 "
                            "WHERE seq = ?1 AND state = 'queued' AND attempt = ?2 - 1");
    lease_bind(&query, lease);
    query_int(&query, 4, lease->started_ms);
    query_int(&query, 5, writer_revision(store, lease->tenant));
    Status status = query_run(&query, err);
    if (status == OK && !connection_changed(&store->writer.connection))
        status = lease_missing(lease->id, err);
    return status;
}

/* Settles the claim of an ensemble's first unit. */
static void ensemble_claim_settle(Store *store, WriteOp *op)
{
    Lease *lease = op->lease;
    LiveEnsemble *ensemble = op->status == OK ? NULL : live_ensemble_find(store, lease->id);
    if (ensemble && ensemble->lease == lease)
        live_ensemble_leave_out(store, ensemble, &op->err);
    else if (ensemble && ensemble->ending)
        lease_lose(store, lease);
    free(op);
}

/* A claim under way, with the memory it needs; unused memory is freed at its end. */
typedef struct Claim {
    Lease *lease;
    WriteOp *op;
    char id[JOB_ID_MAX];
    LiveEnsemble *ensemble; /* or NULL */
    bool in_units;
    Lease *held; /* of a job that is handed out with a token */
    int64_t tenant, token, started_ms;
    unsigned attempt;
    uint64_t used_ms; /* of an ensemble */
} Claim;

/* Uses the claim's lease for a job with this number of earlier attempts. */
static Lease *claim_use(Claim *claim, int64_t tenant, unsigned attempt, int priority)
{
    Lease *lease = claim->lease;
    claim->lease = NULL;
    memcpy(lease->id, claim->id, sizeof lease->id);
    lease->tenant = tenant;
    lease->attempt = attempt + 1;
    lease->priority = priority;
    return lease;
}

/* The job of an ensemble begins with its first unit and runs until the ensemble is ended. */
static void take_ensemble(Store *store, LiveEnsemble *ensemble, Claim *claim)
{
    claim->ensemble = ensemble;
    claim->in_units = live_ensemble_next(store, ensemble) != NULL;
    claim->used_ms = live_ensemble_used_ms(ensemble);
    /* first unit: claim the job */
    if (!ensemble->lease) {
        ensemble->lease =
            lease_ref(claim_use(claim, ensemble->tenant, ensemble->attempt, ensemble->priority));
        ensemble->lease->seq = ensemble->seq;
        *claim->op =
            (WriteOp){.run = claim_run, .settle = ensemble_claim_settle, .lease = ensemble->lease};
        writer_post(store, claim->op);
        claim->op = NULL;
    }
    /* hand out a unit, or the end of the ensemble */
    if (claim->in_units) {
        ensemble->place = ++store->last_place;
    } else {
        claim->held = ensemble->lease;
        lease_add(&store->leases, claim->held);
        claim->held->ensemble = ensemble;
        claim->held->cancel_wanted = ensemble->cancel_wanted;
        ensemble->lease = NULL;
        lease_unref(claim->held);
        ensemble->ending = true;
    }
    live_ensemble_requeue(store, ensemble);
}

static void take_job(Store *store, const QueueEntry *entry, Claim *claim)
{
    claim->held = claim_use(claim, entry->tenant, entry->attempt, entry->priority);
    claim->held->not_after_ms = entry->not_after_ms;
    lease_add(&store->leases, claim->held);
    queue_remove(queue_of(store, entry->tenant), entry);
}

/* Whether a worker may take the job. Jobs whose process died run one at a time, so that a job that
 * kills the process takes no other such job with it. */
static bool queue_hands_out(const Store *store, const QueueEntry *entry)
{
    if (!entry || entry->attempt == ATTEMPT_LEFT_OUT || (entry->attempt && store->leases.rescued))
        return false;
    const uint64_t most = store->queues.running_max[entry->tenant];
    return most == 0 || store->leases.running[entry->tenant] < most;
}

/* The job that a worker is to take: the first one of the tenant whose turn it is. The turn goes
 * round, so that each tenant with waiting jobs is served once in a round. Jobs whose process died
 * come after the jobs of all tenants. but: this ensemble is passed over. */
static const QueueEntry *queue_next(const Store *store, const LiveEnsemble *but)
{
    const int64_t now = clock_unix_ms(), n = store->queues.n;
    const QueueEntry *died = NULL;
    for (int64_t k = 0; k < n; k++) {
        const JobQueue *queue = &store->queues.of[(store->queues.turn + k) % n + 1];
        const QueueEntry *entry = queue->count ? queue_first(queue, now, but) : NULL;
        if (!queue_hands_out(store, entry))
            continue;
        if (entry->attempt == 0)
            return entry;
        died = died ? died : entry;
    }
    return died;
}

static Status take_next(Store *store, Claim *claim, Error *err)
{
    const QueueEntry *entry = queue_next(store, NULL);
    /* no job is begun while writes fail */
    if (store->health != OK) {
        *err = store->health_error;
        return store->health;
    }
    if (!entry)
        return error_set(err, ERR_NOT_FOUND, "no job is queued");
    store->queues.turn = entry->tenant;
    memcpy(claim->id, entry->id, sizeof claim->id);
    if (entry->ensemble)
        take_ensemble(store, entry->ensemble, claim);
    else
        take_job(store, entry, claim);
    /* copy the values for the caller */
    const Lease *lease = claim->held ? claim->held : claim->ensemble->lease;
    claim->token = claim->held ? lease->token : 0;
    claim->started_ms = lease->started_ms;
    claim->attempt = lease->attempt;
    claim->tenant = lease->tenant;
    return OK;
}

StoreOthers store_others_wait(Store *store, const char *job_id)
{
    pthread_mutex_lock(&store->mutex);
    const LiveEnsemble *own = live_ensemble_find(store, job_id);
    const QueueEntry *entry = queue_next(store, own);
    StoreOthers others = OTHERS_NONE;
    if (store->health == OK && entry &&
        (!own || entry->tenant != own->tenant || entry->priority >= own->priority))
        others = entry->ensemble && live_ensemble_next(store, entry->ensemble) ? OTHERS_ENSEMBLE
                                                                               : OTHERS_JOB;
    pthread_mutex_unlock(&store->mutex);
    return others;
}

static void lease_put_back(Store *store, Lease *lease)
{
    if (lease->ensemble) {
        lease->ensemble->ending = false;
        live_ensemble_requeue(store, lease->ensemble);
        lease_remove(&store->leases, lease);
        return;
    }
    QueueEntry entry = queue_entry(lease->tenant, lease->id, lease->attempt - 1, lease->priority);
    entry.not_after_ms = lease->not_after_ms;
    queue_insert(queue_of(store, lease->tenant), &entry);
    lease_remove(&store->leases, lease);
}

/* A damaged job would be claimed again and again, and block the others. It stays behind all others
 * until it is deleted. */
static void lease_leave_out(Store *store, Lease *lease, const Error *reason)
{
    const QueueEntry entry =
        queue_entry(lease->tenant, lease->id, ATTEMPT_LEFT_OUT, lease->priority);
    queue_insert(queue_of(store, lease->tenant), &entry);
    if (store->n_unreadable++ == 0)
        store->unreadable = *reason;
    lease_remove(&store->leases, lease);
}

/* Reads the stored job and the number of its row. */
static Status read_claimed(Store *store, const char *job_id, Arena *arena, JobLease *ret_lease,
                           int64_t *ret_seq, Error *err)
{
    Connection *reader = reader_take(store);
    /* read the job with its request; a damaged request becomes NULL */
    Query query = query_new(
        reader, "SELECT " JOB_COLUMNS ", q.bytes, " CHECKSUM_DUE(
                    "q.checksum", "q.job",
                    UNCHECKED_JOBS) " FROM jobs j " JOB_PARTS
                                    "LEFT JOIN requests q ON q.job = j.seq WHERE j.id = ?1");
    query_text(&query, 1, job_id);
    const bool found = query_next(&query);
    if (found) {
        job_row(&query, arena, &ret_lease->job);
        job_sound(&query, strcmp(ret_lease->job.id, job_id) == 0, job_id);
        *ret_seq = row_int(&query, JOB_COLUMN_SEQ);
        ret_lease->request = row_bytes(&query, JOB_COLUMN_COUNT, arena, &ret_lease->request_size);
        const int64_t checksum =
            request_checksum(*ret_seq, ret_lease->request, ret_lease->request_size);
        if (!ret_lease->request || !checksum_agrees(&query, JOB_COLUMN_COUNT + 1, checksum)) {
            (void)!damage(store, NULL, "the request is damaged");
            ret_lease->request = NULL;
        }
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK && !found)
        status = damage(store, err, "it is queued, but its row is missing");
    if (status == ERR_DAMAGED)
        error_prefix(err, "job %s cannot be read", job_id);
    return status;
}

/* Nobody owns an ensemble that is handed out in units: it may have ended and gone meanwhile. */
static Status claim_undo_ensemble(Store *store, const Claim *claim, Status status, Error *err)
{
    LiveEnsemble *ensemble = live_ensemble_find(store, claim->id);
    if (ensemble && claim->held) {
        claim->held->ensemble = NULL;
        ensemble->lease = lease_ref(claim->held);
        lease_remove(&store->leases, claim->held);
        claim->held->lost = false;
        ensemble->ending = false;
        live_ensemble_requeue(store, ensemble);
    }
    if (ensemble && status == ERR_DAMAGED)
        live_ensemble_leave_out(store, ensemble, err);
    return ensemble ? status : error_set(err, ERR_NOT_FOUND, "no job is queued");
}

static Status claim_undo(Store *store, Claim *claim, Status status, Error *err)
{
    if (claim->ensemble)
        return claim_undo_ensemble(store, claim, status, err);
    if (status == ERR_DAMAGED)
        lease_leave_out(store, claim->held, err);
    else
        lease_put_back(store, claim->held);
    return status;
}

static Status claim_next(Store *store, Claim *claim, Arena *arena, JobLease *ret_lease, Error *err)
{
    int64_t seq = 0;
    pthread_mutex_lock(&store->mutex);
    Status status = take_next(store, claim, err);
    pthread_mutex_unlock(&store->mutex);
    if (status != OK)
        return status;
    /* the job is taken in memory: read it without the mutex, then write the claim or undo it */
    status = read_claimed(store, claim->id, arena, ret_lease, &seq, err);
    pthread_mutex_lock(&store->mutex);
    if (status != OK) {
        status = claim_undo(store, claim, status, err);
    } else if (!claim->ensemble) {
        Lease *lease = claim->held;
        lease->seq = seq;
        lease->cancel_wanted = lease->cancel_wanted || ret_lease->job.cancel_requested;
        *claim->op = (WriteOp){.run = claim_run, .settle = lease_settle, .lease = lease};
        writer_post(store, claim->op);
        claim->op = NULL;
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

Status store_job_claim(Store *store, Arena *arena, JobLease *ret_lease, Error *err)
{
    Error reason = {0};
    JobLease result = {0};
    uint64_t token = 0;
    Status status = secure_random(&token, sizeof token, err);
    if (status != OK)
        return status;
    Claim claim = {.lease = alloc_array(1, sizeof *claim.lease),
                   .op = alloc_array(1, sizeof *claim.op)};
    if (claim.lease && claim.op) {
        claim.lease->token = (int64_t)(token >> 1);
        claim.lease->started_ms = clock_unix_ms();
        status = claim_next(store, &claim, arena, &result, &reason);
    } else {
        status = error_set(&reason, ERR_NO_MEMORY, "out of memory for a claim");
    }
    free(claim.lease);
    free(claim.op);
    if (status != OK) {
        if (err)
            *err = reason;
        return status;
    }
    /* return the values that the writer will store */
    result.tenant = claim.tenant;
    result.token = claim.token;
    result.in_units = claim.in_units;
    result.used_ms = claim.used_ms;
    result.job.state = JOB_RUNNING;
    result.job.attempt = claim.attempt;
    result.job.started_ms = claim.started_ms;
    *ret_lease = result;
    return OK;
}

bool store_job_stop_wanted(Store *store, const char *job_id, int64_t token)
{
    pthread_mutex_lock(&store->mutex);
    const Lease *lease = lease_held(store, job_id, token);
    const LiveEnsemble *of = lease && lease->unit ? lease->ensemble : NULL;
    const bool wanted =
        !lease || lease->cancel_wanted || (of && (of->cancel_wanted || of->stopped));
    pthread_mutex_unlock(&store->mutex);
    return wanted;
}

bool store_job_waits(TenantStore of, const char *job_id)
{
    Store *store = of.store;
    pthread_mutex_lock(&store->mutex);
    const Lease *lease = lease_find(&store->leases, job_id);
    const bool waits = lease && lease->forsaken;
    pthread_mutex_unlock(&store->mutex);
    return waits;
}

typedef struct FinishOp {
    WriteOp op;
    const JobFinish *finish;
} FinishOp;

static bool has_evidence(const JobFinish *finish)
{
    return finish->diagnostics || finish->invariants;
}

/* JSON list of the row counts of all tables but the trajectory; NULL: no tables. */
static const char *rows_of_tables(const Lease *lease, Text *text)
{
    if (lease->n_tables <= 1)
        return NULL;
    for (size_t i = 1; i < lease->n_tables; i++)
        text_printf(text, "%s%llu", i > 1 ? "," : "[", (unsigned long long)lease->tables[i].rows);
    text_puts(text, "]");
    return text->data;
}

/* All rows of the run precede this operation in the queue, so they are written. */
static Status finish_job(Store *store, const FinishOp *op, const char *table_rows, Error *err)
{
    const JobFinish *finish = op->finish;
    const Lease *lease = op->op.lease;
    Query query = query_new(&store->writer.connection,
                            "UPDATE jobs SET state = ?4, token = NULL, revision = ?5, "
                            "finished_ms = ?6, complete = ?7, reason = ?8, error = ?9, "
                            "warnings = ?10, result_hash = ?11, rows = ?12, table_rows = ?13, "
                            "has_evidence = ?14, digest = ?15, program = ?16 WHERE " LEASE_GUARD);
    lease_bind(&query, lease);
    query_text(&query, 4, job_state_name(finish->state));
    query_int(&query, 5, writer_revision(store, lease->tenant));
    query_int(&query, 6, clock_unix_ms());
    query_int(&query, 7, finish->complete);
    query_text(&query, 8, finish->reason);
    query_text(&query, 9, finish->error);
    query_text(&query, 10, finish->warnings);
    query_text(&query, 11, finish->result_hash);
    /* the rows of an ensemble are its members; a run that never began has no count */
    if (lease->ensemble)
        query_int(&query, 12, (int64_t)lease->ensemble->done);
    else if (lease->begun)
        query_int(&query, 12, lease->n_tables ? (int64_t)lease->tables[0].rows : 0);
    query_text(&query, 13, table_rows);
    query_int(&query, 14, has_evidence(finish));
    query_text(&query, 15, finish->digest);
    query_text(&query, 16, finish->program);
    Status status = query_run(&query, err);
    if (status == OK && !connection_changed(&store->writer.connection))
        status = lease_missing(lease->id, err);
    return status;
}

static Status finish_run(Store *store, WriteOp *op, Error *err)
{
    const JobFinish *finish = ((FinishOp *)op)->finish;
    Text text = TEXT_INIT;
    const char *table_rows = rows_of_tables(op->lease, &text);
    Status status = text_ok(&text) ? finish_job(store, (FinishOp *)op, table_rows, err)
                                   : error_set(err, ERR_NO_MEMORY, "out of memory for a result");
    text_done(&text);
    if (status == OK && has_evidence(finish)) {
        Query query = query_new(&store->writer.connection,
                                "INSERT OR REPLACE INTO evidence "
                                "(job, diagnostics, invariants, checksum) VALUES (?1, ?2, ?3, ?4)");
        query_int(&query, 1, op->lease->seq);
        query_text(&query, 2, finish->diagnostics);
        query_text(&query, 3, finish->invariants);
        query_int(&query, 4,
                  evidence_checksum(op->lease->seq, finish->diagnostics, finish->invariants));
        status = query_run(&query, err);
    }
    if (status == OK && op->lease->ensemble) {
        Query query = query_new(&store->writer.connection, "DELETE FROM units WHERE job = ?1");
        query_int(&query, 1, op->lease->seq);
        status = query_run(&query, err);
    }
    if (status == OK && op->lease->ensemble && finish->diagnostics) /* they hold the texts */
        status = member_texts_drop(store, op->lease->seq, err);
    return status;
}

/* A failure that may pass keeps the lease, so that the end can be retried. Damage is permanent. */
static void end_settle(Store *store, WriteOp *op)
{
    Lease *lease = op->lease;
    if (op->status == OK || op->status == ERR_CONFLICT || op->status == ERR_DAMAGED)
        lease_lose(store, lease);
    else
        lease->closing = false;
}

static Status end_run(Store *store, const char *job_id, int64_t token, WriteOp *op, Error *err)
{
    Status status;
    pthread_mutex_lock(&store->mutex);
    op->lease = lease_held(store, job_id, token);
    if (op->lease && !op->lease->unit) {
        op->lease->closing = true;
        lease_close_blocks(op->lease);
        status = writer_await(store, op, err);
    } else {
        status = lease_missing(job_id, err);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

Status store_job_finish(Store *store, const char *job_id, int64_t token, const JobFinish *finish,
                        Error *err)
{
    if (!job_state_done(finish->state))
        return error_set(err, ERR_INVALID, "a run does not end %s", job_state_name(finish->state));
    FinishOp op = {.op = {.run = finish_run, .settle = end_settle}, .finish = finish};
    return end_run(store, job_id, token, &op.op, err);
}

typedef struct ReleaseOp {
    WriteOp op;
    bool cancelled;
} ReleaseOp;

static Status release_run(Store *store, WriteOp *op, Error *err)
{
    ReleaseOp *release = (ReleaseOp *)op;
    Connection *connection = &store->writer.connection;
    /* carry out a requested cancellation here, because nobody else would run the job */
    Query query = query_new(connection, "UPDATE jobs SET token = NULL, revision = ?4, "
                                        "state = iif(cancel_requested, 'cancelled', 'queued'), "
                                        "finished_ms = iif(cancel_requested, ?5, NULL), "
                                        "started_ms = iif(cancel_requested, started_ms, NULL), "
                                        "attempt = iif(cancel_requested, attempt, attempt - 1) "
                                        "WHERE " LEASE_GUARD " RETURNING cancel_requested");
    lease_bind(&query, op->lease);
    query_int(&query, 4, writer_revision(store, op->lease->tenant));
    query_int(&query, 5, clock_unix_ms());
    const bool found = query_next(&query);
    release->cancelled = found && row_int(&query, 0);
    Status status = query_run(&query, err);
    if (status == OK && !found)
        return lease_missing(op->lease->id, err);
    if (status == OK && !release->cancelled && !op->lease->ensemble) {
        Query rows = query_new(connection, "DELETE FROM results WHERE job = ?1");
        query_int(&rows, 1, op->lease->seq);
        status = query_run(&rows, err);
    }
    return status;
}

static void release_settle(Store *store, WriteOp *op)
{
    const bool awaited = op->awaited;
    if (op->status == OK && !((ReleaseOp *)op)->cancelled)
        lease_put_back(store, op->lease);
    else if (op->status == OK || awaited)
        end_settle(store, op);
    else
        lease_lose(store, op->lease);
    if (!awaited)
        free(op);
}

static const WriteOp RELEASE = {.run = release_run, .settle = release_settle};

/* The caller gives up the run in any case; a failed write is left to the writer, which retries. */
Status store_job_release(Store *store, const char *job_id, int64_t token, Error *err)
{
    ReleaseOp op = {.op = RELEASE}, *later = alloc_array(1, sizeof *later);
    if (!later)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a release");
    Status status = end_run(store, job_id, token, &op.op, err);
    /* the release failed: post it to the writer */
    pthread_mutex_lock(&store->mutex);
    Lease *lease = status == OK ? NULL : lease_held(store, job_id, token);
    if (lease && !lease->unit) {
        lease->closing = lease->forsaken = true;
        lease_close_blocks(lease);
        later->op = RELEASE;
        later->op.lease = lease;
        writer_post(store, &later->op);
        later = NULL;
    }
    pthread_mutex_unlock(&store->mutex);
    free(later);
    return status;
}
