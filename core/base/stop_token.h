/* The stop token of a thread: whether it may go on.
 *
 * A job may be stopped at any time, also while its equations are derived or its analyses compute.
 * Long computations count their work here, and are told when to stop. The caller that starts one
 * says whom to ask:
 *
 *     StopToken token;
 *     stop_token_begin(&token, poll, self);
 *     status = stop_token_settle(derive(.., err), err);
 *     stop_token_end(&token);
 *
 * It belongs to the thread, not to a call, because every expression that is built may be the one
 * too many (docs/decisions/0013). Work is counted in operations of some nanoseconds, of a graph or
 * with numbers. */
#ifndef CORE_BASE_STOP_TOKEN_H
#define CORE_BASE_STOP_TOKEN_H

#include <pthread.h>
#include <stdint.h>

#include "core/base/status.h"

/* Between two questions: some milliseconds. A piece that cannot be left goes beyond it. */
enum { STOP_TOKEN_WORK = 1 << 18 };

typedef struct StopToken {
    Status (*poll)(void *self, Error *err); /* OK to go on, ERR_CANCELLED or ERR_TIMEOUT */
    void *self;
    uint64_t every; /* work between two questions; tests lower it */
    uint64_t work;  /* since poll was asked */
    uint64_t late;  /* since it did not say OK: what it took to stop */
    Error error;    /* what it said first; from then on it is not asked again */
    struct StopToken *before;
} StopToken;

/* Until stop_token_end() of the same; they nest, and the innermost is asked, as often as the one
 * before it. poll NULL: whoever was asked before. */
void stop_token_begin(StopToken *stop_token, Status (*poll)(void *self, Error *err), void *self);
void stop_token_end(StopToken *stop_token);

/* Counts work and asks once it is enough; not OK from the first no on. OK where nobody is asked. */
Status stop_token_spend(uint64_t work, Error *err);
/* OK, or what was said when the thread was told to stop. */
Status stop_token_status(Error *err) MUST_CHECK;
/* How a function ends: as it did, unless the thread is to stop. Then what it gave may be of use to
 * nobody. */
Status stop_token_settle(Status status, Error *err) MUST_CHECK;

/* Locks; who holds it may take long, so that the thread may be told to stop before that. */
Status stop_token_lock(pthread_mutex_t *lock, Error *err) MUST_CHECK;

#endif
