/* The writer: one thread that commits all pending operations as one group while the next group
 * gathers, and checkpoints in between. Operations that fail for lack of space are kept and
 * retried. */
#include "db/sqlite/sqlite_store.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/base/clock.h"

enum {
    CHECKPOINT_FRAMES = 2000, /* 8 MiB: a pause of some 10 ms */
    LOG_MAX_FRAMES = 16 * CHECKPOINT_FRAMES,
};
#define RETRY_SECONDS 1.0

bool writer_may_pass(Status status)
{
    return status == ERR_NO_SPACE || status == ERR_IO || status == ERR_NO_MEMORY;
}

static void ops_push(OpList *list, WriteOp *op)
{
    op->next = NULL;
    if (list->last)
        list->last->next = op;
    else
        list->first = op;
    list->last = op;
}

/* The time by which it must be written even if no thread waits for it. */
static double op_due(const WriteOp *op)
{
    return op->since + (op->gathers ? ROWS_SECONDS : RELAXED_SECONDS);
}

static void submit(Store *store, WriteOp *op)
{
    op->since = clock_seconds();
    if (op->lease)
        lease_ref(op->lease);
    ops_push(&store->pending, op);
}

Status writer_await(Store *store, WriteOp *op, Error *err)
{
    op->awaited = true;
    pthread_cond_init(&op->wake, NULL);
    submit(store, op);
    store->n_awaited++;
    pthread_cond_signal(&store->work);
    while (!op->done)
        pthread_cond_wait(&op->wake, &store->mutex);
    pthread_cond_destroy(&op->wake);
    if (op->status != OK && err)
        *err = op->err;
    return op->status;
}

Status writer_do(Store *store, WriteOp *op, Error *err)
{
    pthread_mutex_lock(&store->mutex);
    Status status = writer_await(store, op, err);
    pthread_mutex_unlock(&store->mutex);
    return status;
}

void writer_post(Store *store, WriteOp *op)
{
    submit(store, op);
    store->relaxed_bytes += op->bytes;
    if (op_due(op) < store->wakes_at || store->relaxed_bytes >= RELAXED_EAGER_BYTES) {
        store->wakes_at = -INFINITY; /* once is enough */
        pthread_cond_signal(&store->work);
    }
}

int64_t writer_revision(Store *store, int64_t tenant)
{
    Revisions *revisions = &store->writer.revisions;
    revisions->store++;
    return ++revisions->tenants[tenant];
}

/* Those in use; only the writer's thread changes the number of tenants once it runs. */
static size_t revisions_size(const Store *store)
{
    return offsetof(Revisions, tenants) + (size_t)(store->queues.n + 1) * sizeof(int64_t);
}

Status writer_run(Store *store, WriteOp *op, Error *err)
{
    Writer *writer = &store->writer;
    Connection *connection = &writer->connection;
    if (op->lease && op->lease->trouble != OK) {
        op->status =
            error_set(&op->err, op->lease->trouble, "an earlier write of job %s failed: %s",
                      op->lease->id, status_text(op->lease->trouble));
        return OK;
    }
    /* each operation has its savepoint: a failure rolls back this operation alone */
    Revisions before;
    const size_t size = revisions_size(store);
    memcpy(&before, &writer->revisions, size);
    Status status = connection_exec(connection, "SAVEPOINT operation", err);
    if (status != OK)
        return status;
    op->status = op->run(store, op, &op->err);
    if (op->status == ERR_DAMAGED)
        atomic_fetch_add(&store->activity.damaged, 1);
    if (op->status == OK)
        return connection_exec(connection, "RELEASE operation", err);

    memcpy(&writer->revisions, &before, size);
    if (op->lease && !op->awaited)
        op->lease->trouble = op->status;          /* blocks later operations of the lease */
    if (!connection_in_transaction(connection)) { /* SQLite gave it up as a whole */
        if (err)
            *err = op->err;
        return op->status;
    }
    status = connection_exec(connection, "ROLLBACK TO operation", err);
    if (status == OK)
        status = connection_exec(connection, "RELEASE operation", err);
    return status;
}

/* Writes the revisions that this group has changed. */
static Status write_revisions(Store *store, Error *err)
{
    const Revisions *revisions = &store->writer.revisions;
    Connection *connection = &store->writer.connection;
    Query query = query_new(connection, "UPDATE store SET revision = ?1");
    query_int(&query, 1, revisions->store);
    Status status = query_run(&query, err);
    for (int64_t t = 1; t <= store->queues.n && status == OK; t++) {
        if (revisions->tenants[t] == atomic_load(&store->revisions[t]))
            continue;
        query = query_new(connection, "UPDATE ledgers SET revision = ?2 WHERE tenant = ?1");
        query_int(&query, 1, t);
        query_int(&query, 2, revisions->tenants[t]);
        status = query_run(&query, err);
    }
    return status;
}

