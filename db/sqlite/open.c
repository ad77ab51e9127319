/* Opening and closing: the directory and its lock, the database and its settings, then migration,
 * rescue, readers and writer. */
#include "db/sqlite/sqlite_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "db/sqlite/log_finding.h"

enum { DEFAULT_MAX_ATTEMPTS = 5 };

/* secure_delete: the default of Debian's SQLite overwrites deleted data, through the log. */
static const char SETTINGS[] = "PRAGMA secure_delete = FAST;"
                               "PRAGMA trusted_schema = OFF;"
                               "PRAGMA foreign_keys = ON;"
                               "PRAGMA synchronous = FULL;"
                               "PRAGMA wal_autocheckpoint = 0;"
                               "PRAGMA journal_size_limit = 67108864;"
                               "PRAGMA cache_size = -16384;";

/* A new entry of a directory is durable only after a sync of the directory. */
void directory_sync(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return;
    fsync(directory);
    close(directory);
}

static Status make_directory(const char *path, Error *err)
{
    struct stat info;
    if (mkdir(path, 0700) == 0) {
        char parent[4096 + 4];
        if (snprintf(parent, sizeof parent, "%s/..", path) < (int)sizeof parent)
            directory_sync(parent);
        return OK;
    }
    if (errno != EEXIST)
        return system_error(err, "create the directory", path);
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return system_error(err, "use the directory", path);
    }
    return OK;
}

Status file_sync(const char *path, Error *err)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return system_error(err, "open", path);
    Status status = fsync(file) == 0 ? OK : system_error(err, "write", path);
    close(file);
    return status;
}

/* Creates the database file for its owner alone; SQLite gives its log the same mode. */
static Status make_file(const char *path, Error *err)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return system_error(err, "open", path);
    close(file);
    return OK;
}

static Status use_wal(Connection *connection, Error *err)
{
    Query query = query_new(connection, "PRAGMA journal_mode = WAL");
    bool wal = query_next(&query) && strcmp(row_peek(&query, 0), "wal") == 0;
    Status status = query_end(&query, err);
    if (status == OK && !wal)
        status = error_set(err, ERR_IO,
                           "the file system of the data directory has no shared memory for "
                           "SQLite's write-ahead log (a network file system?)");
    return status;
}

/* Frames behind the end of a log that is not sound must not stay: commits that follow would be
 * written over some of them, and the others would look like damage at the next start. */
