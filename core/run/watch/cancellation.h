/* Inside core/run/: digits that large coordinates take from what is small beside them. */
#ifndef CORE_RUN_WATCH_CANCELLATION_H
#define CORE_RUN_WATCH_CANCELLATION_H

#include "core/run/state/run_state.h"

/* The errors of a state that the tolerance, or rounding, leaves, of its size. */
double cancellation_error(const Simulation *s);

/* Ratio of an error to the error of an operand, below which nothing cancels. Convention: sums and
 * products magnify less by themselves. */
static const double CANCELLATION_MIN_RATIO = 1e4;

/* The drive has made its last step: keeps what rounding made of its rates. */
void cancellation_take(Run *run);

/* Warns where, at the end of the motion, errors of the state are magnified beyond what is believed:
 * in the velocities over a step, or in a constraint. Changes nothing of the motion. */
void cancellation_report(Run *run, const OdeOutcome *outcome);

#endif
