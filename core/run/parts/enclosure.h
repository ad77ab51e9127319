/* Inside core/run/: the guards of events enclosed over a step, so that no root hides in
 * it. */
#ifndef CORE_RUN_PARTS_ENCLOSURE_H
#define CORE_RUN_PARTS_ENCLOSURE_H

#include "core/linear/path.h"
#include "core/prepare/observed.h"

typedef struct Enclosure {
    Observed *observed;
    Path path;     /* of what the guards read */
    Range *ranges; /* path.n_inputs */
} Enclosure;

/* exact: the inputs are polynomials on each step already. */
void enclosure_init(Enclosure *enclosure, Observed *observed, size_t n_events, bool exact,
                    Arena *arena);

/* The guard of an event within r of a place s = 2 theta - 1 of the step. Without a remainder,
 * errors of the path do not count. */
Range enclosure_range(Enclosure *enclosure, size_t event, double s, double r, bool with_remainder);
/* The same between two places theta of the step, as closely as possible if it may vanish. */
void enclosure_take(Enclosure *enclosure, size_t event, double from, double to, OdeRange *ret);

#endif
