/* Inside core/run/: where in a step redundant constraints begin to contradict the others.
 * Those take no part in the equations of motion, so neither steps nor what watches these know of
 * them. */
#ifndef CORE_RUN_WATCH_CONTRADICTION_H
#define CORE_RUN_WATCH_CONTRADICTION_H

#include "core/run/state/run_state.h"

/* |phi| relative to its terms, beyond which a redundant constraint is contradictory and a
 * constraint in use is lost. Convention: far above the rounding that a projection leaves. */
static const double CONTRADICTION = 1e-9;

/* There are redundant constraints, and a projection onto the others that makes them hold. */
bool contradiction_watched(const Run *run);

/* Do they, in the midst or at the end of one of the n parts of the step, ends[n + 1]? Then
 * *ret_theta is the first such place, or between it and the one before, where one is off by clearly
 * more than CONTRADICTION. */
bool contradiction_begins(Run *run, const OdeArc *arc, size_t n, const double *ends,
                          double *ret_theta);

#endif
