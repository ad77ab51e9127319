/* Before a store is used: jobs that ran when the last process died are settled, then queue and
 * ledger are loaded. */
#include "db/sqlite/sqlite_store.h"

#include <string.h>

#include "core/base/clock.h"

/* Parameters: ?1 the new revision, ?2 the time, ?3 the number of attempts that is too many. A row that is
 * damaged so that it meets no constraint is left as it is. */
static const char *const STEPS[] = {
    /* a wish to cancel is carried out, what the run had stored is kept */
    "UPDATE OR IGNORE jobs SET state = 'cancelled', token = NULL, revision = ?1, finished_ms = ?2 "
    "WHERE state IN ('queued', 'running') AND cancel_requested",
    "UPDATE OR IGNORE jobs SET state = 'failed', token = NULL, revision = ?1, finished_ms = ?2, "
    "  reason = 'worker_lost', error = json_object('type', 'about:blank', 'title', 'worker lost', "
    "    'status', 500, 'code', 'worker_lost', 'detail', "
    "    printf('The process ended without a result each of the %d times this job ran.', "
    "           attempt)) "
    "WHERE state = 'running' AND attempt >= ?3",
    "DELETE FROM results WHERE job IN (SELECT seq FROM jobs WHERE state = 'running')",
    "UPDATE OR IGNORE jobs SET state = 'queued', token = NULL, revision = ?1, started_ms = NULL "
    "WHERE state = 'running'",
    /* nothing is written when nothing has changed: a full disk can be opened */
    "UPDATE store SET revision = ?1 WHERE EXISTS (SELECT 1 FROM jobs WHERE revision = ?1)",
};

/* Never below that of a job, whatever has become of the store's. */
#define LAST_REVISION \
    "SELECT max(revision, coalesce((SELECT max(revision) FROM jobs), 0)) FROM store"

static Status settle_dead(Store *store, Error *err)
{
    Connection *connection = &store->writer.connection;
    int64_t revision;
    Status status = connection_int(connection, LAST_REVISION, &revision, err);
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
    }
    return status;
}

static Status load_queue(Store *store, Error *err)
{
    bool room = true;
    Query query = query_new(&store->writer.connection,
                            "SELECT id, attempt, priority FROM jobs WHERE state = 'queued' "
                            "ORDER BY attempt, priority DESC, seq");
    while (room && query_next(&query)) {
        QueueEntry entry =
            queue_entry(row_peek(&query, 0), (unsigned)row_int(&query, 1), (int)row_int(&query, 2));
        room = queue_seat(&store->queue);
        if (room)
            queue_insert(&store->queue, &entry);
    }
    Status status = query_end(&query, err);
    return room ? status : error_set(err, ERR_NO_MEMORY, "out of memory for the queue");
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

Status rescue_jobs(Store *store, Error *err)
{
    Connection *connection = &store->writer.connection;
    Status status = connection_exec(connection, "BEGIN IMMEDIATE", err);
    if (status == OK)
        status = settle_dead(store, err);
    if (status == OK)
        status = connection_exec(connection, "COMMIT", err);
    if (status == OK)
        status = connection_int(connection, LAST_REVISION, &store->writer.ledger.revision, err);
    if (status == OK)
        status = writer_recount(store, err);
    if (status == OK)
        status = load_queue(store, err);
    if (status == OK)
        status = load_ids(store, err);
    if (status != OK) {
        error_prefix(err, "'%s'", store->path);
        return status;
    }
    store->ledger = store->writer.ledger;
    atomic_store(&store->revision, store->ledger.revision);
    return OK;
}
