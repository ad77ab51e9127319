/* A few threads for what takes long, so that no request waits behind it: deriving the equations of
 * a large model takes seconds, and a thread that answers requests carries many connections. */
#ifndef SERVER_COMPUTATIONS_H
#define SERVER_COMPUTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

typedef struct Computations Computations;

/* Part of what it belongs to. Exactly one of the two functions is called, once; it may free
 * that. */
typedef struct Computation {
    void *host, *self;
    void (*run)(void *host, void *self);
    void (*drop)(void *self); /* the service stops before its turn */
    struct Computation *next;
} Computation;

/* At most `most` wait or run. */
Status computations_start(unsigned threads, size_t most, Computations **ret, Error *err) MUST_CHECK;

/* False when too many wait, or the service stops: then nothing is called. */
bool computations_add(Computations *computations, Computation *computation);
size_t computations_count(Computations *computations); /* that wait or run */

/* Those under way are told to stop (core/base/stop_token.h), and have ended. NULL is fine. */
void computations_free(Computations *computations);

#endif
