/* Compacting a closed store: a copy without free pages takes the place of the file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"

typedef struct Paths {
    char file[4200], copy[4220], log[4210];
} Paths;

static Status compact_error(Error *err, const char *what, const char *path)
{
    return error_set(err, ERR_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* SQLite removes the log when the last connection closes. A remaining log means that another
 * program has the file open; it would not fit the new file. */
static Status take_place(const Paths *paths, const char *directory, Error *err)
{
    if (access(paths->log, F_OK) == 0)
        return error_set(err, ERR_CONFLICT, "another program has '%s' open", paths->file);
    if (rename(paths->copy, paths->file) != 0)
        return compact_error(err, "rename", paths->copy);
    directory_sync(directory);
    return OK;
}

static Status write_copy(const Paths *paths, Error *err)
{
    Connection connection;
    Status status = connection_open(&connection, paths->file, true, err);
    if (status == OK)
        status = schema_check(&connection, paths->file, err);
    if (status == OK)
        status = connection_script(&connection,
                                   "PRAGMA synchronous = FULL;"
                                   "PRAGMA auto_vacuum = INCREMENTAL",
                                   err);
    if (status == OK) {
        Query query = query_new(&connection, "VACUUM INTO ?1");
        query_text(&query, 1, paths->copy);
        status = query_run(&query, err);
    }
    connection_close(&connection);
    return status == OK ? file_sync(paths->copy, err) : status;
}

Status store_compact(const char *directory, Error *err)
{
    Paths paths;
    LockFile lock = {.file = -1};
    snprintf(paths.file, sizeof paths.file, "%s/dalembert.db", directory);
    snprintf(paths.copy, sizeof paths.copy, "%s.compact", paths.file);
    snprintf(paths.log, sizeof paths.log, "%s-wal", paths.file);
    if (access(paths.file, F_OK) != 0)
        return error_set(err, ERR_NOT_FOUND, "'%s': %s", paths.file, strerror(errno));
    Status status = lock_take(directory, &lock, err);
    if (status == OK) {
        unlink(paths.copy); /* of a run that was killed */
        status = write_copy(&paths, err);
        if (status == OK)
            status = take_place(&paths, directory, err);
        if (status != OK)
            unlink(paths.copy);
        else if (lock.record.state != LOG_UNKNOWN)
            lock_mark(&lock, LOG_CLOSED, lock.record.revision);
    }
    lock_release(&lock);
    return status;
}
