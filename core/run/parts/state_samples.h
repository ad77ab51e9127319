/* Inside core/run/: some hundreds of the states of a run, evenly chosen, for the
 * analyses. */
#ifndef CORE_RUN_PARTS_STATE_SAMPLES_H
#define CORE_RUN_PARTS_STATE_SAMPLES_H

#include <stdint.h>

#include "core/invariants/analysis.h"
#include "core/prepare/observed.h"

enum { MOST_STATE_SAMPLES = 512 };

/* Every stride-th step is kept; when the room is used up every second goes, and the stride
 * doubles. Without room none is kept. Memory is taken as it is needed: most runs are short. */
typedef struct StateSamples {
    size_t n, r, room, n_states;
    size_t n_told;   /* number of first states with accelerations and multipliers */
    size_t capacity; /* of the arrays; at most the room */
    uint64_t stride; /* a power of two */
    double *t, *q, *v, *vdot, *lambda;
    Arena *arena;
    bool waits; /* accelerations and multipliers may be found later: see observe.h */
} StateSamples;

/* room: 0, or an even number. Memory is the arena's, which outlives the samples; whether there was
 * any, it tells. */
void state_samples_init(StateSamples *samples, size_t room, size_t n, size_t r, Arena *arena);

static inline bool state_samples_want(const StateSamples *samples, uint64_t step)
{
    return samples->room && (step & (samples->stride - 1)) == 0;
}

/* Adds a state. If the samples are full, accelerations and multipliers of all earlier states must
 * have been reported. */
Status state_samples_add(StateSamples *samples, double t, const double *q, const double *v,
                         Error *err) MUST_CHECK;
static inline bool state_samples_are_full(const StateSamples *samples)
{
    return samples->n_states == samples->room;
}
/* Takes the accelerations and multipliers of the first state without them; `stride` is the distance
 * between two numbers. */
void state_samples_tell(StateSamples *samples, const double *vdot, const double *lambda,
                        size_t stride);
Trajectory state_samples_trajectory(const StateSamples *samples);

#endif
