/* The program and its process in GET /metrics. A value that cannot be read is left out. */
#include "server/process_metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/metrics.h"

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void write_cpu(Text *out)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        metrics_put_standard(out, "process_cpu_seconds_total", "counter",
                             "Processor time of all threads, of the user and the system.",
                             seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
}

static void write_memory(Text *out)
{
    char line[160];
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return;
    /* the second number is that of resident pages */
    const char *pages = fgets(line, sizeof line, file) ? strchr(line, ' ') : NULL;
    if (pages)
        metrics_put_standard(out, "process_resident_memory_bytes", "gauge", "Resident memory.",
                             strtod(pages, NULL) * (double)sysconf(_SC_PAGESIZE));
    fclose(file);
}

static void write_descriptors(Text *out)
{
    struct rlimit limit;
    DIR *directory = opendir("/proc/self/fd");
    if (directory) {
        int entries = 0;
        while (readdir(directory))
            entries++;
        closedir(directory);
        metrics_put_standard(out, "process_open_fds", "gauge", "Open file descriptors.",
                             entries - 3); /* without ".", ".." and this look */
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        metrics_put_standard(out, "process_max_fds", "gauge", "Limit of file descriptors.",
                             (double)limit.rlim_cur);
}

void process_metrics_write(const Origin *origin, int64_t started_ms, Text *out)
{
    text_printf(out,
                "# HELP dalembert_build_info The running program; always 1.\n"
                "# TYPE dalembert_build_info gauge\n"
                "dalembert_build_info{version=\"%s\",build=\"%s\"} 1\n",
                DALEMBERT_VERSION, origin->build);
    metrics_put_standard(out, "process_start_time_seconds", "gauge",
                         "Start of the process, Unix time.", (double)started_ms / 1e3);
    write_cpu(out);
    write_memory(out);
    write_descriptors(out);
}
