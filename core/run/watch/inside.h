/* Inside core/run/: features, corners and contradictions that a step may have passed. */
#ifndef CORE_RUN_WATCH_INSIDE_H
#define CORE_RUN_WATCH_INSIDE_H

#include "core/run/state/run_state.h"

/* Features are looked for from then on; rtol: see WatchSpec. Arrays are the arena's. */
Status inside_init(Watch *features, const MotionState *at, double rtol, Arena *memory,
                   Error *err) MUST_CHECK;
/* Is there anything to look for? */
bool inside_watched(const Watches *watch, const Simulation *simulation);

/* For OdeWatch: whether the step may have passed something, by its ends; and what it has passed. */
bool inside_may_pass(Watches *watch, const MotionState *at, const OdeArc *ends);
OdePassed inside_find_passed(Watches *watch, MotionState *at, Evidence *evidence, const OdeArc *arc,
                             double *ret_from, double *ret_length);
/* All that was passed on a passage. */
OdePassed inside_find_all_passed(Watches *watch, MotionState *at, Evidence *evidence,
                                 const OdeArc *arc);
/* The step in parts in which nothing of the model is narrow, as features_divide(). */
size_t inside_divide(Watch *features, const MotionState *at, const OdeArc *arc,
                     const double **ret_ends, bool *ret_known);

#endif
