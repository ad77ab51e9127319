/* States for the analyses. */
#include "core/run/parts/state_samples.h"

#include <string.h>

#include "core/base/numbers.h"

void state_samples_init(StateSamples *samples, size_t room, size_t n, size_t r, Arena *arena)
{
    *samples = (StateSamples){.n = n, .r = r, .room = room, .stride = 1};
    /* most runs fill a small part of it */
    samples->t = room ? arena_raw_doubles(arena, room * (1 + 3 * n + r)) : NULL;
    if (!samples->t)
        return;
    samples->q = samples->t + room;
    samples->v = samples->q + room * n;
    samples->vdot = samples->v + room * n;
    samples->lambda = samples->vdot + room * n;
}

/* Rows 0, 2, 4, ... move to 0, 1, 2, ... */
static void thin(double *rows, size_t n_rows, size_t width)
{
    for (size_t k = 1; 2 * k < n_rows; k++)
        memmove(rows + k * width, rows + 2 * k * width, width * sizeof *rows);
}

static void halve(StateSamples *samples)
{
    const size_t n = samples->n, r = samples->r;

    thin(samples->t, samples->room, 1);
    thin(samples->q, samples->room, n);
    thin(samples->v, samples->room, n);
    thin(samples->vdot, samples->room, n);
    thin(samples->lambda, samples->room, r);
    samples->n_states = samples->room / 2;
    samples->stride *= 2;
}

void state_samples_add(StateSamples *samples, const ObservedState *state)
{
    const size_t n = samples->n;

    if (samples->n_states == samples->room)
        halve(samples);
    const size_t k = samples->n_states++;
    samples->t[k] = state->t;
    numbers_copy(samples->q + k * n, state->q, n);
    numbers_copy(samples->v + k * n, state->v, n);
    numbers_copy(samples->vdot + k * n, state->vdot, n);
    numbers_copy(samples->lambda + k * samples->r, state->lambda, samples->r);
}

Trajectory state_samples_trajectory(const StateSamples *samples)
{
    return (Trajectory){.n_states = samples->n_states,
                        .t = samples->t,
                        .q = samples->q,
                        .v = samples->v,
                        .vdot = samples->vdot,
                        .lambda = samples->lambda};
}
