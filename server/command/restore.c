/* dalembert restore: makes a data directory of a backup.
 *
 * The copy is made as DIR.part, compared with the manifest, verified, and renamed. The backup is
 * only read, so it may lie on a medium that cannot be written. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/copy_progress.h"
#include "server/command/manifest.h"
#include "server/command/stop_signal.h"

static const char USAGE[] =
    "usage: dalembert restore [--without-manifest] SRC DIR\n"
    "\n"
    "Makes the data directory DIR of the backup SRC (`dalembert backup`). DIR is a new or an "
    "empty\n"
    "directory. The copy is compared with SRC/manifest.json and verified before DIR appears; then\n"
    "`dalembert serve --data DIR` serves it. SRC is not changed.\n"
    "\n"
    "  --without-manifest  restore a dalembert.db that has no manifest: nothing tells whether it\n"
    "                      is the file that was written, but its checksums are verified\n"
    "\n"
    "Exit status 0 when DIR is whole. 1 otherwise; then DIR is as it was.\n";

typedef struct Restore {
    const char *source;
    bool without_manifest;
    bool has_manifest;
    HashedFile promised, found;
    Staging staging;
} Restore;

/* A log beside the database means that the directory is, or became, one that a daemon uses. */
static Status check_source(const Restore *restore, Error *err)
{
    char path[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/" STORE_FILE, restore->source);
    if (stat(path, &info) != 0)
        return error_set(err, ERR_NOT_FOUND, "no backup in '%s': '%s': %s", restore->source, path,
                         strerror(errno));
    snprintf(path, sizeof path, "%s/" STORE_FILE "-wal", restore->source);
    if (stat(path, &info) != 0 || info.st_size == 0)
        return OK;
    return error_set(err, ERR_CONFLICT,
                     "'%s' is a data directory, not a backup: a part of its data is in '%s'; make "
                     "a backup of it with `dalembert backup --data %s DEST`",
                     restore->source, path, restore->source);
}

static Status read_promise(Restore *restore, Error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, restore->source);
    const Status status = manifest_read(path, &restore->promised, err);
    restore->has_manifest = status == OK;
    if (status != ERR_NOT_FOUND)
        return status;
    if (restore->without_manifest)
        return OK;
    return error_set(err, ERR_NOT_FOUND,
                     "'%s' has no " MANIFEST_FILE ", by which a damaged copy would be seen; "
                     "--without-manifest restores it all the same",
                     restore->source);
}

static Status compare(const Restore *restore, Error *err)
{
    const HashedFile *promised = &restore->promised, *found = &restore->found;
    if (!restore->has_manifest)
        return OK;
    if (promised->bytes != found->bytes)
        return error_set(err, ERR_DAMAGED,
                         "'%s/" STORE_FILE "' has %" PRIu64 " bytes, but the manifest says %" PRIu64
                         ": the backup is damaged; take another one",
                         restore->source, found->bytes, promised->bytes);
    if (strcmp(promised->sha256, found->sha256) != 0)
        return error_set(err, ERR_DAMAGED,
                         "'%s/" STORE_FILE "' is not what the manifest says (SHA-256 %s, not %s): "
                         "the backup is damaged; take another one",
                         restore->source, found->sha256, promised->sha256);
    return OK;
}

/* The copy has the bytes of the backup, so its damage is that of the backup. */
static Status verify_copy(const Restore *restore, Error *err)
{
    const Status status = copy_verify(restore->staging.part, err);
    if (status == ERR_DAMAGED)
        error_prefix(err, "'%s/" STORE_FILE "': the backup is damaged; take another one",
                     restore->source);
    return status;
}

static Status fill(Restore *restore, Error *err)
{
    char from[PATH_MAX + sizeof "/" STORE_FILE], to[sizeof from];
    CopyProgress progress;
    snprintf(from, sizeof from, "%s/" STORE_FILE, restore->source);
    snprintf(to, sizeof to, "%s/" STORE_FILE, restore->staging.part);
    copy_progress_begin(&progress);
    const HashedRead read_of = {
        .from = from, .to = to, .self = &progress, .progress = copy_progress_show};
    Status status = hashed_read(&read_of, &restore->found, err);
    copy_progress_end(&progress);
    if (status == OK)
        status = compare(restore, err);
    return status == OK ? verify_copy(restore, err) : status;
}

static Status make_directory(Restore *restore, const char *target, Error *err)
{
    StopToken token;
    Status status = check_source(restore, err);
    if (status == OK)
        status = read_promise(restore, err);
    if (status == OK)
        status = staging_begin(&restore->staging, target, true, err);
    if (status != OK)
        return status;
    stop_signal_begin(&token);
    status = stop_signal_settle(fill(restore, err), err);
    if (status == OK)
        status = staging_publish(&restore->staging, err);
    stop_signal_end(&token);
    staging_drop(&restore->staging);
    return status;
}

int command_restore(int argc, char **argv)
{
    const char *plain[2];
    Restore restore = {0};
    const CommandOption options[] = {{"--without-manifest", NULL, NULL, &restore.without_manifest}};
    const CommandUsage usage = {"restore", USAGE, options, 1, 2, 2};
    Error err = {0};

    const int code = command_args(argc, argv, &usage, plain);
    if (code != COMMAND_GOES_ON)
        return code;
    restore.source = plain[0];
    if (strlen(plain[0]) + sizeof "/" STORE_FILE "-wal" > PATH_MAX) {
        fprintf(stderr, "dalembert restore: the name of the backup is too long\n");
        return EXIT_USAGE;
    }
    if (make_directory(&restore, plain[1], &err) != OK) {
        fprintf(stderr, "dalembert restore: %s\n", err.message);
        return EXIT_JOB_FAILED;
    }
    printf("%s: %" PRIu64 " bytes restored; `dalembert serve --data %s` serves them\n",
           restore.staging.target, restore.found.bytes, restore.staging.target);
    return EXIT_SUCCESS;
}
