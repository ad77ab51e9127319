/* Whom a thread asks whether it may go on: the innermost of those that are on its stack. */
#include "core/base/patience.h"

#include <stddef.h>
#include <time.h>

#define LOCK_NANOSECONDS 20000000 /* between two questions */

static _Thread_local Patience *asked;

void patience_begin(Patience *patience, Status (*poll)(void *self, Error *err), void *self)
{
    *patience = (Patience){
        .poll = poll, .self = self, .every = asked ? asked->every : PATIENCE_WORK, .before = asked};
    if (poll)
        asked = patience;
}

void patience_end(Patience *patience)
{
    if (patience->before)
        patience->before->late += patience->late;
    asked = patience->before;
}

Status patience_status(Error *err)
{
    return asked && asked->error.code != OK
               ? error_set(err, asked->error.code, "%s", asked->error.message)
               : OK;
}

Status patience_spend(uint64_t work, Error *err)
{
    Patience *p = asked;
    if (!p)
        return OK;
    if (p->error.code != OK) {
        p->late += work;
        return patience_status(err);
    }
    p->work += work;
    if (p->work < p->every)
        return OK;
    p->work = 0;
    Error said = {0};
    const Status status = p->poll(p->self, &said);
    if (status == OK)
        return OK;
    p->error = said;
    p->error.code = status;
    return patience_status(err);
}

Status patience_settle(Status status, Error *err)
{
    const Status over = patience_status(err);
    return over != OK ? over : status;
}

Status patience_lock(pthread_mutex_t *lock, Error *err)
{
    Status status = patience_status(err);

    while (status == OK && pthread_mutex_trylock(lock) != 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOCK_NANOSECONDS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (pthread_mutex_timedlock(lock, &until) == 0)
            break;
        status = patience_spend(PATIENCE_WORK, err);
    }
    return status;
}
