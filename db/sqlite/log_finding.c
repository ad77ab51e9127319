/* The judgment about the write-ahead log. */
#include "db/sqlite/log_finding.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"
#include "db/sqlite/wal_check.h"

/* The revision of the database with the sound part of its log. 0: the file is there, but has no
 * tables, as a new one whose tables were in the log; -1: no file, or it cannot be read. */
static int64_t revision_with_log(const char *database)
{
    Connection reader;
    int64_t format = 0, revision = 0;
    if (access(database, F_OK) != 0 || connection_open(&reader, database, false, NULL) != OK)
        return -1;
    Status status = connection_int(&reader, "PRAGMA user_version", &format, NULL);
    if (status == OK && format > 0)
        status = revision_read(&reader, &revision, NULL);
    connection_close(&reader);
    return status == OK ? revision : -1;
}

/* Everything is lost: the file is missing, or it is empty and no log has its tables. */
static bool database_is_gone(const char *database, bool log_is_empty)
{
    struct stat info;
    return stat(database, &info) != 0 ? errno == ENOENT : info.st_size == 0 && log_is_empty;
}

static void tell_gone(const char *database, int64_t recorded, StoreLog *log)
{
    log->finding = STORE_LOG_LOST;
    log->lost = (uint64_t)recorded;
    snprintf(log->message, sizeof log->message,
             "the database '%.200s' is gone or empty, but dalembert.lock beside it records a last "
             "commit (revision %" PRId64 "): all commits are lost",
             database, recorded);
}

static void tell_damage(const char *database, const WalCheck *wal, StoreLog *log)
{
    char place[40] = "in its header";
    if (wal->bad_frame)
        snprintf(place, sizeof place, "at frame %" PRIu64, wal->bad_frame);
    log->finding = STORE_LOG_LOST;
    log->lost = wal->lost;
    snprintf(log->message, sizeof log->message,
             "the write-ahead log '%.200s-wal' is damaged %s: at least %" PRIu64
             " commits from there on are lost",
             database, place, wal->lost);
}

static void tell_shorter(const char *database, bool gone, int64_t recorded, int64_t found,
                         StoreLog *log)
{
    log->finding = STORE_LOG_LOST;
    log->lost = (uint64_t)(recorded - found);
    snprintf(log->message, sizeof log->message,
             "the write-ahead log '%.200s-wal' %s: the last commit had revision %" PRId64
             ", the database ends at %" PRId64,
             database, gone ? "is gone or empty" : "ends too early", recorded, found);
}

Status log_find(const char *database, const LogRecord *record, StoreLog *ret_log, Error *err)
{
    WalCheck wal;
    Status status = wal_check(database, &wal, err);
    if (status != OK)
        return status;
    StoreLog log = {.finding = STORE_LOG_SOUND, .commits = wal.commits};
    const bool used = record->state == LOG_USED, none = wal.state == WAL_NONE;
    const int64_t found = used ? revision_with_log(database) : -1;
    const bool whole = found >= record->revision;
    /* A bad header of a log without which nothing is missing is that of one that began anew. */
    const bool header_only = wal.state == WAL_DAMAGED && wal.bad_frame == 0 && used && whole;

    if (record->state != LOG_UNKNOWN && database_is_gone(database, none)) {
        tell_gone(database, record->revision, &log);
    } else if (wal.state == WAL_DAMAGED && !header_only) {
        tell_damage(database, &wal, &log);
    } else if (used && found >= 0 && !whole) {
        tell_shorter(database, none, record->revision, found, &log);
    } else if (used && none && whole) {
        log.finding = STORE_LOG_TAKEN_IN;
        snprintf(log.message, sizeof log.message,
                 "the write-ahead log is gone, but the database has the last commit (revision "
                 "%" PRId64 "): another program has opened and closed it",
                 record->revision);
    } else if (wal.state == WAL_TORN || header_only) {
        log.finding = STORE_LOG_INCOMPLETE;
        snprintf(log.message, sizeof log.message,
                 "the last transaction in the write-ahead log is incomplete, as a kill or a power "
                 "cut leaves it; it is dropped");
    }
    *ret_log = log;
    return OK;
}
