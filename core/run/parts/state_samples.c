/* States for the analyses: every stride-th step; when the room is full every second one goes. */
#include "core/run/parts/state_samples.h"

#include <string.h>

#include "core/base/numbers.h"

enum { FIRST_CAPACITY = 16, GROWTH = 4 };

/* Longer rows with the values of the old ones. */
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

/* Every second one goes, and from here on every second step. */
static void halve(StateSamples *samples)
{
    const size_t n = samples->n, r = samples->r;

    thin(samples->t, samples->room, 1);
    thin(samples->q, samples->room, n);
    thin(samples->v, samples->room, n);
    thin(samples->vdot, samples->room, n);
    thin(samples->lambda, samples->room, r);
    samples->n_states = samples->n_told = samples->room / 2;
    samples->stride *= 2;
}

Status state_samples_add(StateSamples *samples, double t, const double *q, const double *v,
                         Error *err)
{
    const size_t n = samples->n;

    if (state_samples_are_full(samples)) {
        halve(samples);
    } else if (samples->n_states == samples->capacity) {
        Status status = grow(samples, err);
        if (status != OK)
            return status;
    }
    const size_t k = samples->n_states++;
    samples->t[k] = t;
    numbers_copy(samples->q + k * n, q, n);
    numbers_copy(samples->v + k * n, v, n);
    return OK;
}

void state_samples_tell(StateSamples *samples, const double *vdot, const double *lambda,
                        size_t stride)
{
    const size_t n = samples->n, r = samples->r, k = samples->n_told++;

    for (size_t i = 0; i < n; i++)
        samples->vdot[k * n + i] = vdot[i * stride];
    for (size_t a = 0; a < r; a++)
        samples->lambda[k * r + a] = lambda[a * stride];
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
