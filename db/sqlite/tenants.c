/* Tenants: their rows, and the counters of each. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"

int64_t tenant_number(int64_t stored)
{
    return stored >= 1 && stored <= TENANTS_MAX ? stored : TENANT_DEFAULT;
}

JobQueue *queue_of(Store *store, int64_t tenant)
{
    return &store->queues.of[tenant];
}

bool tenants_expire(const Store *store, int64_t now_ms)
{
    bool any = false;
    for (int64_t t = 1; t <= store->queues.n && !any; t++)
        any = store->queues.of[t].expires_ms && store->queues.of[t].expires_ms < now_ms;
    return any;
}

size_t tenants_expired(Store *store, int64_t now_ms, QueueEntry *ret_entries, size_t n)
{
    size_t count = 0;
    for (int64_t t = 1; t <= store->queues.n && count < n; t++)
        count += queue_expired(queue_of(store, t), now_ms, ret_entries + count, n - count);
    return count;
}

/* Names: a tenant keeps its own for ever. */

#define TENANT_SOUND "t.checksum IS " TENANT_CHECKSUM("t.")

static void name_copy(char ret[TENANT_NAME_MAX], const char *name)
{
    snprintf(ret, TENANT_NAME_MAX, "%s", name);
}

const char *store_tenant_name(TenantStore of, char ret[TENANT_NAME_MAX])
{
    pthread_mutex_lock(&of.store->mutex);
    name_copy(ret, of.store->queues.names[tenant_number(of.tenant)]);
    pthread_mutex_unlock(&of.store->mutex);
    return ret;
}

/* Counters. */

#define SUMS "sum(queued), sum(running), sum(succeeded), sum(failed), sum(cancelled), sum(models)"

static StoreCounts counts_row(const Query *query, int column)
{
    return (StoreCounts){.queued = (uint64_t)row_int(query, column),
                         .running = (uint64_t)row_int(query, column + 1),
                         .succeeded = (uint64_t)row_int(query, column + 2),
                         .failed = (uint64_t)row_int(query, column + 3),
                         .cancelled = (uint64_t)row_int(query, column + 4),
                         .models = (uint64_t)row_int(query, column + 5)};
}

Status counts_read(Connection *connection, int64_t tenant, StoreCounts *ret_counts, Error *err)
{
    StoreCounts counts = {0};
    Query query = tenant == TENANT_ALL
                      ? query_new(connection, "SELECT " SUMS " FROM ledgers")
                      : query_new(connection, "SELECT " SUMS " FROM ledgers WHERE tenant = ?1");
    if (tenant != TENANT_ALL)
        query_int(&query, 1, tenant);
    if (query_next(&query))
        counts = counts_row(&query, 0);
    const Status status = query_end(&query, err);
    if (status == OK)
        *ret_counts = counts;
    return status;
}

Status store_counts(TenantStore of, StoreCounts *ret_counts, Error *err)
{
    Connection *reader = reader_take(of.store);
    const Status status = counts_read(reader, of.tenant, ret_counts, err);
    reader_give(of.store, reader);
    return status;
}

int64_t store_revision(TenantStore of)
{
    return atomic_load(&of.store->revisions[of.tenant]);
}

int64_t store_oldest_queued(TenantStore of)
{
    Store *store = of.store;
    int64_t oldest = 0;
    pthread_mutex_lock(&store->mutex);
    for (int64_t t = 1; t <= store->queues.n; t++) {
        const int64_t at =
            of.tenant == t || of.tenant == TENANT_ALL ? queue_oldest_ms(queue_of(store, t)) : 0;
        if (at && (!oldest || at < oldest))
            oldest = at;
    }
    pthread_mutex_unlock(&store->mutex);
    return oldest;
}

