/* An online copy: pages of one snapshot, in steps, so that the disk and the daemon keep up.
 *
 * The snapshot is a read transaction of the source's own connection. Without it, every commit of
 * the daemon would make SQLite begin the copy anew. */
#include "db/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/stop_token.h"
#include "db/sqlite/snapshot.h"

enum {
    STEP_PAGES = 256,     /* 1 MiB, the longest step */
    SYNC_BYTES = 8 << 20, /* between two syncs: the daemon's own syncs wait for no long queue */
};
static const double STEP_SECONDS = 0.1; /* the longest step at the rate that was asked for */
static const double STEP_PAUSE = 0.002; /* seconds: the daemon's turn at the disk */
static const double PAUSE_SLICE = 0.1;  /* seconds between two looks at the stop token */

typedef struct Copy {
    const CopyOptions *options;
    Connection source, target;
    char source_path[PATH_MAX], target_path[PATH_MAX];
    int file; /* of the copy, to be synced */
    int64_t page_size;
    uint64_t synced; /* bytes */
    double start;
} Copy;

double copy_pause(uint64_t bytes, double seconds, uint64_t rate)
{
    return rate ? fmax(STEP_PAUSE, (double)bytes / (double)rate - seconds) : STEP_PAUSE;
}

static Status io_error(Error *err, const char *what, const char *path)
{
    const Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* Whether the disk of a directory has room for `more` bytes beside the reserve. */
static Status check_disk(const Copy *copy, const char *directory, uint64_t more, Error *err)
{
    StoreSpace space;
    const uint64_t reserve = copy->options->disk_reserve;
    if (reserve == 0 || directory_space(directory, &space, NULL) != OK ||
        space.free >= reserve + more)
        return OK;
    return error_set(err, ERR_NO_SPACE,
                     "the disk of '%s' has %llu bytes free, fewer than %llu for the copy and the "
                     "%llu of --disk-reserve: free some space, or copy to another disk",
                     directory, (unsigned long long)space.free, (unsigned long long)more,
                     (unsigned long long)reserve);
}

static Status check_disks(const Copy *copy, uint64_t more, Error *err)
{
    Status status = check_disk(copy, copy->options->target, more, err);
    return status == OK ? check_disk(copy, copy->options->source, 0, err) : status;
}

/* Counts the jobs by their states, in a file of any format. */
static Status count_jobs(Connection *source, StoreCounts *ret_counts, Error *err)
{
    uint64_t counts[JOB_CANCELLED + 1] = {0};
    Query query = query_new(source, "SELECT state, count(*) FROM jobs GROUP BY state");
    while (query_next(&query)) {
        JobState state;
        if (job_state_parse(row_peek(&query, 0), &state))
            counts[state] = (uint64_t)row_int(&query, 1);
    }
    *ret_counts = (StoreCounts){.queued = counts[JOB_QUEUED],
                                .running = counts[JOB_RUNNING],
                                .succeeded = counts[JOB_SUCCEEDED],
                                .failed = counts[JOB_FAILED],
                                .cancelled = counts[JOB_CANCELLED]};
    return query_end(&query, err);
}

static Status read_facts(Connection *source, CopyFacts *ret_facts, Error *err)
{
    int64_t format = 0;
    Status status = connection_int(source, "PRAGMA user_version", &format, err);
    ret_facts->format = (int)format;
    if (status == OK)
        status = connection_int(source, "SELECT revision FROM store", &ret_facts->revision, err);
    return status == OK ? count_jobs(source, &ret_facts->counts, err) : status;
}

/* Opens the source and fixes the moment that is copied. */
static Status open_source(Copy *copy, CopyFacts *ret_facts, Error *err)
{
    Status status = snapshot_open(copy->options->source, copy->source_path, &copy->source, err);
    if (status == OK)
        status = connection_int(&copy->source, "PRAGMA page_size", &copy->page_size, err);
    return status == OK ? read_facts(&copy->source, ret_facts, err) : status;
}

/* The file is made before SQLite opens it, for its owner alone. It needs neither a journal nor
 * SQLite's syncs, because nobody sees a copy that was not finished. */
static Status open_target(Copy *copy, Error *err)
{
    copy->file = open(copy->target_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy->file < 0)
        return io_error(err, "make", copy->target_path);
    Status status = connection_open(&copy->target, copy->target_path, true, err);
    if (status != OK)
        return status;
    return connection_script(&copy->target,
                             "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", err);
}

/* In slices, so that a copy that is slow on purpose can be stopped. */
static Status take_pause(double seconds, Error *err)
{
    Status status = stop_token_spend(STOP_TOKEN_WORK, err);
    while (status == OK && seconds > 0) {
        const double slice = fmin(seconds, PAUSE_SLICE);
        nanosleep(&(struct timespec){.tv_nsec = (long)(slice * 1e9)}, NULL);
        seconds -= slice;
        status = stop_token_spend(STOP_TOKEN_WORK, err);
    }
    return status;
}

/* After each step: the disk takes what was written, and has room for the rest. */
static Status after_step(Copy *copy, uint64_t done, uint64_t total, Error *err)
{
    const CopyOptions *options = copy->options;
    if (options->progress)
        options->progress(options->self, done, total);
    if (done - copy->synced >= SYNC_BYTES) {
        if (fdatasync(copy->file) != 0)
            return io_error(err, "write", copy->target_path);
        copy->synced = done;
    }
    Status status = check_disks(copy, 0, err);
    if (status != OK || done == total)
        return status;
    return take_pause(copy_pause(done, clock_seconds() - copy->start, options->rate), err);
}

static Status step_error(const Copy *copy, int code, Error *err)
{
    const int cause = sqlite3_system_errno(copy->target.db);
    if ((code & 0xff) == SQLITE_CORRUPT)
        return error_set(err, ERR_DAMAGED, "'%s' is damaged; `dalembert verify` names what is",
                         copy->source_path);
    if ((code & 0xff) == SQLITE_FULL || cause == ENOSPC || cause == EDQUOT)
        return error_set(err, ERR_NO_SPACE,
                         "the disk of '%s' is full: free some space, or copy to "
                         "another disk",
                         copy->target_path);
    return error_set(err, ERR_IO, "cannot copy '%s' to '%s': %s", copy->source_path,
                     copy->target_path, sqlite3_errstr(code));
}

static int pages_of_step(const Copy *copy)
{
    const uint64_t rate = copy->options->rate;
    const double pages = (double)rate * STEP_SECONDS / (double)copy->page_size;
    return rate ? (int)fmax(1, fmin(pages, STEP_PAGES)) : STEP_PAGES;
}

static Status copy_pages(Copy *copy, sqlite3_backup *backup, Error *err)
{
    const uint64_t size = (uint64_t)copy->page_size;
    const int pages = pages_of_step(copy);
    Status status = OK;
    int code = SQLITE_OK;
    copy->start = clock_seconds();
    while (status == OK && code == SQLITE_OK) {
        code = sqlite3_backup_step(backup, pages);
        if (code != SQLITE_OK && code != SQLITE_DONE)
            break;
        const uint64_t total = (uint64_t)sqlite3_backup_pagecount(backup) * size;
        const uint64_t left = (uint64_t)sqlite3_backup_remaining(backup) * size;
        status = after_step(copy, total - left, total, err);
    }
    return status == OK && code != SQLITE_DONE ? step_error(copy, code, err) : status;
}

static Status copy_all(Copy *copy, CopyFacts *ret_facts, Error *err)
{
    int64_t pages = 0;
    Status status = open_source(copy, ret_facts, err);
    if (status == OK)
        status = connection_int(&copy->source, "PRAGMA page_count", &pages, err);
    if (status == OK)
        status = check_disks(copy, (uint64_t)(pages * copy->page_size), err);
    if (status == OK)
        status = open_target(copy, err);
    if (status != OK)
        return status;
    sqlite3_backup *backup = sqlite3_backup_init(copy->target.db, "main", copy->source.db, "main");
    if (!backup)
        return error_set(err, ERR_IO, "cannot copy '%s': %s", copy->source_path,
                         sqlite3_errmsg(copy->target.db));
    status = copy_pages(copy, backup, err);
    const int code = sqlite3_backup_finish(backup);
    if (status == OK && code != SQLITE_OK)
        status = error_set(err, ERR_IO, "cannot write '%s': %s", copy->target_path,
                           sqlite3_errstr(code));
    return status;
}

Status store_copy(const CopyOptions *options, CopyFacts *ret_facts, Error *err)
{
    Copy copy = {.options = options, .file = -1};
    const int n = snprintf(copy.source_path, PATH_MAX, "%s/" STORE_FILE, options->source);
    const int m = snprintf(copy.target_path, PATH_MAX, "%s/" STORE_FILE, options->target);
    if (n >= PATH_MAX || m >= PATH_MAX)
        return error_set(err, ERR_INVALID, "a name of a directory is too long");
    Status status = copy_all(&copy, ret_facts, err);
    connection_close(&copy.source);
    connection_close(&copy.target); /* writes what is left; before the file, whose locks it holds */
    if (status == OK && fsync(copy.file) != 0)
        status = io_error(err, "write", copy.target_path);
    if (copy.file >= 0)
        close(copy.file);
    return status;
}
