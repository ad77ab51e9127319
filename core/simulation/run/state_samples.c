#include "core/simulation/run/state_samples.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

Status keep_init(Keep *keep, size_t n, size_t r, Error *err)
{
    *keep = (Keep){.n = n, .r = r, .stride = 1};
    const BlockPart parts[] = {{&keep->t, KEEP_MOST},
                               {&keep->q, KEEP_MOST * n},
                               {&keep->v, KEEP_MOST * n},
                               {&keep->vdot, KEEP_MOST * n},
                               {&keep->lambda, KEEP_MOST * r}};
    keep->block = alloc_block(sizeof *keep->block, parts, sizeof parts / sizeof *parts);
    return keep->block ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void keep_done(Keep *keep)
{
    free(keep->block);
}

/* Rows 0, 2, 4, ... move to 0, 1, 2, ... */
static void thin(double *rows, size_t n_rows, size_t width)
{
    for (size_t k = 1; 2 * k < n_rows; k++)
        memmove(rows + k * width, rows + 2 * k * width, width * sizeof *rows);
}

void keep_add(Keep *keep, const ObservedState *state)
{
    const size_t n = keep->n, r = keep->r;

    if (keep->n_states == KEEP_MOST) {
        thin(keep->t, KEEP_MOST, 1);
        thin(keep->q, KEEP_MOST, n);
        thin(keep->v, KEEP_MOST, n);
        thin(keep->vdot, KEEP_MOST, n);
        thin(keep->lambda, KEEP_MOST, r);
        keep->n_states = KEEP_MOST / 2;
        keep->stride *= 2;
    }
    const size_t k = keep->n_states++;
    keep->t[k] = state->t;
    memcpy(keep->q + k * n, state->q, n * sizeof *keep->q);
    memcpy(keep->v + k * n, state->v, n * sizeof *keep->v);
    memcpy(keep->vdot + k * n, state->vdot, n * sizeof *keep->vdot);
    if (r)
        memcpy(keep->lambda + k * r, state->lambda, r * sizeof *keep->lambda);
}

Trajectory keep_trajectory(const Keep *keep)
{
    return (Trajectory){.n_states = keep->n_states,
                        .t = keep->t,
                        .q = keep->q,
                        .v = keep->v,
                        .vdot = keep->vdot,
                        .lambda = keep->lambda};
}
