/* Stages of DOP853 in one lane.
 *
 * Each number of an argument is made by itself of its rate, which was stored by itself just
 * before: a vector of them would wait for all. So the sine of a coordinate, which waits for
 * nothing but a velocity of the stage before, is taken while accelerations of that stage are still
 * computed. The older terms are summed by vectors meanwhile. Sums have the bits of those of many
 * lanes (combine.h). */
#ifndef CORE_INTEGRATE_DOP853_ONE_H
#define CORE_INTEGRATE_DOP853_ONE_H

#include "core/integrate/method.h"

typedef struct OneLane {
    /* [stage][combine_room(rows)]: the rates at the start, and of the stages less those */
    double *const *k;
    double *older; /* [combine_room(rows)]: scratch */
} OneLane;

/* Sums of the squares of both estimates of the error. */
typedef struct ErrorSquares {
    double order5, order3;
} ErrorSquares;

/* Compiled once for each instruction set. The argument of the first stage that is evaluated is
 * in its place. */
typedef struct Dop853One {
    /* Takes the rates at the end of the step as a stage, and makes the argument of the next one. */
    void (*take_end)(const OdeStep *step, const OneLane *lane);
    /* Evaluate the stages of a step but for the first, and those of its dense output. Return how
     * many were evaluated: the pulse may stop the run. */
    size_t (*stages)(OdeStep *step, const OneLane *lane);
    size_t (*stages_of_dense)(OdeStep *step, const OneLane *lane);
    /* y_new and carry_new, and the errors there. */
    ErrorSquares (*end)(const OdeStep *step, const OneLane *lane);
} Dop853One;

extern const Dop853One dop853_one_sse2, dop853_one_avx2, dop853_one_avx512;

#endif
