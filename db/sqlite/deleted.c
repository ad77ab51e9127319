/* One row for each deleted job, by the revision of its deletion. Each deletion removes some old
 * rows, so that the work is spread; a store without deletions keeps them longer. */
#include "db/sqlite/deleted.h"

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"

/* deleted_forgotten: deletions up to this revision are forgotten. */
const char schema_deleted_jobs[] =
    "CREATE TABLE deleted ("
    "  revision INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL,"
    "  deleted_ms INTEGER NOT NULL,"
    "  checksum INTEGER NOT NULL"
    ") STRICT;"
    "ALTER TABLE store ADD COLUMN deleted_forgotten INTEGER NOT NULL DEFAULT 0;"
    "UPDATE store SET deleted_forgotten = revision";

#define AT_ONCE "64" /* old rows that one deletion examines */

static Status insert(Connection *connection, const char *job_id, int64_t revision, int64_t now,
                     Error *err)
{
    Query query = query_new(connection, "INSERT INTO deleted (" DELETED_SAYS ", checksum) "
                                        "VALUES (?1, ?2, ?3, row_checksum(?1, ?2, ?3))");
    query_int(&query, 1, revision);
    query_text(&query, 2, job_id);
    query_int(&query, 3, now);
    return query_run(&query, err);
}

/* The revision of the newest among the oldest rows that may be forgotten; 0: none. */
static Status find_old(Connection *connection, int64_t before_ms, int64_t *ret_revision, Error *err)
{
    Query query =
        query_new(connection, "SELECT max(revision) FROM (SELECT revision, deleted_ms FROM deleted "
                              "ORDER BY revision LIMIT " AT_ONCE ") WHERE deleted_ms < ?1");
    query_int(&query, 1, before_ms);
    *ret_revision = query_next(&query) ? row_int(&query, 0) : 0;
    return query_end(&query, err);
}

static Status forget(Connection *connection, int64_t revision, Error *err)
{
    Query note = query_new(connection, "UPDATE store SET deleted_forgotten = ?1");
    query_int(&note, 1, revision);
    Status status = query_run(&note, err);
    if (status != OK)
        return status;
    Query query = query_new(connection, "DELETE FROM deleted WHERE revision <= ?1");
    query_int(&query, 1, revision);
    return query_run(&query, err);
}

Status deleted_add(Store *store, const char *job_id, int64_t revision, Error *err)
{
    Connection *connection = &store->writer.connection;
    const int64_t now = clock_unix_ms();
    int64_t old = 0;
    Status status = insert(connection, job_id, revision, now, err);
    if (status == OK && store->keep_deleted_ms > 0)
        status = find_old(connection, now - store->keep_deleted_ms, &old, err);
    return status == OK && old > 0 ? forget(connection, old, err) : status;
}

static Status read_forgotten(Connection *reader, int64_t *ret, Error *err)
{
    return connection_int(reader, "SELECT deleted_forgotten FROM store", ret, err);
}

/* Reads the forgotten revision last, so that it covers deletions forgotten during the list. */
Status store_deleted_list(Store *store, int64_t since, size_t limit, Arena *arena,
                          DeletedJob **ret_jobs, size_t *ret_n, int64_t *ret_forgotten, Error *err)
{
    DeletedJob *jobs = ARENA_NEW(arena, limit, DeletedJob);
    size_t n = 0;
    if (!jobs)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of jobs");
    /* read the deletions after `since` */
    Connection *reader = reader_take(store);
    Query query = query_new(reader, "SELECT revision, id, checksum = row_checksum(" DELETED_SAYS
                                    ") FROM deleted WHERE revision > ?1 "
                                    "ORDER BY revision LIMIT ?2");
    query_int(&query, 1, since);
    query_int(&query, 2, (int64_t)limit);
    while (query_next(&query)) {
        jobs[n].revision = row_int(&query, 0);
        job_id_copy(jobs[n].id, row_peek(&query, 1));
        job_sound(&query, row_int(&query, 2) != 0, jobs[n].id);
        n++;
    }
    Status status = query_end(&query, err);
    if (status == OK)
        status = read_forgotten(reader, ret_forgotten, err);
    reader_give(store, reader);
    if (status == OK) {
        *ret_jobs = jobs;
        *ret_n = n;
    }
    return status;
}
