/* Inside core/run/: other equations in place of those over a given base or in a given frame.
 *
 * The constraints may keep their rank and no longer determine the velocities outside the base, or
 * the frame's fields may no longer complete the allowed velocities. The motion is as smooth as
 * ever. It goes on in Voronec's equations over the coordinates that serve best there. The columns
 * of the formulation are those of its own equations at the same q, v. These take over again when
 * they serve.
 *
 * Velocities in a frame become infinite if the constraints lose rank. Steps of fixed length see
 * nothing of that: therefore other equations stand in about such a place, too. */
#ifndef CORE_RUN_EQUATIONS_STAND_IN_H
#define CORE_RUN_EQUATIONS_STAND_IN_H

#include "core/run/state/run_state.h"

/* The motion that at->eq.eval evaluate: that of the simulation, or the one that stands in. */
const Motion *stand_in_motion(const MotionState *at);

/* Whether they are to stand in where the constraints come near to losing rank. */
bool stand_in_fears_rank(const MotionState *at);
/* How well equations determine the velocities at a point of theirs. If their inertia is k times
 * that of the given ones at the start, or a k-th, the quality is less by the fourth root of k. */
double stand_in_determined(const MotionState *at, const MotionPoint *point);
/* At the start of the motion, after the first step of the watch over singular configurations. */
void stand_in_start(MotionState *at, double t, const double *y);
/* Above 0 as long as that is far. */
double stand_in_clear(MotionState *at, double t, const double *y);

/* From here on others stand in, or others than before, at the state (at->q, at->v,
 * at->kept); y[dim] is restated. *ret_found: there are such, with a state of the same size.
 * `floor`: of how well the given ones have to determine the velocities. */
Status stand_in_begin(MotionState *at, double floor, double t, double *y, bool *ret_found,
                      Error *err) MUST_CHECK;
/* The given ones take over. */
Status stand_in_end(MotionState *at, double t, double *y, Error *err) MUST_CHECK;

/* Above 0 while others do better; below, the given ones serve again. */
double stand_in_wanted(MotionState *at, double t, const double *y);

/* While others stand in: the formulation's own columns at the state looked at. */
void stand_in_columns(MotionState *at);

#endif
