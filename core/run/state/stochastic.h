/* Inside core/run/: how far and how often operands move at random, to measure how much rounding and
 * errors of the state are magnified (stochastic arithmetic, core/program/shakes.h). */
#ifndef CORE_RUN_STATE_STOCHASTIC_H
#define CORE_RUN_STATE_STOCHASTIC_H

/* Relative change of an operand, or of the state, in one draw. Convention: 64 units of rounding, so
 * that rounding itself does not blur the change, and first order holds. No unit. */
static const double SHAKE_SIZE = 0x1p-46;
/* Ratio of a large move to a small one, and ratio of the two changes from which a column counts as
 * smooth. Convention: a smooth column changes in proportion, a column that jumps about as much. */
static const double LARGE_MOVE_RATIO = 16, SMOOTH_CHANGE_RATIO = 4;
/* Number of draws; the largest change of them decides. Convention: with random signs, three draws
 * rarely all cancel. No unit. */
enum { SHAKE_DRAWS = 3 };

#endif
