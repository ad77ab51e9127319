/* Inside core/run/: reductions that are numbers of what was found beside the motion, by
 * their paths. */
#ifndef CORE_RUN_TELL_REDUCE_FINDING_H
#define CORE_RUN_TELL_REDUCE_FINDING_H

#include "core/run/state/run_state.h"

/* The sensitivities at the end, if a reduction wants one. */
void finding_note_end(Reduce *reduce, MotionState *at, Arena *memory, double t, const double *y);
/* The number at a path such as "floquet.radius", "sensitivities.d(x)/d(parameters.l)"; NAN where
 * there is none. */
double finding_number(const Reduce *reduce, const Simulation *simulation, const Value *findings,
                      const char *path);
/* Reductions of second opinions, once these exist, by their paths in the diagnostics:
 * "accuracy.max_relative", "compare.0.columns.x.absolute". They are set in the result. */
Status finding_take_opinions(const Simulation *simulation, SimulationResult *result,
                             Error *err) MUST_CHECK;

#endif
