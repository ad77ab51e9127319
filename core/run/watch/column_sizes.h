/* Inside core/run/: error bounds of the columns of a motion that is compared.
 *
 * The difference of two motions is relative to the size of a column. A column that vanishes except
 * for errors (a multiplier of no force, the drift of an energy, a coordinate at rest) has no size
 * of its own. Its size is then a share (result_share_of_terms()) of the error bound of its terms.
 * That is found at some samples by stochastic arithmetic (core/program/evaluate/shake.c), which
 * moves coordinates, velocities and the operands of all operations at random. Coordinates and
 * velocities move by at least a small part of the largest of their kind. */
#ifndef CORE_RUN_WATCH_COLUMN_SIZES_H
#define CORE_RUN_WATCH_COLUMN_SIZES_H

#include "core/run/state/run_state.h"

/* Memory is the arena's; whether there was any, it tells. */
void column_sizes_init(ColumnSizes *sizes, const Simulation *simulation, Arena *memory);

/* The motion has been at these n coordinates and velocities; for simulations that ask for
 * second.terms. */
void column_sizes_widen(ColumnSizes *sizes, size_t n, const double *q, const double *v);

/* At sample k, with its row and its state y; raises second.terms of the simulation. The state
 * looked at is another one afterwards. */
void column_sizes_take(ColumnSizes *sizes, MotionState *at, const double *row, size_t k,
                       const double *y);

#endif
