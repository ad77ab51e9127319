/* The stack of stop tokens of a thread. The innermost one decides whether the thread may go on. */
#include "core/base/stop_token.h"

#include <stddef.h>
#include <time.h>

#define LOCK_NANOSECONDS 20000000 /* between two polls */

static _Thread_local StopToken *asked;

void stop_token_begin(StopToken *stop_token, Status (*poll)(void *self, Error *err), void *self)
{
    *stop_token = (StopToken){.poll = poll,
                              .self = self,
                              .every = asked ? asked->every : STOP_TOKEN_WORK,
                              .before = asked};
    if (poll)
        asked = stop_token;
}

void stop_token_end(StopToken *stop_token)
{
    if (stop_token->before)
        stop_token->before->late += stop_token->late;
    asked = stop_token->before;
}

Status stop_token_status(Error *err)
{
    return asked && asked->error.code != OK
               ? error_set(err, asked->error.code, "%s", asked->error.message)
               : OK;
}

Status stop_token_spend(uint64_t work, Error *err)
{
    StopToken *p = asked;
    if (!p)
        return OK;
    /* a stopped thread is not polled again */
    if (p->error.code != OK) {
        p->late += work;
        return stop_token_status(err);
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
    return stop_token_status(err);
}

Status stop_token_settle(Status status, Error *err)
{
    const Status over = stop_token_status(err);
    return over != OK ? over : status;
}

Status stop_token_lock(pthread_mutex_t *lock, Error *err)
{
    Status status = stop_token_status(err);

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
        status = stop_token_spend(STOP_TOKEN_WORK, err);
    }
    return status;
}
