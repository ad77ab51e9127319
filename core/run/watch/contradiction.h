/* Inside core/run/: finds the place in a step at which redundant constraints begin to contradict
 * the others. Redundant constraints take no part in the equations of motion, so neither the
 * steps nor the other watches notice a contradiction. */
#ifndef CORE_RUN_WATCH_CONTRADICTION_H
#define CORE_RUN_WATCH_CONTRADICTION_H

#include "core/run/state/run_state.h"

/* |phi| relative to its terms, beyond which a redundant constraint is contradictory and a
 * constraint in use is lost. Convention: far above the rounding that a projection leaves. */
static const double CONTRADICTION = 1e-9;

/* True if the run has redundant constraints and projects onto the other constraints. */
bool contradiction_watched(const Simulation *s);

/* True if a contradiction begins within the step. The middle and the end of each of the n parts
 * of the step, ends[n + 1], are examined, and bisection finds the place, *ret_theta. False, too,
 * if it begins near the end of the step and lasts until there, because the end shows it. */
bool contradiction_begins(MotionState *at, Evidence *evidence, const OdeArc *arc, size_t n,
                          const double *ends, double *ret_theta);

#endif
