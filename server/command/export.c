/* dalembert export: the data of a service as lines of JSON, also while it runs.
 *
 * The store is verified, then exported to FILE.part, which is renamed. So FILE is always a whole
 * export. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/export.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/copy_progress.h"
#include "server/data_directory.h"
#include "server/command/sealed_lines.h"
#include "server/command/stop_signal.h"

static const char USAGE[] =
    "usage: dalembert export [--data DIR] [--tenant NAME] [FILE]\n"
    "\n"
    "Writes tenants, models, jobs and results as lines of JSON to the new file FILE, or to\n"
    "standard output, also while a daemon uses the data directory. The export is the store at one\n"
    "moment: every job that was acknowledged before is in it. `dalembert import FILE NEWDIR` "
    "makes\n"
    "a data directory of it, also with later versions. Jobs that run are exported as queued.\n"
    "\n"
    "  --data DIR     the data directory (default: that of `dalembert serve` with the same\n"
    "                 environment, DALEMBERT_DATA, DALEMBERT_CONFIG)\n"
    "  --tenant NAME  only this tenant with its models, jobs and results\n"
    "\n"
    "Keys and secrets of webhooks are left out, because an export is for other eyes and places:\n"
    "whoever reads it must not be able to use the service.\n"
    "\n"
    "Exit status 0 when the export is whole. 1 otherwise; then there is no FILE.\n";

typedef struct ExportCommand {
    const char *data, *tenant;
    const char *target; /* NULL: standard output */
    char part[PATH_MAX];
    FILE *file;
    SealedLines lines;
    uint64_t jobs;
} ExportCommand;

static Status file_error(Error *err, const char *what, const char *path)
{
    const Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* Opens FILE.part for its owner alone. A process that was killed may have left one. */
static Status open_part(ExportCommand *export, Error *err)
{
    struct stat info;
    if (snprintf(export->part, PATH_MAX, "%s.part", export->target) >= PATH_MAX)
        return error_set(err, ERR_INVALID, "the name of the file is too long");
    if (lstat(export->target, &info) == 0)
        return error_set(err, ERR_CONFLICT, "'%s' exists; give the name of a new file",
                         export->target);
    const int file = open(export->part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return file_error(err, "make", export->part);
    Status status = OK;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        status =
            error_set(err, ERR_CONFLICT, "'%s' is being written by another process", export->part);
    else if (fchmod(file, 0600) != 0 || ftruncate(file, 0) != 0 ||
             !(export->file = fdopen(file, "wb")))
        status = file_error(err, "write", export->part);
    if (status != OK)
        close(file);
    return status;
}

static Status write_object(void *self, const char *text, size_t size, Error *err)
{
    ExportCommand *export = self;
    return sealed_lines_write(&export->lines, text, size, err);
}

static Status write_lines(ExportCommand *export, Error *err)
{
    const ExportOptions options = {
        .source = export->data, .tenant = export->tenant, .self = export, .object = write_object};
    Status status = copy_verify(export->data, err);
    sealed_lines_begin(&export->lines, export->file, export->target ? export->part : "-");
    if (status == OK)
        status = store_export(&options, &export->jobs, err);
    status = stop_signal_settle(status, err);
    return status == OK ? sealed_lines_end(&export->lines, err) : status;
}

/* Gives the file its name, or removes it. */
static Status close_part(ExportCommand *export, Status status, Error *err)
{
    if (status == OK && fsync(fileno(export->file)) != 0)
        status = file_error(err, "write", export->part);
    if (status == OK)
        status = file_publish(export->part, export->target, err);
    else
        unlink(export->part);
    fclose(export->file);
    return status;
}

static Status make_export(ExportCommand *export, Error *err)
{
    StopToken token;
    export->file = stdout;
    Status status = export->target ? open_part(export, err) : OK;
    if (status != OK)
        return status;
    stop_signal_begin(&token);
    status = write_lines(export, err);
    stop_signal_end(&token);
    return export->target ? close_part(export, status, err) : status;
}

int command_export(int argc, char **argv)
{
    ExportCommand export = {0};
    const CommandOption options[] = {{"--data", NULL, &export.data, NULL},
                                     {"--tenant", NULL, &export.tenant, NULL}};
    const CommandUsage usage = {"export", USAGE, options, 2, 0, 1};
    Config config = {0};
    Error err = {0};

    int code = command_args(argc, argv, &usage, &export.target);
    if (code != COMMAND_GOES_ON)
        return code;
    Status status = data_directory_find(export.data, &config, &err);
    code = status == OK ? EXIT_JOB_FAILED : EXIT_USAGE;
    export.data = config.store.data;
    if (status == OK)
        status = make_export(&export, &err);
    if (status == OK) {
        code = EXIT_SUCCESS;
        if (export.target)
            printf("%s: %" PRIu64 " jobs, %" PRIu64 " lines\n", export.target, export.jobs,
                   export.lines.n);
    } else {
        fprintf(stderr, "dalembert export: %s\n", err.message);
    }
    config_done(&config);
    return code;
}
