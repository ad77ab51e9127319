/* Disk space: a reserve that only ends of jobs and deletions may use, and free pages that are
 * returned to the disk after deletions. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "db/sqlite/sqlite_store.h"

enum {
    VACUUM_PAGES = 1000,     /* returned in one transaction: a pause of about 10 ms */
    FREE_FRACTION = 8,       /* one page in 8 may stay free for new data */
    UPGRADE_BYTES = 1 << 20, /* that all steps of the schema write for a file without rows */
};

Status directory_space(const char *directory, StoreSpace *ret_space, Error *err)
{
    struct statvfs info;
    if (statvfs(directory, &info) != 0)
        return error_set(err, ERR_IO, "cannot find the free space of '%s': %s", directory,
                         strerror(errno));
    *ret_space = (StoreSpace){.free = (uint64_t)info.f_bavail * info.f_frsize,
                              .total = (uint64_t)info.f_blocks * info.f_frsize};
    return OK;
}

/* 0 for a file that is not there. */
static uint64_t file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

Status store_space(const Store *store, StoreSpace *ret_space, Error *err)
{
    char log[PATH_MAX];
    const Status status = directory_space(store->directory, ret_space, err);
    if (status != OK)
        return status;
    snprintf(log, sizeof log, "%s-wal", store->path);
    ret_space->database = file_size(store->path);
    ret_space->log = file_size(log);
    return OK;
}

static Status check(const Store *store, uint64_t least, uint64_t under_way, Error *err)
{
    StoreSpace space;
    char writing[80] = "";
    if (least == 0 || directory_space(store->directory, &space, NULL) != OK ||
        space.free >= least + under_way)
        return OK;
    if (space.free >= least)
        snprintf(writing, sizeof writing, " and %llu bytes being written",
                 (unsigned long long)under_way);
    return error_set(err, ERR_NO_SPACE,
                     "the disk has %llu bytes free, fewer than the reserve of %llu bytes%s",
                     (unsigned long long)space.free, (unsigned long long)least, writing);
}

Status space_check(const Store *store, uint64_t least, Error *err)
{
    return check(store, least, 0, err);
}

/* The bytes by which the file will grow when the log and the transaction are moved into it. */
static uint64_t growth(Store *store)
{
    Connection *connection = &store->writer.connection;
    struct stat info;
    int64_t pages = 0, size = 0;
    if (connection_int(connection, "PRAGMA page_count", &pages, NULL) != OK ||
        connection_int(connection, "PRAGMA page_size", &size, NULL) != OK ||
        stat(store->path, &info) != 0 || pages * size < info.st_size)
        return 0;
    return (uint64_t)(pages * size - info.st_size);
}

Status space_take(Store *store, uint64_t least, size_t bytes, Error *err)
{
    if (least == 0)
        return OK;
    /* new data go to the log, then from there to the file */
    const uint64_t under_way = growth(store) + store->writer.taken + 2 * (uint64_t)bytes;
    const Status status = check(store, least, under_way, err);
    if (status == OK)
        store->writer.taken += bytes;
    return status;
}

/* The schema's steps write indexes and small tables anew, but no row of a result. If the bytes of
 * the results cannot be read, the bound is the whole file. */
Status upgrade_space(Connection *connection, UpgradeSpace *ret_space, Error *err)
{
    int64_t pages = 0, size = 0, results = 0;
    Status status = connection_int(connection, "PRAGMA page_count", &pages, err);
    if (status == OK)
        status = connection_int(connection, "PRAGMA page_size", &size, err);
    if (status != OK)
        return status;
    const int64_t file = pages * size;
    if (connection_int(connection, "SELECT total(8 * n_rows * n_columns) FROM blocks", &results,
                       NULL) != OK ||
        results < 0 || results > file)
        results = 0;
    *ret_space =
        (UpgradeSpace){.steps = UPGRADE_BYTES + (uint64_t)(file - results), .copy = (uint64_t)file};
    return OK;
}

Status upgrade_space_check(Store *store, int64_t format, bool copy_old, Error *err)
{
    UpgradeSpace need;
    StoreSpace space;
    const Status status = upgrade_space(&store->writer.connection, &need, err);
    if (status != OK)
        return status;
    const uint64_t bytes = need.steps + (copy_old ? need.copy : 0);
    if (directory_space(store->directory, &space, NULL) != OK || space.free >= bytes)
        return OK;
    return error_set(err, ERR_NO_SPACE,
                     "the upgrade of '%s' from format %" PRId64 " to %d needs %" PRIu64
                     " bytes free%s, and the disk has %" PRIu64
                     ": free space, or move the directory to a larger disk",
                     store->path, format, SCHEMA_NEWEST, bytes,
                     copy_old ? " with its copy (--upgrade copy)" : "", space.free);
}

/* Returns some free pages to the disk; true: there are more. A failure is harmless, because the
 * pages are used again. */
bool space_give_back(Connection *connection)
{
    char sql[60];
    int64_t automatic = 0, unused = 0, pages = 0;
    if (connection_int(connection, "PRAGMA auto_vacuum", &automatic, NULL) != OK ||
        connection_int(connection, "PRAGMA freelist_count", &unused, NULL) != OK ||
        connection_int(connection, "PRAGMA page_count", &pages, NULL) != OK)
        return false;
    if (automatic != AUTO_VACUUM_INCREMENTAL || unused <= VACUUM_PAGES ||
        unused <= pages / FREE_FRACTION)
        return false;
    snprintf(sql, sizeof sql, "PRAGMA incremental_vacuum(%d)", VACUUM_PAGES);
    return connection_exec(connection, sql, NULL) == OK;
}
