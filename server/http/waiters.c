/* The requests that wait for jobs: suspended connections in buckets by job id, resumed by a
 * change, a deadline or the end. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "server/http/waiters.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Lists by a hash of the job's id. Each has the tick of its last change, which answers "has this
 * job changed since?" without a memory of jobs; a collision costs one look too many. */
enum { BUCKETS = 4096 };

/* Shortest time between wake-ups of requests that wait for any job. */
static const double ANY_INTERVAL = 0.05;

/* Time between searches for disconnected clients. */
static const double LOOK_INTERVAL = 0.5;

typedef struct Bucket {
    Waiter *first;
    uint64_t changed, done; /* ticks */
} Bucket;

struct Waiters {
    pthread_mutex_t lock;
    Bucket buckets[BUCKETS + 1]; /* the last one: any job */
    uint64_t tick;
    uint64_t all_resumed; /* tick */
    size_t count, most;
    bool any_pending, closed;
    double next_look;
    struct pollfd *looks; /* one for each waiter */
    size_t looks_capacity;
};

Waiters *waiters_new(size_t most)
{
    Waiters *waiters = calloc(1, sizeof *waiters);
    if (!waiters)
        return NULL;
    waiters->most = most;
    if (pthread_mutex_init(&waiters->lock, NULL) != 0) {
        free(waiters);
        return NULL;
    }
    return waiters;
}

void waiters_free(Waiters *waiters)
{
    if (!waiters)
        return;
    pthread_mutex_destroy(&waiters->lock);
    free(waiters->looks);
    free(waiters);
}

/* FNV-1a */
static Bucket *waiter_bucket(Waiters *waiters, const char *job_id)
{
    if (!*job_id)
        return &waiters->buckets[BUCKETS];
    uint32_t hash = 2166136261u;
    for (; *job_id; job_id++)
        hash = (hash ^ (unsigned char)*job_id) * 16777619u;
    return &waiters->buckets[hash % BUCKETS];
}

uint64_t waiters_mark(Waiters *waiters)
{
    pthread_mutex_lock(&waiters->lock);
    uint64_t mark = waiters->tick;
    pthread_mutex_unlock(&waiters->lock);
    return mark;
}

WaitStart waiters_add(Waiters *waiters, Waiter *waiter, uint64_t mark)
{
    WaitStart start = WAIT_STARTED;
    pthread_mutex_lock(&waiters->lock);
    Bucket *bucket = waiter_bucket(waiters, waiter->job_id);
    /* refuse, look again, or suspend */
    if (waiters->closed || (!waiter->computes && waiters->count >= waiters->most)) {
        start = WAIT_REFUSED;
    } else if ((waiter->until_done ? bucket->done : bucket->changed) > mark ||
               (!waiter->computes && waiters->all_resumed > mark)) {
        start = WAIT_CHANGED;
    } else {
        waiter->gone = false;
        waiter->previous = NULL;
        waiter->next = bucket->first;
        if (bucket->first)
            bucket->first->previous = waiter;
        bucket->first = waiter;
        waiters->count++;
        MHD_suspend_connection(waiter->connection);
    }
    pthread_mutex_unlock(&waiters->lock);
    return start;
}

/* With the lock held. */
static void resume(Waiters *waiters, Bucket *bucket, Waiter *waiter)
{
    if (waiter->previous)
        waiter->previous->next = waiter->next;
    else
        bucket->first = waiter->next;
    if (waiter->next)
        waiter->next->previous = waiter->previous;
    waiters->count--;
    /* from here on another thread may run the request and free the waiter */
    MHD_resume_connection(waiter->connection);
}

void waiters_changed(Waiters *waiters, const char *job_id, bool done)
{
    pthread_mutex_lock(&waiters->lock);
    Bucket *bucket = waiter_bucket(waiters, job_id);
    bucket->changed = ++waiters->tick;
    if (done)
        bucket->done = waiters->tick;
    for (Waiter *waiter = bucket->first, *next; waiter; waiter = next) {
        next = waiter->next;
        if ((done || !waiter->until_done) && strcmp(waiter->job_id, job_id) == 0)
            resume(waiters, bucket, waiter);
    }
    waiters->buckets[BUCKETS].changed = waiters->tick;
    waiters->any_pending = true;
    pthread_mutex_unlock(&waiters->lock);
}

