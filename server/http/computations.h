/* A few threads for long computations, so that no request waits behind them. Deriving the equations
 * of a large model takes seconds, and a thread that answers requests serves many connections. */
#ifndef SERVER_COMPUTATIONS_H
#define SERVER_COMPUTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

typedef struct Computations Computations;

/* Part of its owner. Exactly one of the two functions is called, once; it may free the owner. */
typedef struct Computation {
    void *host, *self;
    void (*run)(void *host, void *self);
    void (*drop)(void *self); /* the service stops before its turn */
    struct Computation *next;
} Computation;

/* Starts the threads; at most `most` computations wait or run. */
Status computations_start(unsigned threads, size_t most, Computations **ret, Error *err) MUST_CHECK;

/* False if the queue is full or the service stops; then neither function is called. */
bool computations_add(Computations *computations, Computation *computation);
size_t computations_count(Computations *computations); /* waiting or running */

/* Stops the running computations (core/base/stop_token.h) and waits for their ends. NULL is
 * fine. */
void computations_free(Computations *computations);

#endif
