/* Stages of DOP853 in one lane.
 *
 * Each number of an argument is made by itself of its rate, which was stored by itself just before: a vector of them would wait for
 * all. So the sine of a coordinate, which waits for nothing but a velocity of the stage before, is taken while accelerations of that stage
 * are still computed. What is known before is summed by vectors meanwhile. Sums have the bits of those of many lanes (combine.h). */
#ifndef CORE_INTEGRATE_DOP853_ONE_H
#define CORE_INTEGRATE_DOP853_ONE_H

#include "core/integrate/method.h"

typedef struct OneLane {
    double *k;            /* [stage - 1][combine_room(rows)]: less the rates at the start */
    double *older;        /* [combine_room(rows)]: scratch */
    const StageSum *sums; /* [stage]: of the argument of the next one, but for the newest term */
    StageSum slope, error5, error3;
} OneLane;

/* Sums of the squares of both estimates of the error. */
typedef struct ErrorSquares {
    double order5, order3;
} ErrorSquares;

/* Compiled once for each instruction set. */
typedef struct Dop853One {
    /* Takes the rates of stage s, and makes the argument of the next one. */
    void (*take)(const OdeStep *step, const OneLane *lane, const double *rates, size_t s);
    /* Evaluates stages first .. last; the argument of the first is in its place. Returns how many were evaluated: the pulse may
     * stop the run. */
    size_t (*stages)(OdeStep *step, const OneLane *lane, size_t first, size_t last);
    /* y_new and carry_new, and the errors there. */
    ErrorSquares (*end)(const OdeStep *step, const OneLane *lane);
} Dop853One;

extern const Dop853One dop853_one_sse2, dop853_one_avx2, dop853_one_avx512;

#endif
