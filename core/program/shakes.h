/* Random factors near 1, one after the other, for program_eval_shaken(). */
#ifndef CORE_PROGRAM_SHAKES_H
#define CORE_PROGRAM_SHAKES_H

#include <stddef.h>

#include "core/base/random.h"

/* Factor: the effect of random rounding errors, times this, counts as rounding. Convention. */
static const double SHAKE_MARGIN = 64;

/* 1 + e with e in [-by, by). A sequence that is drawn repeatedly from the same seed can be kept in
 * a table. Then the next factors come from the table, and `random` has already drawn them. */
typedef struct Shakes {
    double by;
    Random *random;
    const double *kept; /* the next factor of the table .. */
    size_t n_kept;      /* .. and the number that is left */
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

/* The next n factors; `own` has room for n. */
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
