/* Inside core/run/: digits that the observed columns and the reductions of a job lose where
 * their own terms cancel. */
#ifndef CORE_RUN_TELL_COLUMN_DIGITS_H
#define CORE_RUN_TELL_COLUMN_DIGITS_H

#include "core/run/state/run_state.h"

void column_digits_init(ColumnDigits *digits, const Simulation *simulation, Arena *memory);

/* Takes the expressions at sample k, whose state is looked at, and which has that row. */
void column_digits_take(ColumnDigits *digits, const MotionState *at, const double *row, size_t k);

/* After a motion to its end: warns of columns and reductions whose values are not known as well as
 * is believed. along: the reductions along the motion, if there are any. Changes nothing else. */
void column_digits_report(const ColumnDigits *digits, const Simulation *simulation,
                          const Along *along, SimulationResult *result);

#endif
