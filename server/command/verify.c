/* dalembert verify: reads a whole data directory and reports the damage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/store.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/data_directory.h"

static const char USAGE[] =
    "usage: dalembert verify [--data DIR] [--reindex] [--compact]\n"
    "\n"
    "Reads a whole data directory and its write-ahead log, compares checksums, and reports\n"
    "damage. Changes no data; a daemon may be running on the directory. SQLite may leave an\n"
    "empty dalembert.db-wal and a dalembert.db-shm there; the next start takes them over.\n"
    "Without --data it is the data directory of `dalembert serve` with the same environment\n"
    "(DALEMBERT_DATA, DALEMBERT_CONFIG).\n"
    "\n"
    "--reindex first makes all indexes anew, if no daemon uses the directory. It mends `missing "
    "from\n"
    "index` and `wrong # of entries in index`: jobs that lists lack or that wait for ever. Rows "
    "stay\n"
    "as they are. It opens the directory as `dalembert serve` does, so it brings an older format "
    "up\n"
    "to date.\n"
    "\n"
    "--compact then rewrites the file without its free pages, if the directory is sound and no\n"
    "daemon uses it; from then on deletions give space back to the disk. It needs as much space\n"
    "as the new file.\n"
    "\n"
    "Exit status 0: all data are sound; 1: some are damaged or cannot be read.\n";

static void tell_damage(void *self, const char *what)
{
    (void)self;
    printf("damaged: %s\n", what);
}

/* Commits that are in the write-ahead log alone: none after a clean stop, and in a restored
 * directory. */
static void print_log(const StoreLog *log)
{
    printf("%-14s ", "log");
    if (log->finding == STORE_LOG_LOST)
        printf("%" PRIu64 " commits sound, at least %" PRIu64 " lost\n", log->commits, log->lost);
    else if (log->finding == STORE_LOG_INCOMPLETE)
        printf("%" PRIu64 " commits sound; the last transaction is incomplete\n", log->commits);
    else if (log->commits > 0)
        printf("%" PRIu64 " commits sound\n", log->commits);
    else
        printf("empty: all commits are in the database\n");
}

static bool report_print(const StoreReport *report)
{
    bool sound = report->structure == 0 && report->log.finding != STORE_LOG_LOST;
    printf("format %d\n", report->format);
    print_log(&report->log);
    for (int kind = 0; kind < STORED_KINDS; kind++) {
        printf("%-14s %" PRIu64 " sound, %" PRIu64 " damaged, %" PRIu64 " without a checksum\n",
               stored_kind_name((StoredKind)kind), report->kinds[kind].sound,
               report->kinds[kind].damaged, report->kinds[kind].unchecked);
        sound = sound && report->kinds[kind].damaged == 0;
    }
    printf("%s\n", sound ? "sound" : "damaged");
    return sound;
}

static Status make_indexes(const Config *config, Error *err)
{
    StoreOptions options = data_directory_options(config);
    Store *store = NULL;
    options.existing = true;
    options.purpose = STORE_REINDEX;
    const Status status = store_open(&options, &store, err);
    store_close(store);
    return status;
}

int command_verify(int argc, char **argv)
{
    const char *data = NULL;
    bool reindex = false, compact = false;
    const CommandOption options[] = {{"--data", NULL, &data, NULL},
                                     {"--reindex", NULL, NULL, &reindex},
                                     {"--compact", NULL, NULL, &compact}};
    const CommandUsage usage = {"verify", USAGE, options, 3, 0, 0};
    Config config = {0};
    Error err = {0};
    StoreReport report;
    bool sound = false;

    int code = command_args(argc, argv, &usage, NULL);
    if (code != COMMAND_GOES_ON)
        return code;
    /* find the directory */
    Status status = data_directory_find(data, &config, &err);
    if (status != OK) {
        fprintf(stderr, "dalembert verify: %s\n", err.message);
        config_done(&config);
        return EXIT_USAGE;
    }
    /* mend its indexes, verify it, then compact it */
    const ReportSink sink = {NULL, tell_damage};
    if (reindex)
        status = make_indexes(&config, &err);
    if (status == OK)
        status = store_verify(config.store.data, &sink, &report, &err);
    if (status == OK)
        sound = report_print(&report);
    if (sound && compact)
        status = store_compact(config.store.data, &err);
    config_done(&config);
    if (status != OK)
        fprintf(stderr, "dalembert verify: %s\n", err.message);
    return status == OK && sound ? EXIT_SUCCESS : EXIT_FAILURE;
}
