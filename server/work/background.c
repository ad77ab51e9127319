/* Lets computing threads yield to threads that answer. */
#define _GNU_SOURCE /* syscall */
#include "server/work/background.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Longer than the few milliseconds of other threads. A thread that wakes up preempts a thread with
 * a longer slice at once; otherwise it may have to wait for the end of a slice, at any nice
 * value. */
static const uint64_t SLICE_NS = 20000000;

/* sched_setattr(2), for which older C libraries have no function. */
typedef struct Scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} Scheduling;

void background_enter(int nice)
{
    if (nice == 0)
        return;
    (void)!setpriority(PRIO_PROCESS, 0, nice); /* of this thread alone, on Linux */
#ifdef SYS_sched_setattr
    /* the ordinary policy; before Linux 6.12 the slice is ignored */
    const Scheduling scheduling = {.size = sizeof scheduling, .nice = nice, .runtime = SLICE_NS};
    (void)!syscall(SYS_sched_setattr, 0, &scheduling, 0);
#endif
}