Status tenant_check_room(Store *store, int64_t tenant, size_t n, Error *err)
{
    uint64_t queued = 0, bytes = 0, queued_max = 0, bytes_max = 0, all = 0;
    Query query = query_new(&store->writer.connection,
                            "SELECT l.queued, l.bytes, t.queued_max, t.bytes_max, "
                            "(SELECT sum(queued) FROM ledgers) "
                            "FROM tenants t JOIN ledgers l ON l.tenant = t.seq WHERE t.seq = ?1");
    query_int(&query, 1, tenant);
    if (query_next(&query)) {
        queued = (uint64_t)row_int(&query, 0);
        bytes = (uint64_t)row_int(&query, 1);
        queued_max = (uint64_t)row_int(&query, 2);
        bytes_max = (uint64_t)row_int(&query, 3);
        all = (uint64_t)row_int(&query, 4);
    }
    const Status status = query_end(&query, err);
    if (status != OK)
        return status;
    /* the quotas of the tenant, then the limit of all queues together */
    if (queued_max && queued + n > queued_max)
        return error_set(err, ERR_LIMIT,
                         "%llu jobs of this tenant are queued, and its quota is %llu: wait until "
                         "some have been run, or ask the operator for more",
                         (unsigned long long)queued, (unsigned long long)queued_max);
    if (bytes_max && bytes >= bytes_max)
        return error_set(err, ERR_LIMIT,
                         "the results of this tenant take %llu bytes, and its quota is %llu: "
                         "delete some jobs, or ask the operator for more",
                         (unsigned long long)bytes, (unsigned long long)bytes_max);
    if (store->max_queued && all + n > store->max_queued)
        return error_set(err, ERR_BUSY, "the queue is full (%llu of %llu jobs)",
                         (unsigned long long)all, (unsigned long long)store->max_queued);
    return OK;
}

#define JOBS_IN(state) \
    "(SELECT count(*) FROM jobs j WHERE j.state = '" state "' AND j.tenant = ledgers.tenant)"
#define COUNTED                                                                            \
    JOBS_IN("queued")                                                                      \
    ", " JOBS_IN("running") ", " JOBS_IN("succeeded") ", " JOBS_IN("failed") ", " JOBS_IN( \
        "cancelled") ", (SELECT count(*) FROM owners o WHERE o.tenant = ledgers.tenant)"
#define COUNTERS "(queued, running, succeeded, failed, cancelled, models)"

/* Writes only what differs, so that a full disk can be opened. */
Status tenants_recount(Connection *connection, Error *err)
{
    return connection_exec(connection,
                           "UPDATE ledgers SET " COUNTERS " = (" COUNTED ") "
                           "WHERE " COUNTERS " IS NOT (" COUNTED ")",
                           err);
}

Status tenants_load(Store *store, Error *err)
{
    Connection *connection = &store->writer.connection;
    Status status = tenants_recount(connection, err);
    if (status != OK)
        return status;
    Query query = query_new(connection, "SELECT l.tenant, l.revision, coalesce(t.running_max, 0), "
                                        "iif(" TENANT_SOUND ", t.name, '?') "
                                        "FROM ledgers l LEFT JOIN tenants t ON t.seq = l.tenant "
                                        "WHERE l.tenant BETWEEN 1 AND ?1 ORDER BY l.tenant");
    query_int(&query, 1, TENANTS_MAX);
    while (query_next(&query)) {
        const int64_t t = row_int(&query, 0), revision = row_int(&query, 1);
        store->queues.n = t;
        store->queues.running_max[t] = (uint64_t)row_int(&query, 2);
        name_copy(store->queues.names[t], row_peek(&query, 3));
        store->writer.revisions.tenants[t] = revision;
        atomic_store(&store->revisions[t], revision);
    }
    return query_end(&query, err);
}

/* Rows. */

typedef struct TenantOp {
    WriteOp op;
    TenantRecord *tenant;
} TenantOp;

static Status tenant_missing(const char *name, Error *err)
{
    return error_set(err, ERR_NOT_FOUND, "no tenant '%.80s'", name);
}

Status tenant_find(Connection *connection, const char *name, int64_t *ret_number, Error *err)
{
    Query query = query_new(connection, "SELECT seq FROM tenants WHERE name = ?1");
    query_text(&query, 1, name);
    const int64_t number = query_next(&query) ? row_int(&query, 0) : 0;
    const Status status = query_end(&query, err);
    if (status != OK)
        return status;
    if (!number)
        return tenant_missing(name, err);
    *ret_number = number;
    return OK;
}

