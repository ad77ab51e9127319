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

static Status insert(TenantStore of, const char *job_id, int64_t revision, int64_t now, Error *err)
{
    Query query = query_new(&of.store->writer.connection,
                            "INSERT INTO deleted (" DELETED_SAYS ", tenant, checksum) VALUES (?1, "
                            "?2, ?3, ?4, row_checksum_grown(3, ?1, ?2, ?3, nullif(?4, 1)))");
    query_int(&query, 1, revision);
    query_text(&query, 2, job_id);
    query_int(&query, 3, now);
    query_int(&query, 4, of.tenant);
    return query_run(&query, err);
}

/* The revision of the newest among the oldest rows that may be forgotten; 0: none. */
static Status find_old(TenantStore of, int64_t before_ms, int64_t *ret_revision, Error *err)
{
    Query query =
        query_new(&of.store->writer.connection,
                  "SELECT max(revision) FROM (SELECT revision, deleted_ms FROM deleted WHERE "
                  "tenant = ?2 ORDER BY revision LIMIT " AT_ONCE ") WHERE deleted_ms < ?1");
    query_int(&query, 1, before_ms);
    query_int(&query, 2, of.tenant);
    *ret_revision = query_next(&query) ? row_int(&query, 0) : 0;
    return query_end(&query, err);
}

static Status forget(TenantStore of, int64_t revision, Error *err)
{
    Connection *connection = &of.store->writer.connection;
    Query note = query_new(connection, "UPDATE ledgers SET forgotten = ?1 WHERE tenant = ?2");
    query_int(&note, 1, revision);
    query_int(&note, 2, of.tenant);
    Status status = query_run(&note, err);
    if (status != OK)
        return status;
    Query query = query_new(connection, "DELETE FROM deleted WHERE revision <= ?1 AND tenant = ?2");
    query_int(&query, 1, revision);
    query_int(&query, 2, of.tenant);
    return query_run(&query, err);
}

Status deleted_add(TenantStore of, const char *job_id, int64_t revision, Error *err)
{
    const int64_t now = clock_unix_ms(), keep_ms = of.store->keep_deleted_ms;
    int64_t old = 0;
    Status status = insert(of, job_id, revision, now, err);
    if (status == OK && keep_ms > 0)
        status = find_old(of, now - keep_ms, &old, err);
    return status == OK && old > 0 ? forget(of, old, err) : status;
}

static Status read_forgotten(Connection *reader, int64_t tenant, int64_t *ret, Error *err)
{
    Query query = query_new(reader, "SELECT forgotten FROM ledgers WHERE tenant = ?1");
    query_int(&query, 1, tenant);
    *ret = query_next(&query) ? row_int(&query, 0) : 0;
    return query_end(&query, err);
}

/* Reads the forgotten revision last, so that it covers deletions forgotten during the list. */
Status store_deleted_list(TenantStore of, int64_t since, size_t limit, Arena *arena,
                          DeletedJob **ret_jobs, size_t *ret_n, int64_t *ret_forgotten, Error *err)
{
    Store *store = of.store;
    DeletedJob *jobs = ARENA_NEW(arena, limit, DeletedJob);
    size_t n = 0;
    if (!jobs)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of jobs");
    /* read the deletions after `since` */
    Connection *reader = reader_take(store);
    Query query = query_new(reader, "SELECT revision, id, checksum = " DELETED_CHECKSUM
                                    " FROM deleted WHERE tenant = ?3 AND revision > ?1 "
                                    "ORDER BY revision LIMIT ?2");
    query_int(&query, 1, since);
    query_int(&query, 2, (int64_t)limit);
    query_int(&query, 3, of.tenant);
    while (query_next(&query)) {
        jobs[n].revision = row_int(&query, 0);
        job_id_copy(jobs[n].id, row_peek(&query, 1));
        job_sound(&query, row_int(&query, 2) != 0, jobs[n].id);
        n++;
    }
    Status status = query_end(&query, err);
    if (status == OK)
        status = read_forgotten(reader, of.tenant, ret_forgotten, err);
    reader_give(store, reader);
    if (status == OK) {
        *ret_jobs = jobs;
        *ret_n = n;
    }
    return status;
}
