/* Stages of DOP853 in whole blocks of lanes (combine.h). Sums have the bits of those of one
 * lane. */
#ifndef CORE_INTEGRATE_DOP853_LANES_H
#define CORE_INTEGRATE_DOP853_LANES_H

#include "core/integrate/method.h"

/* Compiled once for each instruction set. `k`: [stage][rows][lanes], the rates at the start of
 * the step, and of the stages less those. */
typedef struct Dop853Lanes {
    /* k[s], which has rates, becomes these less those at the start; the argument of the next
     * stage goes to its place. */
    void (*take)(const OdeStep *step, double *const *k, size_t s);
    /* y_new and carry_new, and of each lane the sums of the squares of both estimates of the
     * error. */
    void (*end)(const OdeStep *step, double *const *k, double *ret_square5, double *ret_square3);
} Dop853Lanes;

extern const Dop853Lanes dop853_lanes_sse2, dop853_lanes_avx2, dop853_lanes_avx512;

#endif