/* With the lock held, because a suspended connection is open and no other thread reads it. A client
 * that has closed only its sending side may still read, so it gets the current answer. */
static void resume_gone(Waiters *waiters)
{
    size_t n = 0;
    if (!grow_array(&waiters->looks, &waiters->looks_capacity, waiters->count,
                    sizeof *waiters->looks))
        return; /* the deadlines still hold */
    for (size_t i = 0; i <= BUCKETS; i++)
        for (Waiter *waiter = waiters->buckets[i].first; waiter; waiter = waiter->next)
            waiters->looks[n++] = (struct pollfd){.fd = waiter->fd, .events = POLLRDHUP};
    if (poll(waiters->looks, (nfds_t)n, 0) <= 0)
        return;
    n = 0;
    for (size_t i = 0; i <= BUCKETS; i++)
        for (Waiter *waiter = waiters->buckets[i].first, *next; waiter; waiter = next) {
            next = waiter->next;
            if (!waiters->looks[n++].revents || waiter->computes)
                continue;
            waiter->gone = true;
            resume(waiters, &waiters->buckets[i], waiter);
        }
}

double waiters_tick(Waiters *waiters, double now)
{
    double next_call = now + LOOK_INTERVAL;
    pthread_mutex_lock(&waiters->lock);
    /* disconnected clients */
    if (waiters->count > 0 && now >= waiters->next_look) {
        waiters->next_look = now + LOOK_INTERVAL;
        resume_gone(waiters);
    }
    bool wake_any = waiters->any_pending;
    waiters->any_pending = false;
    /* deadlines, and changes of any job */
    for (size_t i = 0; waiters->count > 0 && i <= BUCKETS; i++) {
        Bucket *bucket = &waiters->buckets[i];
        for (Waiter *waiter = bucket->first, *next; waiter; waiter = next) {
            next = waiter->next;
            if (now >= waiter->deadline || (i == BUCKETS && wake_any))
                resume(waiters, bucket, waiter);
            else if (waiter->deadline < next_call)
                next_call = waiter->deadline;
        }
    }
    if (waiters->buckets[BUCKETS].first && now + ANY_INTERVAL < next_call)
        next_call = now + ANY_INTERVAL;
    pthread_mutex_unlock(&waiters->lock);
    return next_call;
}

void waiters_resume_all(Waiters *waiters)
{
    pthread_mutex_lock(&waiters->lock);
    waiters->all_resumed = ++waiters->tick;
    for (size_t i = 0; waiters->count > 0 && i <= BUCKETS; i++)
        for (Waiter *waiter = waiters->buckets[i].first, *next; waiter; waiter = next) {
            next = waiter->next;
            if (!waiter->computes)
                resume(waiters, &waiters->buckets[i], waiter);
        }
    pthread_mutex_unlock(&waiters->lock);
}

void waiters_close(Waiters *waiters)
{
    pthread_mutex_lock(&waiters->lock);
    waiters->closed = true;
    for (size_t i = 0; waiters->count > 0 && i <= BUCKETS; i++)
        while (waiters->buckets[i].first)
            resume(waiters, &waiters->buckets[i], waiters->buckets[i].first);
    pthread_mutex_unlock(&waiters->lock);
}

bool waiters_closed(Waiters *waiters)
{
    pthread_mutex_lock(&waiters->lock);
    bool closed = waiters->closed;
    pthread_mutex_unlock(&waiters->lock);
    return closed;
}

size_t waiters_count(Waiters *waiters)
{
    pthread_mutex_lock(&waiters->lock);
    size_t count = waiters->count;
    pthread_mutex_unlock(&waiters->lock);
    return count;
}
