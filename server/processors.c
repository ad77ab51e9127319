/* The processors and the memory this process may use: its affinity, and the limits of its control
 * groups (cgroup v2: cpu.max, memory.max; v1: cpu.cfs_quota_us of the controller cpu,
 * memory.limit_in_bytes of memory). A limit holds for all groups below. */
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

/* A limit that control groups set. */
typedef struct Controller {
    const char *name;
    double (*limit)(const char *directory); /* of one group; INFINITY: none */
} Controller;

static double processors_of_directory(const char *directory)
{
    char quota[64], period[64];
    if (read_line(directory, "cpu.max", quota, sizeof quota))
        return processors_of(quota, quota + strcspn(quota, " "));
    if (read_line(directory, "cpu.cfs_quota_us", quota, sizeof quota) &&
        read_line(directory, "cpu.cfs_period_us", period, sizeof period))
        return processors_of(quota, period);
    return INFINITY;
}

static double memory_of_directory(const char *directory)
{
    char bytes[64];
    if (!read_line(directory, "memory.max", bytes, sizeof bytes) &&
        !read_line(directory, "memory.limit_in_bytes", bytes, sizeof bytes))
        return INFINITY;
    const double limit = strtod(bytes, NULL);
    return limit > 0.0 ? limit : INFINITY; /* 0: "max" */
}

static const Controller CPU = {"cpu", processors_of_directory};
static const Controller MEMORY = {"memory", memory_of_directory};

/* The least limit of a group and all groups above it. In a container the path may be that of the
 * host, of which only the top exists. */
static double limit_of_group(const Controller *controller, const char *mount, const char *hierarchy,
                             const char *group)
{
    char directory[PATH_MOST];
    int n = snprintf(directory, sizeof directory, "%s%s%s", mount, hierarchy, group);
    size_t top = strlen(mount) + strlen(hierarchy);
    if (n >= (int)sizeof directory)
        return INFINITY;
    double least = controller->limit(directory);
    for (size_t end = (size_t)n; end > top;) {
        while (end > top && directory[end - 1] != '/')
            end--;
        while (end > top && directory[end - 1] == '/')
            end--;
        directory[end] = '\0';
        least = fmin(least, controller->limit(directory));
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
static double limit_of_line(const Controller *controller, const char *mount, char *line)
{
    char hierarchy[256];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return INFINITY;
    *group++ = '\0';
    controllers++;
    if (*controllers == '\0')
        return fmin(limit_of_group(controller, mount, "", group),
                    limit_of_group(controller, mount, "/unified", group));
    if (!has_controller(controllers, controller->name))
        return INFINITY;
    snprintf(hierarchy, sizeof hierarchy, "/%s", controllers);
    const double listed = limit_of_group(controller, mount, hierarchy, group);
    snprintf(hierarchy, sizeof hierarchy, "/%s", controller->name);
    return fmin(listed, limit_of_group(controller, mount, hierarchy, group));
}

static double least_limit(const Controller *controller, const char *groups, const char *mount)
{
    double least = INFINITY;
    for (size_t length; *groups; groups += length + (groups[length] == '\n')) {
        char line[PATH_MOST];
        length = strcspn(groups, "\n");
        if (length < sizeof line) {
            memcpy(line, groups, length);
            line[length] = '\0';
            least = fmin(least, limit_of_line(controller, mount, line));
        }
    }
    return least;
}

double processors_cgroup_limit(const char *groups, const char *mount)
{
    return least_limit(&CPU, groups, mount);
}

double memory_cgroup_limit(const char *groups, const char *mount)
{
    return least_limit(&MEMORY, groups, mount);
}

/* The groups of this process. */
static double limit_here(const Controller *controller)
{
    char groups[8192];
    FILE *file = fopen("/proc/self/cgroup", "r");
    size_t n = file ? fread(groups, 1, sizeof groups - 1, file) : 0;
    if (file)
        fclose(file);
    groups[n] = '\0';
    return least_limit(controller, groups, "/sys/fs/cgroup");
}

double memory_available(void)
{
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return fmin(machine, limit_here(&MEMORY));
}

unsigned processors_available(void)
{
    cpu_set_t set; /* of at most 1024; beyond, the call fails, and all processors of the machine
                    * count */
    double count = sched_getaffinity(0, sizeof set, &set) == 0
                       ? (double)CPU_COUNT(&set)
                       : (double)sysconf(_SC_NPROCESSORS_ONLN);
    /* round up: a worker can use a part of a processor */
    count = fmin(count, ceil(limit_here(&CPU)));
    return count >= 1.0 ? (unsigned)count : 1;
}
