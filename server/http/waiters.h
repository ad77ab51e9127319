/* Requests that wait for a job to change, as suspended connections.
 *
 * libmicrohttpd loses a wake-up that comes before the suspension, and aborts the process if it is
 * stopped with a suspended connection. Therefore a waiter enters this registry and is suspended
 * under one lock, each resumption removes it under the same lock, and after waiters_close() the
 * registry stays empty. */
#ifndef SERVER_WAITERS_H
#define SERVER_WAITERS_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store.h"

typedef struct Waiters Waiters;

/* Part of a request's state; the caller owns it and sets all members but the links. */
typedef struct Waiter {
    struct MHD_Connection *connection;
    int fd;                  /* of the connection */
    char job_id[JOB_ID_MAX]; /* empty: any job */
    bool until_done;         /* wake it only when the job is done */
    double deadline;         /* of clock_seconds() */
    bool computes;           /* for its own computation: limited elsewhere, and not given up */
    bool gone;               /* resumed because its client seems disconnected */
    struct Waiter *next, *previous;
} Waiter;

Waiters *waiters_new(size_t most); /* NULL when out of memory */
void waiters_free(Waiters *waiters);

/* A point in time, taken before the look at the job, so that no change gets lost. */
uint64_t waiters_mark(Waiters *waiters);

typedef enum WaitStart {
    WAIT_STARTED, /* the connection is suspended; do not touch the request any more */
    WAIT_CHANGED, /* the job may have changed since the mark: look again */
    WAIT_REFUSED, /* too many wait, or the service shuts down */
} WaitStart;
WaitStart waiters_add(Waiters *waiters, Waiter *waiter, uint64_t mark);

/* Resumes the requests that wait for the job. Requests for any job are resumed at the next
 * waiters_tick(), so that a busy service does not run every list after every job. */
void waiters_changed(Waiters *waiters, const char *job_id, bool done);

/* Resumes requests whose time is over, requests for any job after a change, and now and then those
 * of disconnected clients, because a suspended connection does not notice the close. Returns the
 * time of the next call, of clock_seconds(). */
double waiters_tick(Waiters *waiters, double now);

/* Resumes all who wait for jobs, to look again whether their keys hold. */
void waiters_resume_all(Waiters *waiters);

void waiters_close(Waiters *waiters); /* resumes all; from now on all are refused */
bool waiters_closed(Waiters *waiters);
size_t waiters_count(Waiters *waiters);

#endif
