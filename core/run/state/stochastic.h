/* Inside core/run/: how far and how often operands move at random, to measure how much rounding and
 * errors of the state are magnified (stochastic arithmetic, core/program/shakes.h). */
#ifndef CORE_RUN_STATE_STOCHASTIC_H
#define CORE_RUN_STATE_STOCHASTIC_H

/* Relative change of an operand, or of the state, in one draw. Convention: 64 units of rounding, so
 * that rounding itself does not blur the change, and first order holds. */
static const double SHAKE_SIZE = 0x1p-46;
/* Number of draws; the largest change of them decides. Convention: with random signs, three draws
 * rarely all cancel. */
enum { SHAKE_DRAWS = 3 };

#endif
