/* Inside core/run/: digits that the observed columns and the reductions of a job lose where
 * their own terms cancel. */
#ifndef CORE_RUN_TELL_COLUMN_DIGITS_H
#define CORE_RUN_TELL_COLUMN_DIGITS_H

#include "core/run/state/run_state.h"

void column_digits_init(Run *run, Arena *memory);

/* Takes the expressions at the sample k, which run->rows.row and run->at.state hold. */
void column_digits_take(Run *run, size_t k);

/* Warns of columns and reductions whose values are not known as well as is believed. Changes
 * nothing. */
void column_digits_report(Run *run, const OdeOutcome *outcome);

#endif
