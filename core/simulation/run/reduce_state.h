/* Inside core/simulation/: what a run keeps of the motion for its reductions. */
#ifndef CORE_SIMULATION_RUN_REDUCE_STATE_H
#define CORE_SIMULATION_RUN_REDUCE_STATE_H

#include "core/simulation/run/enclosure.h"

/* Of one expression along the motion. */
typedef struct Along {
    ReduceTake take;
    size_t k;        /* which expression */
    double size;     /* the largest |value| seen */
    double best;     /* min and max: of value or -value, the largest; -infinity: none */
    double sum;      /* mean and rms: the integral over |dt|; of squares in units of unit^2 */
    double absolute; /* the same of |value| */
    double unit;     /* a power of 2 near size; 0: none yet */
    double lost_t;   /* where it was not finite, or .. */
    bool rough;      /* .. too rough for its integral; NAN: nowhere */
    uint64_t unsure; /* steps in which something may have been missed .. */
    double unsure_t; /* .. and where the first of them begins */
} Along;

typedef struct Reduce {
    double *values;   /* n: what is known by now; NAN: nothing */
    uint64_t *counts; /* n: events met */
    double *starts;   /* n: of drifts */
    double *lost_t;   /* n: where a value was not finite; NAN: nowhere */
    Along *along;     /* n_along */
    double *along_values, *at_values;
    double *y;           /* size + 1: a state inside a step */
    Enclosure enclosure; /* of the expressions along the motion, over the step under way */
    double elapsed;      /* |dt| of the steps so far */
} Reduce;

#endif
