/* Stages of DOP853, of one lane and of whole blocks of lanes. A lane has the bits that it has
 * alone.
 *
 * In one lane each number of an argument is made by itself of its rate, which was stored by itself
 * just before: a vector of them would wait for all. So the sine of a coordinate, which waits for
 * nothing but a velocity of the stage before, is taken while accelerations of that stage are still
 * computed. The older terms are summed by vectors meanwhile. */
#ifndef CORE_INTEGRATE_DOP853_KERNEL_H
#define CORE_INTEGRATE_DOP853_KERNEL_H

#include "core/integrate/dop853_tableau.h"
#include "core/integrate/method.h"

/* Rows of lanes, with room for whole blocks. */
typedef struct Dop853Arrays {
    double *k[DOP853_ALL_STAGES]; /* the rates at the start, and of the stages less those */
    double *older;                /* of one lane, scratch: a sum but for its newest term */
    double *dense[DOP853_DENSE_ROWS];
    double *squares5, *squares3; /* one row: the squares of both estimates of the error, summed */
} Dop853Arrays;

/* Compiled once for each instruction set. */
typedef struct Dop853Kernel {
    /* Evaluates stages, the argument of the first of which is in its place. Returns the number of
     * stages evaluated: the pulse may stop the run. */
    size_t (*stages)(OdeStep *step, const Dop853Arrays *arrays, size_t first, size_t last);
    /* Takes the rates at the end as a stage, and makes the argument of the one behind it. */
    void (*take_end)(const OdeStep *step, const Dop853Arrays *arrays, const double *rates);
    /* y_new, carry_new and the squares of the errors. */
    void (*end)(const OdeStep *step, const Dop853Arrays *arrays);
    /* The dense output's coefficients; of whole blocks of lanes a row of it, and its bounds. */
    void (*dense)(const OdeStep *step, const Dop853Arrays *arrays);
    void (*dense_row)(const OdeStep *step, const Dop853Arrays *arrays, size_t row, double theta,
                      double *ret);
    void (*dense_reach)(const OdeStep *step, const Dop853Arrays *arrays, size_t row,
                        const DenseReach *ret);
} Dop853Kernel;

extern const Dop853Kernel dop853_sse2, dop853_avx2, dop853_avx512;

#endif