/* ?1: the name; ?2 to ?7: quotas and retention. */
static void bind_tenant(Query *query, const TenantRecord *tenant)
{
    const TenantKeep *keep = &tenant->keep;
    query_text(query, 1, tenant->name);
    query_int(query, 2, (int64_t)tenant->quotas.queued);
    query_int(query, 3, (int64_t)tenant->quotas.running);
    query_int(query, 4, (int64_t)tenant->quotas.bytes);
    if (keep->done_ms)
        query_int(query, 5, keep->done_ms);
    if (keep->failed_ms)
        query_int(query, 6, keep->failed_ms);
    if (keep->bytes)
        query_int(query, 7, (int64_t)keep->bytes);
}

static Status tenant_add_run(Store *store, WriteOp *op, Error *err)
{
    TenantRecord *tenant = ((TenantOp *)op)->tenant;
    Connection *connection = &store->writer.connection;
    int64_t newest = 0;
    Status status = connection_int(connection, "SELECT max(seq) FROM tenants", &newest, err);
    if (status == OK && newest >= TENANTS_MAX)
        return error_set(err, ERR_LIMIT, "there are %d tenants; there can be no more", TENANTS_MAX);
    if (status != OK)
        return status;
    tenant->number = newest + 1;
    tenant->created_ms = clock_unix_ms();
    Query query =
        query_new(connection, "INSERT INTO tenants (name, queued_max, running_max, bytes_max, "
                              "keep_ms, keep_failed_ms, keep_bytes, seq, created_ms) VALUES "
                              "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (name) DO NOTHING");
    bind_tenant(&query, tenant);
    query_int(&query, 8, tenant->number);
    query_int(&query, 9, tenant->created_ms);
    status = query_run(&query, err);
    if (status == OK && !connection_changed(connection))
        return error_set(err, ERR_CONFLICT, "there is a tenant '%.80s' already", tenant->name);
    writer_revision(store, TENANT_ALL);
    return status;
}

static Status tenant_set_run(Store *store, WriteOp *op, Error *err)
{
    TenantRecord *tenant = ((TenantOp *)op)->tenant;
    Query query = query_new(&store->writer.connection,
                            "UPDATE tenants SET queued_max = ?2, running_max = ?3, bytes_max = ?4, "
                            "keep_ms = ?5, keep_failed_ms = ?6, keep_bytes = ?7 "
                            "WHERE name = ?1 RETURNING seq");
    bind_tenant(&query, tenant);
    tenant->number = query_next(&query) ? row_int(&query, 0) : 0;
    const Status status = query_run(&query, err);
    writer_revision(store, TENANT_ALL);
    return status == OK && tenant->number == 0 ? tenant_missing(tenant->name, err) : status;
}

static void tenant_settle(Store *store, WriteOp *op)
{
    const TenantRecord *tenant = ((TenantOp *)op)->tenant;
    if (op->status != OK)
        return;
    store->queues.running_max[tenant->number] = tenant->quotas.running;
    name_copy(store->queues.names[tenant->number], tenant->name);
    if (store->queues.n < tenant->number)
        store->queues.n = tenant->number;
}

Status store_tenant_add(Store *store, TenantRecord *tenant, Error *err)
{
    TenantOp add = {.op = {.run = tenant_add_run, .settle = tenant_settle}, .tenant = tenant};
    const Status status = space_check(store, store->disk_reserve, err);
    return status == OK ? writer_do(store, &add.op, err) : status;
}

Status store_tenant_set(Store *store, const TenantRecord *tenant, Error *err)
{
    TenantRecord copy = *tenant;
    TenantOp set = {.op = {.run = tenant_set_run, .settle = tenant_settle}, .tenant = &copy};
    return writer_do(store, &set.op, err);
}

#define TENANT_COLUMNS                                                                   \
    "t.seq, t.name, t.queued_max, t.running_max, t.bytes_max, t.created_ms, t.keep_ms, " \
    "t.keep_failed_ms, t.keep_bytes, " TENANT_SOUND ", l.bytes, l.queued, l.running, "   \
    "l.succeeded, l.failed, l.cancelled, l.models "                                      \
    "FROM tenants t JOIN ledgers l ON l.tenant = t.seq "
