/* Inside core/run/: the same equations solved in another way, while a run is under way. */
#ifndef CORE_RUN_EQUATIONS_CHANGE_ELIMINATION_H
#define CORE_RUN_EQUATIONS_CHANGE_ELIMINATION_H

#include "core/run/state/run_state.h"

/* Watches M where the equations divide by it but need not, because there are constraints. */
void change_elimination_watch(MotionState *at, Arena *memory);
/* Whether they divide by an M that is watched. */
bool change_elimination_possible(const MotionState *at);
/* If that is possible: equations that do without M^-1 take over. The state, its rates and its
 * branches are the same but for rounding, so that the integration need not know. */
Status change_elimination(MotionState *at, double t, const double *y, Error *err) MUST_CHECK;
/* After a step, of a run that watches M: the same if M comes near to degenerating. If M is far from
 * that again, the cheaper equations that divide by it return. */
Status change_elimination_step(MotionState *at, double t, const double *y, Error *err) MUST_CHECK;

#endif
