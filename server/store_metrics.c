/* The store's values in GET /metrics. A value that cannot be read is left out. */
#include "server/store_metrics.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "server/metrics.h"

static void write_queue(Store *store, Text *out)
{
    StoreCounts counts;
    const TenantStore all = {store, TENANT_ALL};
    const int64_t oldest = store_oldest_queued(all), now = clock_unix_ms();
    if (store_counts(all, &counts, NULL) == OK) {
        metrics_put(out, "jobs_queued", "gauge", "Queued jobs.", (double)counts.queued);
        metrics_put(out, "jobs_running", "gauge", "Running jobs.", (double)counts.running);
        metrics_put(out, "models", "gauge", "Stored models.", (double)counts.models);
    }
    metrics_put(out, "queue_oldest_seconds", "gauge", "Wait of the oldest queued job; 0: none.",
                oldest > 0 && now > oldest ? (double)(now - oldest) / 1e3 : 0.0);
}

static void write_space(const Store *store, Text *out)
{
    StoreSpace space;
    if (store_space(store, &space, NULL) != OK)
        return;
    metrics_put(out, "disk_free_bytes", "gauge", "Space free on the disk of the data directory.",
                (double)space.free);
    metrics_put(out, "disk_total_bytes", "gauge", "Size of that disk.", (double)space.total);
    metrics_put(out, "database_bytes", "gauge", "Size of the database file.",
                (double)space.database);
    metrics_put(out, "wal_bytes", "gauge", "Size of the file of the write-ahead log.",
                (double)space.log);
}

/* Seconds since 1970 of the line time= of last_backup; 0: there is no such line. */
static double last_backup(const char *directory)
{
    char path[PATH_MAX], line[CLOCK_TEXT_MAX + 8];
    int64_t made_ms = 0;
    snprintf(path, sizeof path, "%s/last_backup", directory);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0.0;
    if (fgets(line, sizeof line, file) && strncmp(line, "time=", 5) == 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!clock_parse(line + 5, &made_ms))
            made_ms = 0;
    }
    fclose(file);
    return (double)made_ms / 1e3;
}

void store_metrics_write(Store *store, const char *directory, Text *out)
{
    const Status ready = store_ready(store, NULL);
    write_queue(store, out);
    write_space(store, out);
    metrics_put(out, "store_writable", "gauge", "1: new jobs can be stored; 0: they are refused.",
                ready == OK || ready == ERR_DAMAGED); /* a damaged job stops no others */
    metrics_put(out, "damaged_reads_total", "counter", "Reads of damaged data.",
                (double)store_damaged(store));
    metrics_put(out, "commits_total", "counter", "Durable commits.", (double)store_commits(store));
    metrics_put_histogram(out, "commit_duration_seconds",
                          "Time until a commit of the writer is durable.",
                          store_commit_times(store));
    metrics_put(out, "backup_last_success_timestamp_seconds", "gauge",
                "Unix time of the last backup; 0: none was made.", last_backup(directory));
}
