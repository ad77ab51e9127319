/* Inside core/simulation/: some hundreds of the states of a run, evenly chosen, for the analyses.
 */
#ifndef CORE_SIMULATION_RUN_STATE_SAMPLES_H
#define CORE_SIMULATION_RUN_STATE_SAMPLES_H

#include <stdint.h>

#include "core/invariants/analysis.h"
#include "core/simulation/prepare/observed.h"

enum { KEEP_MOST = 512 };

/* Every stride-th step is kept; when the room is used up every second goes, and the stride doubles.
 */
typedef struct Keep {
    size_t n, r, n_states;
    uint64_t stride;
    double *block; /* owns the arrays */
    double *t, *q, *v, *vdot, *lambda;
} Keep;

Status keep_init(Keep *keep, size_t n, size_t r, Error *err) MUST_CHECK;
void keep_done(Keep *keep);

static inline bool keep_wants(const Keep *keep, uint64_t step)
{
    return step % keep->stride == 0;
}

void keep_add(Keep *keep, const ObservedState *state);
Trajectory keep_trajectory(const Keep *keep);

#endif
