/* States for the analyses: every stride-th step; when the room is full every second one goes. */
#include "core/simulation/run/state_samples.h"

#include <string.h>

enum { FIRST_CAPACITY = 16, GROWTH = 4 };

/* Longer rows with what the old ones say. */
static void lengthen(StateSamples *samples, double **rows, size_t width)
{
    double *longer = arena_doubles(samples->arena, samples->capacity * width);

    if (longer && samples->n_states)
        memcpy(longer, *rows, samples->n_states * width * sizeof *longer);
    *rows = longer;
}

static Status grow(StateSamples *samples, Error *err)
{
    const size_t wanted = samples->capacity ? GROWTH * samples->capacity : FIRST_CAPACITY;

    samples->capacity = wanted < samples->room ? wanted : samples->room;
    lengthen(samples, &samples->t, 1);
    lengthen(samples, &samples->q, samples->n);
    lengthen(samples, &samples->v, samples->n);
    lengthen(samples, &samples->vdot, samples->n);
    lengthen(samples, &samples->lambda, samples->r);
    return arena_status(samples->arena, err);
}

void state_samples_init(StateSamples *samples, size_t room, size_t n, size_t r, Arena *arena)
{
    *samples = (StateSamples){.n = n, .r = r, .room = room, .stride = 1, .arena = arena};
}

/* Rows 0, 2, 4, ... move to 0, 1, 2, ... */
static void thin(double *rows, size_t n_rows, size_t width)
{
    for (size_t k = 1; 2 * k < n_rows; k++)
        memmove(rows + k * width, rows + 2 * k * width, width * sizeof *rows);
}

Status state_samples_add(StateSamples *samples, const ObservedState *state, Error *err)
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
    } else if (samples->n_states == samples->capacity) {
        Status status = grow(samples, err);
        if (status != OK)
            return status;
    }
    const size_t k = samples->n_states++;
    samples->t[k] = state->t;
    memcpy(samples->q + k * n, state->q, n * sizeof *samples->q);
    memcpy(samples->v + k * n, state->v, n * sizeof *samples->v);
    memcpy(samples->vdot + k * n, state->vdot, n * sizeof *samples->vdot);
    if (r)
        memcpy(samples->lambda + k * r, state->lambda, r * sizeof *samples->lambda);
    return OK;
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
