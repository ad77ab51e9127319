/* The threads for long computations: a bounded queue, first come, first served. */
#include "server/http/computations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/stop_token.h"

struct Computations {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t *threads;
    unsigned started;
    Computation *first, *last; /* waiting */
    size_t count, most;        /* waiting or running */
    bool stopping;
};

/* With the lock held: the next computation; NULL when the service stops. */
static Computation *await_next(Computations *computations)
{
    while (!computations->first && !computations->stopping)
        pthread_cond_wait(&computations->changed, &computations->lock);
    Computation *next = computations->stopping ? NULL : computations->first;
    if (next)
        computations->first = next->next;
    return next;
}

/* Stops computations at the end of the service; their clients have been answered. */
static Status goes_on(void *self, Error *err)
{
    Computations *computations = self;
    pthread_mutex_lock(&computations->lock);
    const bool stopping = computations->stopping;
    pthread_mutex_unlock(&computations->lock);
    return stopping ? error_set(err, ERR_CANCELLED, "the service stops") : OK;
}

static void *compute(void *cls)
{
    Computations *computations = cls;
    Computation *next;
    StopToken stop_token;
    stop_token_begin(&stop_token, goes_on, computations);
    pthread_mutex_lock(&computations->lock);
    while ((next = await_next(computations))) {
        pthread_mutex_unlock(&computations->lock);
        next->run(next->host, next->self);
        pthread_mutex_lock(&computations->lock);
        computations->count--;
    }
    pthread_mutex_unlock(&computations->lock);
    stop_token_end(&stop_token);
    return NULL;
}

Status computations_start(unsigned threads, size_t most, Computations **ret, Error *err)
{
    Computations *computations = calloc(1, sizeof *computations);
    if (!computations)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    pthread_mutex_init(&computations->lock, NULL);
    pthread_cond_init(&computations->changed, NULL);
    computations->most = most;
    computations->threads = alloc_array(threads, sizeof *computations->threads);
    Status status = computations->threads ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    /* start the threads */
    for (unsigned i = 0; status == OK && i < threads; i++) {
        int code = pthread_create(&computations->threads[i], NULL, compute, computations);
        if (code != 0)
            status = error_set(err, ERR_IO, "cannot start a thread: %s", strerror(code));
        else
            computations->started++;
    }
    if (status == OK)
        *ret = computations;
    else
        computations_free(computations);
    return status;
}

bool computations_add(Computations *computations, Computation *computation)
{
    pthread_mutex_lock(&computations->lock);
    bool room = !computations->stopping && computations->count < computations->most;
    if (room) {
        computation->next = NULL;
        if (computations->first)
            computations->last->next = computation;
        else
            computations->first = computation;
        computations->last = computation;
        computations->count++;
        pthread_cond_signal(&computations->changed);
    }
    pthread_mutex_unlock(&computations->lock);
    return room;
}

size_t computations_count(Computations *computations)
{
    pthread_mutex_lock(&computations->lock);
    size_t count = computations->count;
    pthread_mutex_unlock(&computations->lock);
    return count;
}

void computations_free(Computations *computations)
{
    if (!computations)
        return;
    pthread_mutex_lock(&computations->lock);
    computations->stopping = true;
    pthread_cond_broadcast(&computations->changed);
    pthread_mutex_unlock(&computations->lock);
    for (unsigned i = 0; i < computations->started; i++)
        pthread_join(computations->threads[i], NULL);
    for (Computation *waiting = computations->first, *next; waiting; waiting = next) {
        next = waiting->next;
        waiting->drop(waiting->self);
    }
    pthread_cond_destroy(&computations->changed);
    pthread_mutex_destroy(&computations->lock);
    free(computations->threads);
    free(computations);
}