/* A group begins with the revisions of the last commit. */
static void take_revisions(Store *store)
{
    Revisions *revisions = &store->writer.revisions;
    revisions->store = store->revision;
    for (int64_t t = 1; t <= store->queues.n; t++)
        revisions->tenants[t] = atomic_load(&store->revisions[t]);
}

static void publish_revisions(Store *store)
{
    const Revisions *revisions = &store->writer.revisions;
    store->revision = revisions->store;
    for (int64_t t = 1; t <= store->queues.n; t++)
        atomic_store(&store->revisions[t], revisions->tenants[t]);
}

/* A commit without a change writes nothing, and its time is not counted. */
static Status commit(Store *store, Error *err)
{
    const uint64_t commits = atomic_load(&store->activity.commits);
    const double start = clock_seconds();
    const Status status = connection_exec(&store->writer.connection, "COMMIT", err);
    if (atomic_load(&store->activity.commits) != commits)
        histogram_add(&store->activity.commit_times, clock_seconds() - start);
    return status;
}

static Status write_group(Store *store, OpList group, Error *err)
{
    Writer *writer = &store->writer;
    Connection *connection = &writer->connection;
    const bool probe = store->health != OK; /* then a commit must reach the disk */
    writer->taken = 0;
    take_revisions(store);
    Status status = connection_exec(connection, "BEGIN IMMEDIATE", err);
    for (WriteOp *op = group.first; op && status == OK; op = op->next)
        status = writer_run(store, op, err);
    if (status == OK && (probe || writer->revisions.store != store->revision))
        status = write_revisions(store, err);
    if (status == OK)
        status = commit(store, err);
    if (status == OK)
        lock_commit(&store->lock, writer->revisions.store);
    if (status != OK && connection_in_transaction(connection))
        (void)!connection_exec(connection, "ROLLBACK", NULL);
    return status;
}

static void complete(Store *store, WriteOp *op)
{
    Lease *lease = op->lease;
    const bool awaited = op->awaited;
    if (!awaited) {
        store->relaxed_bytes -= op->bytes;
        pthread_cond_broadcast(&store->room);
    }
    if (op->settle)
        op->settle(store, op); /* frees it unless it is awaited */
    if (awaited) {
        op->done = true;
        pthread_cond_signal(&op->wake);
    }
    if (lease)
        lease_unref(lease);
}

static void set_health(Store *store, Status health, const Error *reason)
{
    store->health = health;
    if (health != OK) {
        store->health_error = *reason;
        store->health_error.code = health;
        store->writer.retry_at = clock_seconds() + RETRY_SECONDS;
    }
}

static void settle_group(Store *store, OpList group, Status status, const Error *err)
{
    Status health = status;
    Error reason = *err;
    for (WriteOp *op = group.first, *next; op; op = next) {
        next = op->next;
        if (status != OK) {
            op->status = status;
            op->err = *err;
        } else if (writer_may_pass(op->status)) {
            health = op->status;
            reason = op->err;
        }
        if (!op->awaited && writer_may_pass(op->status) && !store->stop) {
            if (op->lease)
                op->lease->trouble = op->status;
            ops_push(&store->writer.stalled, op);
        } else {
            complete(store, op);
        }
    }
    if (status == OK)
        publish_revisions(store);
    /* the health stays bad while operations are stalled */
    if (health != OK || !store->writer.stalled.first)
        set_health(store, health, &reason);
}

/* Whether memory is so short that all pending operations are written at once. */
static bool writer_hurries(const Store *store)
{
    return store->n_crowded || store->relaxed_bytes >= RELAXED_EAGER_BYTES;
}

/* The time by which the first pending operation must be written even if no thread waits. */
static double due_at(const Store *store)
{
    if (store->health != OK)
        return store->writer.retry_at;
    if (store->pending.first && writer_hurries(store))
        return -INFINITY;
    double due = INFINITY;
    for (const WriteOp *op = store->pending.first; op; op = op->next)
        due = fmin(due, op_due(op));
    return due;
}

void writer_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, double until)
{
    if (isinf(until)) {
        pthread_cond_wait(condition, mutex);
        return;
    }
    struct timespec time;
    clock_timespec(until, &time);
    pthread_cond_timedwait(condition, mutex, &time);
}

/* False if no work will come. */
static bool wait_for_work(Store *store)
{
    for (;;) {
        if (store->stop)
            return store->pending.first || store->writer.stalled.first;
        if (store->n_awaited || store->writer.gives_back)
            return true;
        const double at = due_at(store);
        if (at <= clock_seconds())
            return true;
        store->wakes_at = at;
        writer_wait(&store->work, &store->mutex, at);
        store->wakes_at = -INFINITY;
    }
}

/* Stalled rows delay the end of a run. If the run is given up and its job is to be cancelled, its
 * rows are dropped, so that the job can be deleted. */
static bool is_for_nobody(const WriteOp *op)
{
    const Lease *lease = op->lease;
    return op->rows && lease && lease->forsaken && !lease->lost &&
           (lease->cancel_wanted || (lease->unit && lease->ensemble->cancel_wanted));
}