enum { TENANT_COLUMN_KEEP = 6, TENANT_COLUMN_SOUND = 9, TENANT_COLUMN_BYTES, TENANT_COLUMN_COUNTS };

/* The three columns of the retention from this one on. */
static TenantKeep keep_row(const Query *query, int column)
{
    return (TenantKeep){.done_ms = row_int(query, column),
                        .failed_ms = row_int(query, column + 1),
                        .bytes = (uint64_t)row_int(query, column + 2)};
}

static TenantRecord tenant_row(Query *query, Arena *arena)
{
    if (!row_int(query, TENANT_COLUMN_SOUND))
        query_damaged(query, "the row of tenant %s is damaged (row %lld of the tenants)",
                      row_peek(query, 1), (long long)row_int(query, 0));
    return (TenantRecord){.number = row_int(query, 0),
                          .name = row_text(query, 1, arena),
                          .quotas = {.queued = (uint64_t)row_int(query, 2),
                                     .running = (uint64_t)row_int(query, 3),
                                     .bytes = (uint64_t)row_int(query, 4)},
                          .keep = keep_row(query, TENANT_COLUMN_KEEP),
                          .created_ms = row_int(query, 5),
                          .bytes = (uint64_t)row_int(query, TENANT_COLUMN_BYTES),
                          .counts = counts_row(query, TENANT_COLUMN_COUNTS)};
}

Status store_tenant_get(Store *store, const char *name, Arena *arena, TenantRecord *ret_tenant,
                        Error *err)
{
    Connection *reader = reader_take(store);
    Query query = query_new(reader, "SELECT " TENANT_COLUMNS "WHERE t.name = ?1");
    query_text(&query, 1, name);
    const bool found = query_next(&query);
    const TenantRecord tenant = found ? tenant_row(&query, arena) : (TenantRecord){0};
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK)
        status = found ? arena_status(arena, err) : tenant_missing(name, err);
    if (status == OK)
        *ret_tenant = tenant;
    return status;
}

Status tenant_keep_read(Connection *connection, int64_t tenant, TenantKeep *ret_keep,
                        uint64_t *ret_bytes, Error *err)
{
    TenantKeep keep = {.done_ms = KEEP_FOR_EVER, .failed_ms = KEEP_FOR_EVER};
    uint64_t bytes = 0;
    Query query = query_new(connection, "SELECT t.keep_ms, t.keep_failed_ms, t.keep_bytes, l.bytes "
                                        "FROM tenants t JOIN ledgers l ON l.tenant = t.seq "
                                        "WHERE t.seq = ?1 AND " TENANT_SOUND);
    query_int(&query, 1, tenant);
    if (query_next(&query)) {
        keep = keep_row(&query, 0);
        bytes = (uint64_t)row_int(&query, 3);
    }
    const Status status = query_end(&query, err);
    if (status == OK) {
        *ret_keep = keep;
        *ret_bytes = bytes;
    }
    return status;
}

Status store_tenant_keep(TenantStore of, TenantKeep *ret_keep, Error *err)
{
    uint64_t bytes;
    Connection *reader = reader_take(of.store);
    const Status status = tenant_keep_read(reader, of.tenant, ret_keep, &bytes, err);
    reader_give(of.store, reader);
    return status;
}

size_t store_tenant_count(Store *store)
{
    pthread_mutex_lock(&store->mutex);
    const size_t n = (size_t)store->queues.n;
    pthread_mutex_unlock(&store->mutex);
    return n;
}

Status store_tenant_list(Store *store, Arena *arena, TenantRecord **ret_tenants, size_t *ret_n,
                         Error *err)
{
    TenantRecord *tenants = ARENA_NEW(arena, TENANTS_MAX, TenantRecord);
    size_t n = 0;
    if (!tenants)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of tenants");
    Connection *reader = reader_take(store);
    Query query = query_new(reader, "SELECT " TENANT_COLUMNS "ORDER BY t.seq");
    while (n < TENANTS_MAX && query_next(&query))
        tenants[n++] = tenant_row(&query, arena);
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK) {
        *ret_tenants = tenants;
        *ret_n = n;
    }
    return status;
}
