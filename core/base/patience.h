/* How long whoever called lets this thread go on.
 *
 * A job may be stopped at any time, also while its equations are derived or its analyses think.
 * What takes long counts its work here, wherever it is done, and is told when to stop; whoever
 * starts it says whom to ask:
 *
 *     Patience patience;
 *     patience_begin(&patience, poll, self);
 *     status = patience_settle(derive(.., err), err);
 *     patience_end(&patience);
 *
 * It belongs to the thread, not to a call, because every expression that is built may be the one
 * too many (docs/decisions/0013). Work is counted in operations of some nanoseconds, of a graph or
 * with numbers. */
#ifndef CORE_BASE_PATIENCE_H
#define CORE_BASE_PATIENCE_H

#include <pthread.h>
#include <stdint.h>

#include "core/base/status.h"

/* Between two questions: some milliseconds. A piece that cannot be left goes beyond it. */
enum { PATIENCE_WORK = 1 << 18 };

typedef struct Patience {
    Status (*poll)(void *self, Error *err); /* OK to go on, ERR_CANCELLED or ERR_TIMEOUT */
    void *self;
    uint64_t every; /* work between two questions; tests lower it */
    uint64_t work;  /* since poll was asked */
    uint64_t late;  /* since it did not say OK: what it took to stop */
    Error error;    /* what it said first; from then on it is not asked again */
    struct Patience *before;
} Patience;

/* Until patience_end() of the same; they nest, and the innermost is asked, as often as the one
 * before it. poll NULL: whoever was asked before. */
void patience_begin(Patience *patience, Status (*poll)(void *self, Error *err), void *self);
void patience_end(Patience *patience);

/* Counts work and asks once it is enough; not OK from the first no on. OK where nobody is asked. */
Status patience_spend(uint64_t work, Error *err);
/* OK, or what was said when patience was over. */
Status patience_status(Error *err) MUST_CHECK;
/* How a function ends: as it did, unless patience is over. Then what it gave may be of use to
 * nobody. */
Status patience_settle(Status status, Error *err) MUST_CHECK;

/* Locks; who holds it may take long, so that patience may be over before that. */
Status patience_lock(pthread_mutex_t *lock, Error *err) MUST_CHECK;

#endif
