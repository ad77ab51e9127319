/* The processors this process may use: its affinity, and the limits of its control groups (cgroup
 * v2: cpu.max; v1: cpu.cfs_quota_us of the controller cpu). A limit holds for all groups below. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "server/processors.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

/* The first line of a small file. */
static bool read_line(const char *directory, const char *name, char *ret, int size)
{
    char path[PATH_MOST];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "r");
    bool read = file && fgets(ret, size, file);
    if (file)
        fclose(file);
    return read;
}

/* quota and period in microseconds; no number ("max") or -1 as quota means no limit. */
static double processors_of(const char *quota, const char *period)
{
    double time = strtod(quota, NULL), each = strtod(period, NULL);
    return time > 0.0 && each > 0.0 ? time / each : INFINITY;
}

static double limit_of_directory(const char *directory)
{
    char quota[64], period[64];
    if (read_line(directory, "cpu.max", quota, sizeof quota))
        return processors_of(quota, quota + strcspn(quota, " "));
    if (read_line(directory, "cpu.cfs_quota_us", quota, sizeof quota) &&
        read_line(directory, "cpu.cfs_period_us", period, sizeof period))
        return processors_of(quota, period);
    return INFINITY;
}

/* The least limit of a group and all groups above it. In a container the path may be that of the
 * host, of which only the top exists. */
static double limit_of_group(const char *mount, const char *hierarchy, const char *group)
{
    char directory[PATH_MOST];
    int n = snprintf(directory, sizeof directory, "%s%s%s", mount, hierarchy, group);
    size_t top = strlen(mount) + strlen(hierarchy);
    if (n >= (int)sizeof directory)
        return INFINITY;
    double least = limit_of_directory(directory);
    for (size_t end = (size_t)n; end > top;) {
        while (end > top && directory[end - 1] != '/')
            end--;
        while (end > top && directory[end - 1] == '/')
            end--;
        directory[end] = '\0';
        least = fmin(least, limit_of_directory(directory));
    }
    return least;
}

static bool has_controller(const char *list, const char *name)
{
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (length == strlen(name) && strncmp(list, name, length) == 0)
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup: ID:CONTROLLERS:GROUP. Version 2 names no controllers; it is mounted
 * at the top, or at `unified` beside version 1. */
static double limit_of_line(const char *mount, char *line)
{
    char hierarchy[256];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return INFINITY;
    *group++ = '\0';
    controllers++;
    if (*controllers == '\0')
        return fmin(limit_of_group(mount, "", group), limit_of_group(mount, "/unified", group));
    if (!has_controller(controllers, "cpu"))
        return INFINITY;
    snprintf(hierarchy, sizeof hierarchy, "/%s", controllers);
    return fmin(limit_of_group(mount, hierarchy, group), limit_of_group(mount, "/cpu", group));
}

double processors_cgroup_limit(const char *groups, const char *mount)
{
    double least = INFINITY;
    for (size_t length; *groups; groups += length + (groups[length] == '\n')) {
        char line[PATH_MOST];
        length = strcspn(groups, "\n");
        if (length < sizeof line) {
            memcpy(line, groups, length);
            line[length] = '\0';
            least = fmin(least, limit_of_line(mount, line));
        }
    }
    return least;
}

static double cgroup_limit(void)
{
    char groups[8192];
    FILE *file = fopen("/proc/self/cgroup", "r");
    size_t n = file ? fread(groups, 1, sizeof groups - 1, file) : 0;
    if (file)
        fclose(file);
    groups[n] = '\0';
    return processors_cgroup_limit(groups, "/sys/fs/cgroup");
}

unsigned processors_available(void)
{
    cpu_set_t set; /* of at most 1024; beyond, the call fails, and all processors of the machine
                    * count */
    double count = sched_getaffinity(0, sizeof set, &set) == 0
                       ? (double)CPU_COUNT(&set)
                       : (double)sysconf(_SC_NPROCESSORS_ONLN);
    /* round up: a worker can use a part of a processor */
    count = fmin(count, ceil(cgroup_limit()));
    return count >= 1.0 ? (unsigned)count : 1;
}
