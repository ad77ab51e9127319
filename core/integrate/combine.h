/* Steps of the Runge-Kutta methods as rows of lanes.
 *
 * Arrays are [rows][lanes]; those of rates, stages and states have room for whole blocks of
 * COMBINE_BLOCK numbers, and all others of one lane may be read so far. Terms are added in
 * order, so that a lane's bits depend neither on the number of lanes nor on the instruction set. */
#ifndef CORE_INTEGRATE_COMBINE_H
#define CORE_INTEGRATE_COMBINE_H

#include "core/integrate/method.h"

enum { COMBINE_BLOCK = 8 };

/* Compiled once for each instruction set; for one lane and whole blocks of lanes. */
typedef struct Combine {
    /* Puts t + node h and y + h w k in their place: the argument of a stage of one term. */
    void (*first)(const OdeStep *step, double node, double w, const double *k);
    /* y_new + carry_new = y + carry + h slope, as in OdeStep. */
    void (*advance)(const OdeStep *step, const double *slope);
    /* to = from in the lanes whose mask is -1, not where it is 0; for whole blocks of lanes. */
    void (*take)(double *to, const double *from, const int64_t *masks, size_t rows, size_t lanes);
} Combine;

extern const Combine combine_sse2, combine_avx2, combine_avx512;
const Combine *combine_best(void);

/* The count rounded up to whole blocks. */
static inline size_t combine_room(size_t count)
{
    return (count + COMBINE_BLOCK - 1) / COMBINE_BLOCK * COMBINE_BLOCK;
}

#endif