static Status do_nothing(Store *store, WriteOp *op, Error *err)
{
    (void)store, (void)op, (void)err;
    return OK;
}

static OpList take_group(Store *store)
{
    Writer *writer = &store->writer;
    OpList group = {0};
    /* retry stalled operations if it is time */
    if (store->stop || clock_seconds() >= writer->retry_at) {
        for (WriteOp *op = writer->stalled.first; op; op = op->next) {
            if (op->lease)
                op->lease->trouble = OK;
            if (is_for_nobody(op))
                op->run = do_nothing;
        }
        group = writer->stalled;
        writer->stalled = (OpList){0};
    }
    /* a block that still takes rows stays pending: it is the last of its table, and the end of a
     * run closes it first */
    const bool all = store->stop || writer_hurries(store);
    const double now = clock_seconds();
    WriteOp *op = store->pending.first;
    store->pending = (OpList){0};
    for (WriteOp *next; op; op = next) {
        next = op->next;
        const bool stays = op->gathers && !all && now < op_due(op);
        if (!stays && op->take)
            op->take(op);
        ops_push(stays ? &store->pending : &group, op);
    }
    store->n_awaited = 0;
    return group;
}

/* Moves the log into the database between two groups, when no other thread writes or checkpoints. A
 * failure is harmless: the log grows until a checkpoint succeeds. The busy timeout is 0 meanwhile,
 * because a reader may read for hours, as a backup does: the writer and its clients wait for no
 * reader. */
static void checkpoint(Store *store, bool every_byte_counts)
{
    Writer *writer = &store->writer;
    if (writer->frames < writer->checkpoint_base)
        writer->checkpoint_base = 0; /* the log began anew */
    if (!every_byte_counts && writer->frames - writer->checkpoint_base < CHECKPOINT_FRAMES)
        return;
    /* a log that is too long starts anew if no reader needs it at this moment */
    int mode = every_byte_counts                 ? SQLITE_CHECKPOINT_TRUNCATE
               : writer->frames < LOG_MAX_FRAMES ? SQLITE_CHECKPOINT_PASSIVE
                                                 : SQLITE_CHECKPOINT_RESTART;
    sqlite3_busy_timeout(writer->connection.db, 0);
    const int code = sqlite3_wal_checkpoint_v2(writer->connection.db, NULL, mode, NULL, NULL);
    sqlite3_busy_timeout(writer->connection.db, BUSY_TIMEOUT_MS);
    writer->checkpoint_base = writer->frames;
    store->lock.due = true;
    if (code == SQLITE_OK && mode == SQLITE_CHECKPOINT_TRUNCATE)
        lock_mark(&store->lock, LOG_EMPTY, store->revision);
}

/* Maintenance between two groups, without the mutex. */
static void writer_tidy(Store *store, bool well)
{
    Writer *writer = &store->writer;
    unit_rows_free(writer->spent);
    writer->spent = NULL;
    if (writer->gives_back) {
        writer->gives_back = space_give_back(&writer->connection);
        writer->shrunk = writer->shrunk || writer->gives_back;
    }
    const bool cuts = writer->shrunk && !writer->gives_back;
    writer->shrunk = writer->shrunk && !cuts;
    const bool room = space_check(store, store->disk_reserve, NULL) == OK;
    checkpoint(store, !well || !room || cuts);
}

static void *writer_main(void *argument)
{
    Store *store = argument;
    pthread_mutex_lock(&store->mutex);
    while (wait_for_work(store)) {
        Error err = {0};
        /* write a group without the mutex, then settle it */
        OpList group = take_group(store);
        pthread_mutex_unlock(&store->mutex);
        atomic_store(&store->activity.busy_since, clock_seconds());
        Status status = write_group(store, group, &err);
        atomic_store(&store->activity.busy_since, 0);

        pthread_mutex_lock(&store->mutex);
        settle_group(store, group, status, &err);
        bool well = store->health == OK;
        pthread_mutex_unlock(&store->mutex);
        writer_tidy(store, well);
        pthread_mutex_lock(&store->mutex);
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

static int on_commit(void *argument, sqlite3 *db, const char *schema, int frames)
{
    Store *store = argument;
    (void)db;
    (void)schema;
    store->writer.frames = frames;
    atomic_fetch_add(&store->activity.commits, 1);
    return SQLITE_OK;
}

Status writer_start(Store *store, Error *err)
{
    sqlite3_wal_hook(store->writer.connection.db, on_commit, store);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the threads of the caller */
    int failed = pthread_create(&store->thread, NULL, writer_main, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return error_set(err, ERR_INTERNAL, "cannot start the writer: %s", strerror(failed));
    store->running = true;
    return OK;
}

void writer_stop(Store *store)
{
    if (!store->running)
        return;
    pthread_mutex_lock(&store->mutex);
    store->stop = true;
    pthread_cond_signal(&store->work);
    pthread_mutex_unlock(&store->mutex);
    pthread_join(store->thread, NULL);
    store->running = false;
}
