/* Inside core/run/: the same equations solved in another way, while a run is under way. */
#ifndef CORE_RUN_EQUATIONS_CHANGE_ELIMINATION_H
#define CORE_RUN_EQUATIONS_CHANGE_ELIMINATION_H

#include "core/run/state/run_state.h"

/* Watches M where the equations divide by it but need not, because there are constraints. */
void change_elimination_watch(MotionState *at, Arena *memory);
/* Whether they divide by an M that is watched. */
bool change_elimination_possible(const MotionState *at);
/* Equations that do without M^-1 take over. The state, its rates and its branches are the same but
 * for rounding, so that the integration need not know. Does nothing where it is not possible. */
Status change_elimination(MotionState *at, double t, const double *y, Error *err) MUST_CHECK;
/* After a step: whether it is time for a change, by a look at M. Either M comes near to
 * degenerating, or it is far from that again and the cheaper equations that divide by it can
 * return. */
bool change_elimination_is_due(MotionState *at, double t, const double *y);
Status change_elimination_in_time(MotionState *at, double t, const double *y,
                                  Error *err) MUST_CHECK;

#endif
