/* dalembert import: makes a data directory of an export.
 *
 * The store is made as DIR.part, verified, and renamed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/backup.h"
#include "db/export.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/copy_progress.h"
#include "server/command/sealed_lines.h"
#include "server/command/stop_signal.h"

static const char USAGE[] =
    "usage: dalembert import FILE DIR\n"
    "\n"
    "Makes the data directory DIR of an export (`dalembert export`); FILE - is standard input. "
    "DIR\n"
    "is a new or an empty directory. Every line is checked, and the store is verified before DIR\n"
    "appears; then `dalembert serve --data DIR` serves it. Jobs keep their ids, revisions and\n"
    "idempotency keys. Jobs that waited or ran are queued. Keys of clients are not in an export:\n"
    "make new ones (`dalembert keys`).\n"
    "\n"
    "Exit status 0 when DIR is whole. 1 otherwise; then DIR is as it was.\n";

typedef struct ImportCommand {
    SealedLines lines;
    Staging staging;
    uint64_t jobs;
} ImportCommand;

/* Every line but the last becomes a part of the store. */
static Status take_lines(ImportCommand *import, StoreImport *store, Error *err)
{
    SealedLines *lines = &import->lines;
    const char *object = "";
    size_t size = 0;
    Status status = OK;
    while (status == OK && object) {
        status = sealed_lines_read(lines, &object, &size, err);
        if (status == OK && object) {
            status = store_import_object(store, object, size, err);
            if (status != OK)
                error_prefix(err, "line %" PRIu64 " of '%s'", lines->n, lines->name);
        }
        status = status == OK ? stop_token_spend(STOP_TOKEN_WORK / 64, err) : status;
    }
    return status;
}

static Status fill(ImportCommand *import, Error *err)
{
    StoreImport *store = NULL;
    Status status = store_import_begin(import->staging.part, &store, err);
    if (status == OK)
        status = take_lines(import, store, err);
    if (status == OK)
        status = store_import_end(store, &import->jobs, err);
    store_import_free(store);
    if (status != OK)
        return status;
    status = copy_verify(import->staging.part, err);
    if (status == ERR_DAMAGED)
        error_prefix(err, "the objects of '%s' make no sound store; make another export",
                     import->lines.name);
    return status;
}

static Status make_directory(ImportCommand *import, const char *target, Error *err)
{
    StopToken token;
    Status status = staging_begin(&import->staging, target, true, err);
    if (status != OK)
        return status;
    stop_signal_begin(&token);
    status = stop_signal_settle(fill(import, err), err);
    if (status == OK)
        status = staging_publish(&import->staging, err);
    stop_signal_end(&token);
    staging_drop(&import->staging);
    return status;
}

static Status import_file(ImportCommand *import, const char *name, const char *target, Error *err)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rbe");
    if (!file)
        return error_set(err, ERR_IO, "cannot read '%s': %s", name, strerror(errno));
    sealed_lines_begin(&import->lines, file, name);
    const Status status = make_directory(import, target, err);
    sealed_lines_done(&import->lines);
    if (file != stdin)
        fclose(file);
    return status;
}

int command_import(int argc, char **argv)
{
    const char *plain[2];
    const CommandUsage usage = {"import", USAGE, NULL, 0, 2, 2};
    ImportCommand import = {0};
    Error err = {0};

    const int code = command_args(argc, argv, &usage, plain);
    if (code != COMMAND_GOES_ON)
        return code;
    if (import_file(&import, plain[0], plain[1], &err) != OK) {
        fprintf(stderr, "dalembert import: %s\n", err.message);
        return EXIT_JOB_FAILED;
    }
    printf("%s: %" PRIu64 " jobs imported; `dalembert serve --data %s` serves them\n",
           import.staging.target, import.jobs, import.staging.target);
    return EXIT_SUCCESS;
}
