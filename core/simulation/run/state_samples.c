/* States for the analyses: every stride-th step; when the room is full every second one goes. */
#include "core/simulation/run/state_samples.h"

#include <string.h>

void state_samples_init(StateSamples *samples, size_t room, size_t n, size_t r, Arena *arena)
{
    *samples = (StateSamples){.n = n,
                              .r = r,
                              .room = room,
                              .stride = 1,
                              .t = arena_doubles(arena, room),
                              .q = arena_doubles(arena, room * n),
                              .v = arena_doubles(arena, room * n),
                              .vdot = arena_doubles(arena, room * n),
                              .lambda = arena_doubles(arena, room * r)};
}

/* Rows 0, 2, 4, ... move to 0, 1, 2, ... */
static void thin(double *rows, size_t n_rows, size_t width)
{
    for (size_t k = 1; 2 * k < n_rows; k++)
        memmove(rows + k * width, rows + 2 * k * width, width * sizeof *rows);
}

void state_samples_add(StateSamples *samples, const ObservedState *state)
{
    const size_t n = samples->n, r = samples->r;

    if (samples->n_states == samples->room) {
        thin(samples->t, samples->room, 1);
        thin(samples->q, samples->room, n);
        thin(samples->v, samples->room, n);
        thin(samples->vdot, samples->room, n);
        thin(samples->lambda, samples->room, r);
        samples->n_states = samples->room / 2;
        samples->stride *= 2;
    }
    const size_t k = samples->n_states++;
    samples->t[k] = state->t;
    memcpy(samples->q + k * n, state->q, n * sizeof *samples->q);
    memcpy(samples->v + k * n, state->v, n * sizeof *samples->v);
    memcpy(samples->vdot + k * n, state->vdot, n * sizeof *samples->vdot);
    if (r)
        memcpy(samples->lambda + k * r, state->lambda, r * sizeof *samples->lambda);
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
