/* The lock of a directory, and the record of its write-ahead log. */
#include "db/sqlite/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { OWNER_MAX = 256, RECORD_MAX = 64 };

static const char *const STATES[] = {
    [LOG_UNKNOWN] = "", [LOG_CLOSED] = "closed", [LOG_EMPTY] = "empty", [LOG_USED] = "used"};

Status system_error(Error *err, const char *what, const char *path)
{
    Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

static int record_format(const LogRecord *record, char ret_line[RECORD_MAX])
{
    if (record->state == LOG_UNKNOWN)
        return 0;
    return snprintf(ret_line, RECORD_MAX, "log=%-6s revision=%020" PRId64 "\n",
                    STATES[record->state], record->revision);
}

/* The record behind the first line, if it is whole. */
static LogRecord record_parse(const char *text)
{
    const LogRecord unknown = {.state = LOG_UNKNOWN};
    const char *line = strchr(text, '\n');
    if (!line || strncmp(line + 1, "log=", 4) != 0)
        return unknown;
    const char *state = line + 5, *revision = strstr(state, " revision=");
    if (!revision)
        return unknown;
    char *end;
    const long long number = strtoll(revision + strlen(" revision="), &end, 10);
    for (LogState s = LOG_CLOSED; s <= LOG_USED && *end == '\n'; s++)
        if (strncmp(state, STATES[s], strlen(STATES[s])) == 0)
            return (LogRecord){s, number};
    return unknown;
}

static void file_text(int file, char ret_text[OWNER_MAX + RECORD_MAX])
{
    const ssize_t n = pread(file, ret_text, OWNER_MAX + RECORD_MAX - 1, 0);
    ret_text[n > 0 ? n : 0] = '\0';
}

/* The one who holds the lock has written who it is. */
static Status lock_refuse(const char *directory, int file, Error *err)
{
    char owner[OWNER_MAX + RECORD_MAX];
    file_text(file, owner);
    owner[strcspn(owner, "\n")] = '\0';
    return error_set(err, ERR_CONFLICT,
                     "the data directory '%s' is in use by %s; only one daemon may use it",
                     directory, owner[0] ? owner : "another process");
}

/* Who it is, in front of what was recorded before. Failing to write it, on a full disk, does not
 * matter. */
static void write_owner(LockFile *lock)
{
    char host[128] = "", text[OWNER_MAX + RECORD_MAX];
    gethostname(host, sizeof host - 1);
    lock->at = snprintf(text, OWNER_MAX, "process %ld on host '%s'\n", (long)getpid(), host);
    const int length = (int)lock->at + record_format(&lock->record, text + lock->at);
    if (pwrite(lock->file, text, (size_t)length, 0) == length)
        (void)!ftruncate(lock->file, length);
}

Status lock_take(const char *directory, LockFile *ret_lock, Error *err)
{
    char path[4096 + 20], text[OWNER_MAX + RECORD_MAX];
    snprintf(path, sizeof path, "%s/dalembert.lock", directory);
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return system_error(err, "open", path);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        Status status = errno == EWOULDBLOCK ? lock_refuse(directory, file, err)
                                             : system_error(err, "lock", path);
        close(file);
        return status;
    }
    file_text(file, text);
    *ret_lock = (LockFile){.file = file, .record = record_parse(text), .due = true};
    write_owner(ret_lock);
    return OK;
}

void lock_release(LockFile *lock)
{
    if (lock->file >= 0)
        close(lock->file);
    lock->file = -1;
}

LogRecord lock_read(const char *directory)
{
    char path[4096 + 20], text[OWNER_MAX + RECORD_MAX];
    snprintf(path, sizeof path, "%s/dalembert.lock", directory);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return (LogRecord){.state = LOG_UNKNOWN};
    file_text(file, text);
    close(file);
    return record_parse(text);
}

static void write_record(LockFile *lock, LogRecord record, bool synced)
{
    char line[RECORD_MAX];
    const int length = record_format(&record, line);
    const bool well = pwrite(lock->file, line, (size_t)length, lock->at) == length &&
                      (!synced || fsync(lock->file) == 0);
    if (well)
        lock->record = record;
    lock->due = lock->due && !(well && synced);
}

void lock_commit(LockFile *lock, int64_t revision)
{
    if (lock->due || lock->record.state != LOG_USED || lock->record.revision != revision)
        write_record(lock, (LogRecord){LOG_USED, revision}, lock->due);
}

void lock_mark(LockFile *lock, LogState state, int64_t revision)
{
    const bool due = lock->due;
    if (lock->record.state != state || lock->record.revision != revision)
        write_record(lock, (LogRecord){state, revision}, true);
    lock->due = due; /* it is the next commit that is due */
}