static Status drop_rest(Store *store, Error *err)
{
    Connection *connection = &store->writer.connection;
    const StoreLogFinding finding = store->lock.log.finding;
    int64_t revision;
    if (finding != STORE_LOG_INCOMPLETE && finding != STORE_LOG_LOST)
        return OK;
    const int code =
        sqlite3_wal_checkpoint_v2(connection->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    Status status = revision_read(connection, &revision, err);
    if (status == OK) /* another program may keep the log */
        lock_mark(&store->lock, code == SQLITE_OK ? LOG_EMPTY : LOG_USED, revision);
    return status;
}

/* To the newest format; a new file gets its tables. */
static Status upgrade(Store *store, bool copy_old, Error *err)
{
    Connection *connection = &store->writer.connection;
    int64_t version;
    Status status = connection_int(connection, "PRAGMA user_version", &version, err);
    if (status == OK && version != 0 && version != SCHEMA_NEWEST)
        status = upgrade_space_check(store, version, copy_old, err);
    if (status == OK && copy_old) {
        status = schema_copy_old(connection, store->path, err);
        directory_sync(store->directory);
    }
    if (status == OK)
        status = schema_migrate(connection, err);
    if (status == OK && version != 0 && version != SCHEMA_NEWEST)
        store->opening =
            (StoreOpening){.from = (int)version, .to = SCHEMA_NEWEST, .copied = copy_old};
    store->opening.created = status == OK && version == 0;
    return status;
}

/* Two rows with one unique value, as after a flipped bit in an id, have no index. */
static Status reindex(Connection *connection, Error *err)
{
    const Status status = connection_exec(connection, "REINDEX", err);
    if (status != OK)
        error_prefix(err, "the indexes cannot be made anew; restore the directory from a backup");
    return status;
}

static Status open_database(Store *store, const StoreOptions *options, Error *err)
{
    Connection *connection = &store->writer.connection;
    Status status = make_file(store->path, err);
    if (status == OK)
        status = connection_open(connection, store->path, true, err);
    if (status == OK)
        status = schema_check(connection, store->path, err);
    /* takes effect in a new file; a file with tables changes when it is compacted */
    if (status == OK)
        status = connection_script(connection, "PRAGMA auto_vacuum = INCREMENTAL", err);
    if (status == OK)
        status = use_wal(connection, err);
    if (status == OK)
        status = connection_script(connection, SETTINGS, err);
    if (status == OK)
        status = upgrade(store, options->copy_old, err);
    if (status == OK && options->purpose == STORE_REINDEX)
        status = reindex(connection, err);
    if (status == OK && stat(store->path, &store->identity) != 0)
        status = system_error(err, "find", store->path);
    if (status == OK)
        status = drop_rest(store, err);
    if (status == OK)
        status = rescue_jobs(store, options->purpose == STORE_SERVE, err);
    if (status == OK)
        status = readers_open(&store->readers, store->path, err);
    if (status == OK)
        status = writer_start(store, err);
    return status;
}

/* Before SQLite drops what it cannot read of the log. */
static Status check_log(Store *store, bool accept_loss, Error *err)
{
    Status status = log_find(store->path, &store->lock.record, &store->lock.log, err);
    if (status == OK && store->lock.log.finding == STORE_LOG_LOST && !accept_loss)
        return error_set(err, ERR_DAMAGED,
                         "%s; restore the directory from a backup, or start once with "
                         "--accept-loss to go on without them",
                         store->lock.log.message);
    return status;
}

static Store *store_new(const StoreOptions *options)
{
    Store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    /* all waits use the monotonic clock */
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&store->mutex, NULL);
    pthread_cond_init(&store->work, &monotonic);
    pthread_cond_init(&store->room, &monotonic);
    pthread_mutex_init(&store->readers.mutex, NULL);
    pthread_cond_init(&store->readers.returned, NULL);
    pthread_condattr_destroy(&monotonic);

    /* options */
    const size_t length = strlen(options->directory);
    store->lock.file = -1;
    store->max_queued = options->max_queued;
    store->disk_reserve = options->disk_reserve;
    store->keep_deleted_ms = (int64_t)options->keep_deleted_ms;
    store->max_attempts = options->max_attempts ? options->max_attempts : DEFAULT_MAX_ATTEMPTS;
    /* paths */
    store->directory = malloc(length + 1);
    store->path = malloc(length + sizeof "/dalembert.db");
    if (!store->directory || !store->path) {
        store_close(store);
        return NULL;
    }
    memcpy(store->directory, options->directory, length + 1);
    memcpy(store->path, options->directory, length);
    memcpy(store->path + length, "/dalembert.db", sizeof "/dalembert.db");
    return store;
}

static Status check_exists(const Store *store, Error *err)
{
    struct stat info;
    if (stat(store->path, &info) != 0)
        return error_set(err, ERR_NOT_FOUND, "no dalembert store in '%s': %s", store->directory,
                         strerror(errno));
    return info.st_size > 0 ? OK
                            : error_set(err, ERR_NOT_FOUND,
                                        "no dalembert store in '%s': its dalembert.db is empty",
                                        store->directory);
}

