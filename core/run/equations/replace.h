/* Inside core/run/: the equations of a run are replaced by others, at the end of a step that stays,
 * or at a sample or recorded event inside it.
 *
 * Three rules ask for it: change_base.h (other dependent coordinates), stand_in.h (equations of
 * another formulation for a while), change_elimination.h (the same equations, solved in another
 * way). They decide when and by which motion. Here the new equations are made, take over the state
 * and the branches of switches, and take their place. */
#ifndef CORE_RUN_EQUATIONS_REPLACE_H
#define CORE_RUN_EQUATIONS_REPLACE_H

#include "core/run/state/run_state.h"

/* From here on the run integrates `motion`, from the state (at->q, at->v, at->kept):
 * y[dim] is restated. *ret_old: the equations of before, which the caller frees; NULL: they are
 * freed. After an error nothing has changed. */
Status replace_restated(MotionState *at, const Motion *motion, double t, double *y,
                        MotionEval **ret_old, Error *err) MUST_CHECK;
/* The same with equations that exist: they are the run's then. */
Status replace_by(MotionState *at, MotionEval *equations, double t, double *y,
                  Error *err) MUST_CHECK;

/* The same by a motion with the same state and branches: y stays. *ret_done: false if the branches
 * differ; then nothing has changed. */
Status replace_alike(MotionState *at, const Motion *motion, double t, const double *y,
                     bool *ret_done, Error *err) MUST_CHECK;

#endif
