/* Inside core/run/: digits that small values lose beside large coordinates. */
#ifndef CORE_RUN_WATCH_CANCELLATION_H
#define CORE_RUN_WATCH_CANCELLATION_H

#include "core/run/state/run_state.h"

/* The errors of a state that the tolerance, or rounding, leaves, of its size. */
double cancellation_error(const Simulation *s);

/* Ratio of an error to the error of an operand, below which nothing cancels. Convention: sums and
 * products magnify less by themselves. */
static const double CANCELLATION_MIN_RATIO = 1e4;

/* After the last step of the drive: the rounding noise of its rates over a mean step, of the state,
 * in units of rounding. INFINITY: not known. */
double cancellation_magnified(const Simulation *simulation, const OdeStep *step,
                              const OdeOutcome *outcome);

/* Warns if errors of the state at the end of the motion are magnified beyond the believed error: in
 * the velocities over a step, or in a constraint. Changes nothing of the motion. `magnified`: by
 * cancellation_magnified(). */
void cancellation_report(MotionState *at, double magnified, const OdeOutcome *outcome,
                         SimulationResult *result);

#endif