Status store_open(const StoreOptions *options, Store **ret_store, Error *err)
{
    const size_t length = strlen(options->directory);
    if (length == 0 || length > 4096)
        return error_set(err, ERR_INVALID, "the data directory has no usable name");
    Store *store = store_new(options);
    if (!store)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status =
        options->existing ? check_exists(store, err) : make_directory(store->directory, err);
    if (status == OK)
        status = lock_take(store->directory, &store->lock, err);
    if (status == OK)
        status = check_log(store, options->accept_loss, err);
    if (status == OK)
        status = open_database(store, options, err);
    if (status == OK)
        *ret_store = store;
    else
        store_close(store);
    return status;
}

const StoreLog *store_log(const Store *store)
{
    return &store->lock.log;
}

const StoreOpening *store_opening(const Store *store)
{
    return &store->opening;
}

/* Another program that has the database open keeps the log. */
static bool log_is_gone(const char *database)
{
    char path[4200];
    struct stat info;
    snprintf(path, sizeof path, "%s-wal", database);
    return stat(path, &info) != 0 ? errno == ENOENT : info.st_size == 0;
}

void store_close(Store *store)
{
    if (!store)
        return;
    const bool opened = store->running;
    writer_stop(store);
    readers_close(&store->readers);
    connection_close(&store->writer.connection); /* the last one: the log goes into the database */
    if (opened && log_is_gone(store->path))
        lock_mark(&store->lock, LOG_CLOSED, store->revision);
    lock_release(&store->lock);

    for (size_t i = 0; i < LEASE_BUCKETS; i++)
        while (store->leases.buckets[i])
            lease_remove(&store->leases, store->leases.buckets[i]);
    for (size_t i = 0; i < LEASE_BUCKETS; i++)
        while (store->ensembles.buckets[i])
            live_ensemble_remove(store, store->ensembles.buckets[i]);
    for (int64_t t = 0; t <= TENANTS_MAX; t++)
        queue_done(queue_of(store, t));
    pthread_cond_destroy(&store->readers.returned);
    pthread_mutex_destroy(&store->readers.mutex);
    pthread_cond_destroy(&store->room);
    pthread_cond_destroy(&store->work);
    pthread_mutex_destroy(&store->mutex);
    free(store->directory);
    free(store->path);
    free(store);
}

/* Fails if the file was moved or replaced: commits would go to a file that nobody reads. */
static Status check_place(const Store *store, Error *err)
{
    struct stat info;
    if (stat(store->path, &info) == 0 && info.st_ino == store->identity.st_ino &&
        info.st_dev == store->identity.st_dev)
        return OK;
    return error_set(err, ERR_IO,
                     "'%s' is no longer the file that was opened: it was moved or replaced",
                     store->path);
}

/* ERR_DAMAGED if a queued job was found damaged when its turn came. */
static Status check_queued(Store *store, Error *err)
{
    Status status = OK;
    pthread_mutex_lock(&store->mutex);
    if (store->n_unreadable > 0)
        status = error_set(err, ERR_DAMAGED, "%s (%zu such jobs; see `dalembert verify`)",
                           store->unreadable.message, store->n_unreadable);
    pthread_mutex_unlock(&store->mutex);
    return status;
}

Status store_ready(Store *store, Error *err)
{
    pthread_mutex_lock(&store->mutex);
    Status status = store->health;
    if (status != OK && err)
        *err = store->health_error;
    pthread_mutex_unlock(&store->mutex);
    if (status == OK)
        status = check_place(store, err);
    if (status == OK)
        status = space_check(store, store->disk_reserve, err);
    return status == OK ? check_queued(store, err) : status;
}

unsigned store_job_cell(const Store *store, const char *job_id)
{
    return uuid_cell(job_id, store->last_without_cell);
}

double store_busy_seconds(Store *store)
{
    const double since = atomic_load(&store->activity.busy_since);
    return since > 0 ? clock_seconds() - since : 0;
}

uint64_t store_commits(Store *store)
{
    return atomic_load(&store->activity.commits);
}

const Histogram *store_commit_times(const Store *store)
{
    return &store->activity.commit_times;
}

uint64_t store_damaged(Store *store)
{
    return atomic_load(&store->activity.damaged);
}
