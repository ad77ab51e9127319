/* Before a store is used: settles the jobs that ran when the last process died, then loads the
 * queue and the ledger. */
#include "db/sqlite/sqlite_store.h"

#include <string.h>

#include "core/base/clock.h"

/* SQL: the job is an ensemble with members left to run. */
#define MEMBERS_LEFT                                                                    \
    "EXISTS (SELECT 1 FROM results r WHERE r.job = jobs.seq AND r.members > " UNIT_SUM( \
        "u.n") " AND NOT EXISTS (SELECT 1 FROM units s WHERE s.job = r.job AND s.deaths < 0))"
#define UNIT_HALF(first, n)                                                                 \
    "INSERT INTO units (job, first, n, deaths, checksum) SELECT job, " first ", " n ", 1, " \
    "row_checksum(job, " first ", " n ", 1, NULL) FROM units "                              \
    "WHERE token IS NOT NULL AND n > 1 AND checksum = row_checksum(" UNIT_SAYS("") ")"

#define NEXT_REVISION "(SELECT l.revision + 1 FROM ledgers l WHERE l.tenant = jobs.tenant)"
#define NEWEST_IN(table) \
    "coalesce((SELECT max(r.revision) FROM " table " r WHERE r.tenant = ledgers.tenant), 0)"
#define NEWEST_OF_JOBS "max(" NEWEST_IN("jobs") ", " NEWEST_IN("deleted") ")"

/* Parameters of all statements: ?1 the new revision of the store, ?2 the time, ?3 max_attempts. OR
 * IGNORE keeps a damaged row that violates a constraint as it is. */

/* Jobs whose process died during the last of their attempts. */
static const char FAIL_LOST[] =
    "UPDATE OR IGNORE jobs SET state = 'failed', token = NULL, revision = " NEXT_REVISION
    ", finished_ms = ?2, "
    "  reason = 'worker_lost', error = json_object('type', '/problems/worker_lost', "
    "    'title', 'The process ended while the job ran', 'status', 500, 'detail', "
    "    printf('The process ended without a result each of the %d times this job ran.', "
    "           attempt), 'instance', '/v1/jobs/' || id, 'code', 'worker_lost') "
    "WHERE state = 'running' AND attempt >= ?3 AND NOT " MEMBERS_LEFT;

static const char *const STEPS[] = {
    /* a damaged counter must not fall behind the jobs */
    "UPDATE ledgers SET revision = " NEWEST_OF_JOBS " WHERE revision < " NEWEST_OF_JOBS,
    /* units whose process died: remove their rows; queue their halves, down to single members */
    "DELETE FROM blocks WHERE seq IN (SELECT b.seq FROM units u JOIN blocks b ON b.job = u.job AND "
    "b.tab >= 0 AND b.first_row >> " MEMBER_BITS " BETWEEN u.first AND u.first + u.n - 1 "
    "WHERE u.token IS NOT NULL)",
    UNIT_HALF("first", "n / 2"),
    UNIT_HALF("first + n / 2", "n - n / 2"),
    "DELETE FROM units WHERE token IS NOT NULL AND n > 1 AND "
    "checksum = row_checksum(" UNIT_SAYS("") ")",
    "UPDATE units SET token = NULL, deaths = max(deaths, 1) + 1, "
    "checksum = row_checksum(job, first, n, max(deaths, 1) + 1, NULL) "
    "WHERE token IS NOT NULL AND checksum = row_checksum(" UNIT_SAYS("") ")",
    /* carry out requested cancellations; the stored rows are kept */
    "UPDATE OR IGNORE jobs SET state = 'cancelled', token = NULL, revision = " NEXT_REVISION
    ", finished_ms = ?2 "
    "WHERE state IN ('queued', 'running') AND cancel_requested",
    FAIL_LOST,
    "DELETE FROM results WHERE members IS NULL AND "
    "job IN (SELECT seq FROM jobs WHERE state = 'running')",
    /* an ensemble counts deaths by unit, until only its end is left to run */
    "UPDATE OR IGNORE jobs SET state = 'queued', token = NULL, revision = " NEXT_REVISION
    ", started_ms = NULL, "
    "attempt = iif(" MEMBERS_LEFT ", 0, attempt) WHERE state = 'running'",
    /* write nothing if nothing has changed, so that a full disk can be opened */
    "UPDATE store SET revision = ?1 WHERE EXISTS (SELECT 1 FROM ledgers WHERE " NEWEST_OF_JOBS
    " > revision)",
    "UPDATE ledgers SET revision = revision + 1 WHERE " NEWEST_OF_JOBS " > revision",
};

