/* The stop token of a thread tells whether the thread may go on.
 *
 * A job may be stopped at any time. Long computations count their work here, and are told when to
 * stop. The caller that starts one gives the function to poll:
 *
 *      StopToken token;
 *      stop_token_begin(&token, poll, self);
 *      status = stop_token_settle(derive(.., err), err);
 *      stop_token_end(&token);
 *
 * The token belongs to the thread, not to a call, because every new expression may exceed the limit
 * (docs/decisions/0013). Work is counted in operations of some nanoseconds, of a graph or with
 * numbers. */
#ifndef CORE_BASE_STOP_TOKEN_H
#define CORE_BASE_STOP_TOKEN_H

#include <pthread.h>
#include <stdint.h>

#include "core/base/status.h"

/* Work between two polls: some milliseconds. A piece that cannot be interrupted goes beyond it. */
enum { STOP_TOKEN_WORK = 1 << 18 };

typedef struct StopToken {
    Status (*poll)(void *self, Error *err); /* OK to go on, ERR_CANCELLED or ERR_TIMEOUT */
    void *self;
    uint64_t every; /* work between two polls; tests lower it */
    uint64_t work;  /* work since the last poll */
    uint64_t late;  /* work after poll did not return OK: the delay of the stop */
    Error error;    /* the first result that is not OK; poll is not called again */
    struct StopToken *before;
} StopToken;

/* Valid until stop_token_end() of the same token. Tokens nest, and the innermost is polled, as
 * often as the one before it. With poll NULL the token before it stays in charge. */
void stop_token_begin(StopToken *stop_token, Status (*poll)(void *self, Error *err), void *self);
void stop_token_end(StopToken *stop_token);

/* Counts work and polls once it is enough. After the first result that is not OK it returns that
 * result. Without a token it returns OK. */
Status stop_token_spend(uint64_t work, Error *err);
/* OK, or the error with which the thread was told to stop. */
Status stop_token_status(Error *err) MUST_CHECK;
/* The status at the end of a function: its own, unless the thread is to stop. In that case the
 * results of the function may be unusable. */
Status stop_token_settle(Status status, Error *err) MUST_CHECK;

/* Locks the mutex, and polls while another thread holds it for long. Not OK: it is not locked. */
Status stop_token_lock(pthread_mutex_t *lock, Error *err) MUST_CHECK;

#endif
