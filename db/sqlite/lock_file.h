/* dalembert.lock: the process that has the directory, and the state of its write-ahead log.
 *
 *     process 4711 on host 'name'
 *     log=used   revision=00000000000000001234
 *
 * The second line is for the next start, which compares it with what it finds (log_finding.h).
 * Older programs leave it out. It is rewritten in place, always as long, so that no kill
 * leaves a half. */
#ifndef DB_SQLITE_LOCK_FILE_H
#define DB_SQLITE_LOCK_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "db/store.h"

typedef enum LogState {
    LOG_UNKNOWN, /* there is no second line */
    LOG_CLOSED,  /* a clean end: everything is in the database */
    LOG_EMPTY,   /* the writer has moved everything into the database and cut the log */
    LOG_USED,    /* commits may be in the log alone */
} LogState;

typedef struct LogRecord {
    LogState state;
    int64_t revision; /* of the last commit; every acknowledged change has one */
} LogRecord;

typedef struct LockFile {
    int file; /* -1: none */
    off_t at; /* where the second line begins */
    LogRecord record;
    bool due;     /* the next commit's record is synced */
    StoreLog log; /* as it was found when the lock was taken */
} LockFile;

/* The failure of a system call, by errno: cannot WHAT 'PATH'. */
Status system_error(Error *err, const char *what, const char *path);

/* Takes the lock until lock_release. ERR_CONFLICT names the process that has it. */
Status lock_take(const char *directory, LockFile *ret_lock, Error *err) MUST_CHECK;
void lock_release(LockFile *lock); /* twice is fine */

/* The record in a directory that another process may have. */
LogRecord lock_read(const char *directory);

/* Writes the record if it differs from the last one or is due; a failure is no harm, the record
 * only tells less. After a kill the record is exact. After a power cut it may be older, but not
 * older than the first commit behind the last checkpoint, because that one is synced: a log that
 * is lost as a whole is always noticed. */
void lock_commit(LockFile *lock, int64_t revision);               /* before it is acknowledged */
void lock_mark(LockFile *lock, LogState state, int64_t revision); /* synced */

#endif
