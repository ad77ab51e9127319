/* Inside core/run/: the state a run looks at, and the columns that every formulation makes
 * of it. */
#ifndef CORE_RUN_STATE_ROW_H
#define CORE_RUN_STATE_ROW_H

#include "core/run/state/run_state.h"

/* Makes the point of a motion the state looked at: at->state. */
void row_take_point(MotionState *at, double t, const MotionPoint *point);
/* All r multipliers of the state looked at, from those of the rows in use: the least-norm ones with
 * the same reaction. */
Status row_multipliers(MotionState *at, const MotionPoint *point, Error *err) MUST_CHECK;
/* The same, of the reaction at->reaction and all rows A[r x n]. */
Status row_shortest_multipliers(MotionState *at, const double *A, Error *err) MUST_CHECK;
/* t, q, v, the multipliers and the formulation's own columns of the state looked at; returns where
 * the observables begin. */
double *row_state(const MotionState *at, double *ret_row);

#endif
