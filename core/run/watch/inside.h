/* Inside core/run/: features and corners that a step may have passed. */
#ifndef CORE_RUN_WATCH_INSIDE_H
#define CORE_RUN_WATCH_INSIDE_H

#include "core/run/state/run_state.h"

/* Features and corners are looked for from then on; rtol: see WatchSpec. */
Status run_watch(Run *run, double rtol, Error *err) MUST_CHECK;
OdeWatch run_watch_system(Run *run);

/* The features passed on a passage. */
OdePassed run_find_all_passed(Run *run, const OdeArc *arc);
/* The step in parts in which nothing of the model is narrow, as features_divide(). */
size_t run_divide(Run *run, const OdeArc *arc, const double **ret_ends, bool *ret_known);

#endif
