/* Inside core/run/: what the columns of a motion that is compared are worth.
 *
 * Two motions differ by so much of the size of a column. What vanishes but for errors (a
 * multiplier of no force, the drift of an energy, a coordinate at rest) has no size of its own:
 * then it counts as a share of what its terms are worth, found at some samples by stochastic
 * arithmetic (as in core/program/evaluate/shake.c): coordinates, velocities and the operands of
 * all operations move at random, and what the column changes by to first order is their worth. The
 * share is such that a column which is off by as many tolerances of its terms as are believed is
 * believed. Coordinates and velocities move by no less than a small part of the largest of their
 * kind, as those at rest have a size for the tolerance (core/integrate/sizes.h). */
#ifndef CORE_RUN_WATCH_COLUMN_SIZES_H
#define CORE_RUN_WATCH_COLUMN_SIZES_H

#include "core/run/state/run_state.h"

/* Memory is the arena's; whether there was any, it tells. */
void column_sizes_init(Run *run, Arena *memory);

/* The motion has been at these coordinates and velocities; where run->s->terms are asked for. */
void column_sizes_widen(Run *run, const double *q, const double *v);

/* At sample k, whose state is y and whose row is run->row; raises run->s->terms. The state looked
 * at is another one afterwards. */
void column_sizes_take(Run *run, size_t k, const double *y);

#endif