static Status settle_dead(Store *store, Error *err)
{
    Connection *connection = &store->writer.connection;
    int64_t revision;
    Status status = revision_read(connection, &revision, err);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && status == OK; i++) {
        Query query = query_new(connection, STEPS[i]);
        const int parameters = sqlite3_bind_parameter_count(query.statement);
        if (parameters >= 1)
            query_int(&query, 1, revision + 1);
        if (parameters >= 2)
            query_int(&query, 2, clock_unix_ms());
        if (parameters >= 3)
            query_int(&query, 3, store->max_attempts);
        status = query_run(&query, err);
        if (status == OK && STEPS[i] == FAIL_LOST)
            store->opening.lost_jobs = (uint64_t)sqlite3_changes(connection->db);
    }
    return status;
}

static Status load_ensemble(Store *store, Query *query, Error *err)
{
    Error damage = {0};
    LiveEnsemble *ensemble = live_ensemble_new(tenant_number(row_int(query, 6)), row_peek(query, 0),
                                               (int)row_int(query, 2), (uint64_t)row_int(query, 4));
    if (!ensemble)
        return error_set(err, ERR_NO_MEMORY, "out of memory for an ensemble");
    /* fill in the stored fields */
    ensemble->attempt = (unsigned)row_int(query, 1);
    ensemble->seq = row_int(query, 3);
    ensemble->not_after_ms = row_int(query, 5);
    live_ensemble_add(store, ensemble);
    /* a damaged ensemble is left out; the others still load */
    const Status status = live_ensemble_load(store, &store->writer.connection, ensemble, &damage);
    if (status == ERR_DAMAGED)
        live_ensemble_leave_out(store, ensemble, &damage);
    else if (status == OK)
        live_ensemble_requeue(store, ensemble);
    else
        return error_set(err, status, "%s", damage.message);
    return OK;
}

static Status load_job(Store *store, Query *query, Error *err)
{
    const int64_t tenant = tenant_number(row_int(query, 6));
    if (!queue_seat(queue_of(store, tenant)))
        return error_set(err, ERR_NO_MEMORY, "out of memory for the queue");
    if (row_int(query, 4) > 0)
        return load_ensemble(store, query, err);
    QueueEntry entry = queue_entry(tenant, row_peek(query, 0), (unsigned)row_int(query, 1),
                                   (int)row_int(query, 2));
    entry.not_after_ms = row_int(query, 5);
    queue_insert(queue_of(store, tenant), &entry);
    if (store->last_place < entry.place)
        store->last_place = entry.place;
    return OK;
}

static Status load_queue(Store *store, Error *err)
{
    Status loaded = OK;
    Query query = query_new(&store->writer.connection,
                            "SELECT j.id, j.attempt, j.priority, j.seq, r.members, "
                            "j.not_after_ms, j.tenant FROM jobs j LEFT JOIN results r ON r.job = "
                            "j.seq WHERE j.state = 'queued' "
                            "ORDER BY j.attempt, j.priority DESC, j.seq");
    while (loaded == OK && query_next(&query))
        loaded = load_job(store, &query, err);
    Status status = query_end(&query, loaded == OK ? err : NULL);
    return loaded == OK ? status : loaded;
}

static Status load_ids(Store *store, Error *err)
{
    Query query = query_new(&store->writer.connection, "SELECT max(id) FROM jobs");
    if (query_next(&query))
        uuid_resume(&store->writer.ids, row_peek(&query, 0));
    Status status = query_end(&query, err);
    if (status != OK)
        return status;
    query = query_new(&store->writer.connection, "SELECT last_without_cell FROM store");
    if (query_next(&query))
        job_id_copy(store->last_without_cell, row_peek(&query, 0));
    return query_end(&query, err);
}

Status rescue_jobs(Store *store, bool settle, Error *err)
{
    Connection *connection = &store->writer.connection;
    /* settle the jobs of the process that died, in one transaction */
    Status status = connection_exec(connection, "BEGIN IMMEDIATE", err);
    if (status == OK && settle)
        status = settle_dead(store, err);
    if (status == OK)
        status = connection_exec(connection, "COMMIT", err);
    /* load the revision, the counts, the queue and the ids */
    if (status == OK)
        status = revision_read(connection, &store->writer.revisions.store, err);
    if (status == OK)
        status = tenants_load(store, err);
    if (status == OK)
        status = load_queue(store, err);
    if (status == OK)
        status = load_ids(store, err);
    if (status != OK) {
        error_prefix(err, "'%s'", store->path);
        return status;
    }
    store->revision = store->writer.revisions.store;
    return OK;
}
