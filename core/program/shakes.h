/* Random factors near 1, one after the other, for program_eval_shaken(). */
#ifndef CORE_PROGRAM_SHAKES_H
#define CORE_PROGRAM_SHAKES_H

#include <stddef.h>

#include "core/base/random.h"

/* 1 + e with e in [-by, by). What is drawn again and again from the same seed can be kept: then the
 * next ones come from a table, and `random` has drawn those already. */
typedef struct Shakes {
    double by;
    Random *random;
    const double *kept; /* the next of the table .. */
    size_t n_kept;      /* .. of so many that are left */
} Shakes;

static inline double shakes_drawn(const Shakes *shakes)
{
    return 1 + shakes->by * random_uniform(shakes->random, -1, 1);
}

static inline double shakes_next(Shakes *shakes)
{
    if (shakes->n_kept == 0)
        return shakes_drawn(shakes);
    shakes->n_kept--;
    return *shakes->kept++;
}

/* The next n; `own` has room for this number. */
static inline const double *shakes_some(Shakes *shakes, size_t n, double *own)
{
    const double *const kept = shakes->kept;

    if (shakes->n_kept < n) {
        for (size_t k = 0; k < n; k++)
            own[k] = shakes_next(shakes);
        return own;
    }
    shakes->n_kept -= n;
    shakes->kept += n;
    return kept;
}

#endif
