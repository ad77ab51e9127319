/* dalembert backup: copies a data directory, also while a daemon uses it.
 *
 * The copy is made as DEST.part, verified, described by a manifest, and renamed. So DEST
 * is always a whole backup. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/copy_progress.h"
#include "server/data_directory.h"
#include "server/command/manifest.h"
#include "server/command/stop_signal.h"

static const char USAGE[] =
    "usage: dalembert backup [--data DIR] [--rate BYTES] [--disk-reserve BYTES] DEST\n"
    "\n"
    "Copies a data directory to the new directory DEST, also while a daemon uses it. The copy is\n"
    "the store at the moment of the start: every job that was acknowledged before is in it. It is\n"
    "verified before DEST appears; `dalembert restore DEST DIR` makes a data directory of it.\n"
    "\n"
    "  --data DIR            the data directory (default: that of `dalembert serve` with the same\n"
    "                        environment, DALEMBERT_DATA, DALEMBERT_CONFIG)\n"
    "  --rate BYTES          copy at most so many bytes a second, such as 50M (default: as many\n"
    "                        as the disk takes)\n"
    "  --disk-reserve BYTES  give up when either disk has less space left (default: that of\n"
    "                        `dalembert serve`, 64M)\n"
    "\n"
    "Exit status 0 when DEST is whole. 1 otherwise; then no DEST is made, and one that was there\n"
    "before is as it was.\n";

typedef struct Backup {
    const char *data;
    uint64_t rate, disk_reserve;
    Staging staging;
    Manifest manifest;
} Backup;

static Status copy_database(Backup *backup, Error *err)
{
    CopyProgress progress;
    copy_progress_begin(&progress);
    const CopyOptions options = {.source = backup->data,
                                 .target = backup->staging.part,
                                 .rate = backup->rate,
                                 .disk_reserve = backup->disk_reserve,
                                 .self = &progress,
                                 .progress = copy_progress_show};
    Status status = store_copy(&options, &backup->manifest.facts, err);
    copy_progress_end(&progress);
    return status;
}

/* The moment of the snapshot is told, not that of the end. */
static Status fill(Backup *backup, Error *err)
{
    char path[PATH_MAX + sizeof "/" STORE_FILE];
    Text text = TEXT_INIT;
    backup->manifest.made_ms = clock_unix_ms();
    Status status = copy_database(backup, err);
    if (status == OK)
        status = copy_verify(backup->staging.part, err);
    snprintf(path, sizeof path, "%s/" STORE_FILE, backup->staging.part);
    if (status == OK)
        status = hashed_read(&(HashedRead){.from = path}, &backup->manifest.file, err);
    manifest_write(&backup->manifest, &text);
    if (status == OK && !text_ok(&text))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = staging_write(&backup->staging, MANIFEST_FILE, text_string(&text), err);
    text_done(&text);
    return status;
}

/* For those who watch that backups are made. The backup is whole without it. */
static void note_success(const Backup *backup)
{
    char path[PATH_MAX], text[CLOCK_TEXT_MAX + 60], time[CLOCK_TEXT_MAX];
    Error err = {0};
    clock_format(backup->manifest.made_ms, time);
    snprintf(text, sizeof text, "time=%s\nrevision=%" PRId64 "\n", time,
             backup->manifest.facts.revision);
    const int length = snprintf(path, sizeof path, "%s/last_backup", backup->data);
    if (length < (int)sizeof path && file_replace(path, text, &err) != OK)
        fprintf(stderr,
                "dalembert backup: warning: the backup is whole, but its time is not noted "
                "in the data directory: %s\n",
                err.message);
}

static Status make_backup(Backup *backup, const char *target, Error *err)
{
    StopToken token;
    Status status = staging_begin(&backup->staging, target, false, err);
    if (status != OK)
        return status;
    stop_signal_begin(&token);
    status = stop_signal_settle(fill(backup, err), err);
    if (status == OK)
        status = staging_publish(&backup->staging, err);
    stop_signal_end(&token);
    staging_drop(&backup->staging);
    if (status == OK)
        note_success(backup);
    return status;
}

static Status read_options(const char *data, const char *rate, const char *reserve, Config *config,
                           Backup *backup, Error *err)
{
    Status status = data_directory_find(data, config, err);
    if (status == OK && reserve)
        status = config_set(config, "disk-reserve", reserve, "--disk-reserve", err);
    if (status == OK && rate)
        status = config_bytes_parse(rate, "--rate", &backup->rate, err);
    if (status != OK)
        return status;
    backup->data = config->store.data;
    backup->disk_reserve = config->store.disk_reserve;
    return OK;
}

static uint64_t count_jobs(const StoreCounts *counts)
{
    return counts->queued + counts->running + counts->succeeded + counts->failed +
           counts->cancelled;
}

int command_backup(int argc, char **argv)
{
    const char *data = NULL, *rate = NULL, *reserve = NULL, *target;
    const CommandOption options[] = {{"--data", NULL, &data, NULL},
                                     {"--rate", NULL, &rate, NULL},
                                     {"--disk-reserve", NULL, &reserve, NULL}};
    const CommandUsage usage = {"backup", USAGE, options, 3, 1, 1};
    Config config = {0};
    Backup backup = {0};
    Error err = {0};

    int code = command_args(argc, argv, &usage, &target);
    if (code != COMMAND_GOES_ON)
        return code;
    Status status = read_options(data, rate, reserve, &config, &backup, &err);
    code = status == OK ? EXIT_JOB_FAILED : EXIT_USAGE;
    if (status == OK)
        status = make_backup(&backup, target, &err);
    if (status == OK) {
        code = EXIT_SUCCESS;
        printf("%s: %" PRIu64 " jobs, %" PRIu64 " bytes, revision %" PRId64 "\n",
               backup.staging.target, count_jobs(&backup.manifest.facts.counts),
               backup.manifest.file.bytes, backup.manifest.facts.revision);
    } else {
        fprintf(stderr, "dalembert backup: %s\n", err.message);
    }
    config_done(&config);
    return code;
}
