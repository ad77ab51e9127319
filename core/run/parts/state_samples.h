/* Inside core/run/: some hundreds of the states of a run, evenly chosen, for the
 * analyses. */
#ifndef CORE_RUN_PARTS_STATE_SAMPLES_H
#define CORE_RUN_PARTS_STATE_SAMPLES_H

#include <stdint.h>

#include "core/invariants/analysis.h"
#include "core/prepare/observed.h"

enum { MOST_STATE_SAMPLES = 512 };

/* Every stride-th step is kept; when the room is used up every second goes, and the stride
 * doubles. Without room none is kept. */
typedef struct StateSamples {
    size_t n, r, room, n_states;
    uint64_t stride; /* a power of two */
    double *t, *q, *v, *vdot, *lambda;
} StateSamples;

/* room: 0, or an even number. Arrays are the arena's. */
void state_samples_init(StateSamples *samples, size_t room, size_t n, size_t r, Arena *arena);

static inline bool state_samples_want(const StateSamples *samples, uint64_t step)
{
    return samples->room && (step & (samples->stride - 1)) == 0;
}

/* Adds a state with its accelerations and multipliers. */
void state_samples_add(StateSamples *samples, const ObservedState *state);
Trajectory state_samples_trajectory(const StateSamples *samples);

#endif
