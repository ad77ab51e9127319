/* Notifications: one row for each job that asked for one. A trigger makes the row due in the
 * transaction that ends the job, so that both reach the disk together. The outcome of an attempt is
 * written after it. */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

/* events: JSON list of names of states. A row that was damaged before a change gets
 * CHECKSUM_DAMAGED, and its notification is never sent. */
const char schema_calls[] =
    "CREATE TABLE calls ("
    "  job INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE,"
    "  url TEXT NOT NULL,"
    "  origin TEXT NOT NULL,"
    "  events TEXT NOT NULL,"
    "  attempts INTEGER NOT NULL CHECK (attempts >= 0),"
    "  status INTEGER,"
    "  error TEXT,"
    "  last_ms INTEGER,"
    "  next_ms INTEGER,"
    "  delivered_ms INTEGER,"
    "  checksum INTEGER NOT NULL,"
    "  CHECK (next_ms IS NULL OR delivered_ms IS NULL)"
    ") STRICT;"
    "CREATE INDEX calls_by_origin ON calls (origin, next_ms) WHERE next_ms IS NOT NULL;"
    "CREATE INDEX calls_by_time ON calls (next_ms) WHERE next_ms IS NOT NULL;"

    "CREATE TRIGGER calls_due AFTER UPDATE OF state ON jobs "
    "WHEN old.finished_ms IS NULL AND new.finished_ms IS NOT NULL BEGIN "
    "UPDATE calls SET next_ms = new.finished_ms WHERE job = new.seq AND "
    "(instr(events, '\"done\"') OR instr(events, '\"' || new.state || '\"')); END;"

    "CREATE TRIGGER calls_changed AFTER UPDATE ON calls WHEN old.checksum = new.checksum BEGIN "
    "UPDATE calls SET checksum = iif(old.checksum = row_checksum(" CALL_SAYS(
        "old.") "), "
                "row_checksum(" CALL_SAYS("new.") "), " CHECKSUM_DAMAGED
                                                  ") WHERE job = new.job; END";

Status call_add(Connection *connection, int64_t job, const JobNotify *notify, Error *err)
{
    Query query =
        query_new(connection, "INSERT INTO calls (job, url, origin, events, attempts, checksum) "
                              "VALUES (?1, ?2, ?3, ?4, 0, "
                              "row_checksum(?1, ?2, ?3, ?4, 0, NULL, NULL, NULL, NULL, NULL))");
    query_int(&query, 1, job);
    query_text(&query, 2, notify->url);
    query_text(&query, 3, notify->origin);
    query_text(&query, 4, notify->on);
    return query_run(&query, err);
}

/* Goes from origin to origin, so that many calls of one origin cost nothing for the others. */
#define DUE                                                                                \
    "WITH RECURSIVE origins (o) AS ("                                                      \
    "SELECT min(origin) FROM calls WHERE next_ms IS NOT NULL AND origin > ?1 UNION ALL "   \
    "SELECT (SELECT min(origin) FROM calls WHERE next_ms IS NOT NULL AND origin > o) "     \
    "FROM origins WHERE o IS NOT NULL) "                                                   \
    "SELECT j.id, j.state, j.revision, j.finished_ms, c.url, c.origin, c.attempts, "       \
    "(SELECT t.name FROM tenants t WHERE t.seq = j.tenant), j.request_id, j.traceparent, " \
    "j.tenant "                                                                            \
    "FROM origins CROSS JOIN calls c ON c.job IN (SELECT d.job FROM calls d WHERE "        \
    "d.origin = o AND d.next_ms <= ?2 ORDER BY d.next_ms LIMIT ?3) JOIN jobs j ON "        \
    "j.seq = c.job WHERE " CALL_SOUND " AND " JOB_SOUND " LIMIT ?4"

Status store_calls_due(Store *store, int64_t now_ms, const char *after_origin, size_t each,
                       size_t most, Arena *arena, DueCall **ret_calls, size_t *ret_n, Error *err)
{
    DueCall *calls = ARENA_NEW(arena, most, DueCall);
    size_t n = 0;
    if (!calls)
        return error_set(err, ERR_NO_MEMORY, "out of memory for notifications");
    /* read at most `each` calls of an origin, `most` in total */
    Connection *reader = reader_take(store);
    Query query = query_new(reader, DUE);
    query_text(&query, 1, after_origin);
    query_int(&query, 2, now_ms);
    query_int(&query, 3, (int64_t)each);
    query_int(&query, 4, (int64_t)most);
    while (n < most && query_next(&query)) {
        DueCall *call = &calls[n++];
        *call = (DueCall){.tenant = row_text(&query, 7, arena),
                          .tenant_number = row_int(&query, 10),
                          .revision = row_int(&query, 2),
                          .finished_ms = row_int(&query, 3),
                          .url = row_text(&query, 4, arena),
                          .origin = row_text(&query, 5, arena),
                          .attempts = (unsigned)row_int(&query, 6),
                          .trace = {.request_id = row_text(&query, 8, arena),
                                    .traceparent = row_text(&query, 9, arena)}};
        job_id_copy(call->job_id, row_peek(&query, 0));
        (void)job_state_parse(row_peek(&query, 1), &call->state);
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    /* report a text that could not be copied */
    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK) {
        *ret_calls = calls;
        *ret_n = n;
    }
    return status;
}

static Status read_int(Store *store, const char *sql, int64_t *ret, Error *err)
{
    Connection *reader = reader_take(store);
    const Status status = connection_int(reader, sql, ret, err);
    reader_give(store, reader);
    return status;
}

Status store_calls_next(Store *store, int64_t *ret_ms, Error *err)
{
    return read_int(store, "SELECT coalesce(min(next_ms), 0) FROM calls WHERE next_ms IS NOT NULL",
                    ret_ms, err);
}

Status store_calls_pending(Store *store, uint64_t *ret_n, Error *err)
{
    int64_t n;
    const Status status =
        read_int(store, "SELECT count(*) FROM calls WHERE next_ms IS NOT NULL", &n, err);
    if (status == OK)
        *ret_n = (uint64_t)n;
    return status;
}

typedef struct MadeOp {
    WriteOp op;
    const MadeCall *calls; /* n */
    size_t n;
} MadeOp;

static Status write_made(Connection *connection, const MadeCall *call, Error *err)
{
    Query query = query_new(
        connection, "UPDATE calls SET attempts = attempts + 1, status = ?2, error = ?3, "
                    "last_ms = ?4, next_ms = ?5, delivered_ms = ?6 WHERE next_ms IS NOT NULL AND "
                    "job = (SELECT seq FROM jobs WHERE id = ?1)");
    query_text(&query, 1, call->job_id);
    if (call->status)
        query_int(&query, 2, call->status);
    query_text(&query, 3, call->error);
    query_int(&query, 4, call->made_ms);
    if (call->error && call->next_ms)
        query_int(&query, 5, call->next_ms);
    if (!call->error)
        query_int(&query, 6, call->made_ms);
    return query_run(&query, err);
}

static Status calls_made_run(Store *store, WriteOp *op, Error *err)
{
    const MadeOp *made = (const MadeOp *)op;
    Status status = OK;
    for (size_t k = 0; k < made->n && status == OK; k++)
        status = write_made(&store->writer.connection, &made->calls[k], err);
    return status;
}

Status store_calls_made(Store *store, const MadeCall *calls, size_t n, Error *err)
{
    MadeOp made = {.op = {.run = calls_made_run}, .calls = calls, .n = n};
    return writer_do(store, &made.op, err);
}
