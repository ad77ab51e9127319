/* A store as it is at one moment. */
#include "db/sqlite/snapshot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "db/sqlite/log_finding.h"

/* Looks at the log before SQLite drops its damaged part: a copy without commits that were
 * acknowledged is no backup. */
static Status check_log(const char *directory, const char *path, Error *err)
{
    const LogRecord record = lock_read(directory);
    StoreLog log;
    const Status status = log_find(path, &record, &log, err);
    if (status == OK && log.finding == STORE_LOG_LOST)
        return error_set(err, ERR_DAMAGED,
                         "%s; restore the directory from a backup, or start the service once with "
                         "--accept-loss, then copy",
                         log.message);
    return status;
}

Status snapshot_open(const char *directory, const char *path, Connection *connection, Error *err)
{
    int64_t format = 0;
    if (access(path, F_OK) != 0)
        return error_set(err, ERR_NOT_FOUND, "no dalembert store in '%s': '%s': %s", directory,
                         path, strerror(errno));
    Status status = check_log(directory, path, err);
    if (status == OK)
        status = connection_open(connection, path, false, err);
    if (status == OK)
        status = connection_exec(connection, "BEGIN", err);
    if (status == OK)
        status = schema_check(connection, path, err);
    if (status == OK)
        status = connection_int(connection, "PRAGMA user_version", &format, err);
    if (status == OK && format == 0)
        return error_set(err, ERR_NOT_FOUND, "no dalembert store in '%s': '%s' is empty", directory,
                         path);
    return status;
}
