/* The store's values in GET /metrics. A value that cannot be read is left out. */
#include "server/store_metrics.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "db/tenants.h"
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

/* Tenants with a label of their own, which has 6 series. GET /v1/tenants lists all. */
enum { LABELLED_TENANTS = 100 };
static const char OTHER[] = "other";

/* Sums all tenants without a label of their own into one row behind the others. Returns the number
 * of rows. */
static size_t join_others(TenantRecord *tenants, size_t n)
{
    TenantRecord others = {.name = OTHER};
    size_t n_labelled = 0, n_others = 0;
    for (size_t i = 0; i < n; i++) {
        const TenantRecord *tenant = &tenants[i];
        const StoreCounts *counts = &tenant->counts;
        if (n_labelled < LABELLED_TENANTS && strcmp(tenant->name, OTHER) != 0) {
            tenants[n_labelled++] = *tenant;
            continue;
        }
        n_others++;
        others.counts.queued += counts->queued;
        others.counts.running += counts->running;
        others.counts.succeeded += counts->succeeded;
        others.counts.failed += counts->failed;
        others.counts.cancelled += counts->cancelled;
        others.bytes += tenant->bytes;
    }
    if (n_others)
        tenants[n_labelled++] = others;
    return n_labelled;
}

static void write_jobs(const TenantRecord *tenants, size_t n, Text *out)
{
    static const char *const JOBS = "tenant_jobs";
    metrics_put_head(out, JOBS, "gauge", "Stored jobs of a tenant by state.");
    for (size_t i = 0; i < n; i++) {
        const StoreCounts *counts = &tenants[i].counts;
        const struct {
            const char *state;
            uint64_t n;
        } rows[] = {{"queued", counts->queued},
                    {"running", counts->running},
                    {"succeeded", counts->succeeded},
                    {"failed", counts->failed},
                    {"cancelled", counts->cancelled}};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            char labels[128];
            snprintf(labels, sizeof labels, "tenant=\"%.63s\",state=\"%s\"", tenants[i].name,
                     rows[k].state);
            metrics_put_sample(out, JOBS, labels, (double)rows[k].n);
        }
    }
}

static void write_bytes(const TenantRecord *tenants, size_t n, Text *out)
{
    static const char *const BYTES = "tenant_result_bytes";
    metrics_put_head(out, BYTES, "gauge", "Stored rows of results of a tenant, in bytes.");
    for (size_t i = 0; i < n; i++) {
        char labels[80];
        snprintf(labels, sizeof labels, "tenant=\"%.63s\"", tenants[i].name);
        metrics_put_sample(out, BYTES, labels, (double)tenants[i].bytes);
    }
}

void tenant_metrics_write(Store *store, Text *out)
{
    Arena *arena = arena_new(0);
    TenantRecord *tenants;
    size_t n;
    if (arena && store_tenant_list(store, arena, &tenants, &n, NULL) == OK) {
        n = join_others(tenants, n);
        write_jobs(tenants, n, out);
        write_bytes(tenants, n, out);
    }
    arena_free(arena);
}
