/* The number of processors and the memory that this process may use. A container, a batch system or
 * taskset gives it less than the machine has. */
#ifndef SERVER_PROCESSORS_H
#define SERVER_PROCESSORS_H

/* At least 1: the processors of its affinity, or fewer if a control group limits their time. */
unsigned processors_available(void);

/* The time that control groups allow, in processors: 1.5 for 150 ms in 100 ms. `groups` is the text
 * of /proc/self/cgroup, `mount` the mount point of the hierarchies. INFINITY: no limit. */
double processors_cgroup_limit(const char *groups, const char *mount);

/* Bytes: the memory of the machine, or less if a control group limits it. */
double memory_available(void);
/* Bytes that control groups allow; as above. */
double memory_cgroup_limit(const char *groups, const char *mount);

#endif
