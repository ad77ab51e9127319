/* Inside core/simulation/: a number that a motion is to be reduced to. */
#ifndef CORE_SIMULATION_PREPARE_REDUCTION_H
#define CORE_SIMULATION_PREPARE_REDUCTION_H

#include "core/simulation/prepare/observed.h"

typedef struct Reduction {
    const char *name;
    ReduceTake take;
    bool has_expr;         /* it is the value of one */
    size_t expr;           /* which: of `along` or `at`; of labels the first condition */
    size_t event;          /* whose row it is, or is counted */
    uint64_t nth;          /* from 1 */
    const double *numbers; /* n_cases: of labels */
    size_t n_cases;
    double otherwise;
    const char *path; /* of a finding */
} Reduction;

/* Expressions are as of observed_values_new(). */
typedef struct Reductions {
    size_t n;
    Reduction *items;
    Observed *along,
        *at; /* expressions looked at on all of the motion, and at single instants; NULL: none */
    size_t n_along, n_at;
    bool drifts; /* some of `at` are wanted after every step */
} Reductions;

/* Min, max, mean and rms are taken along the motion. */
static inline bool reduction_is_along(ReduceTake take)
{
    return take == REDUCE_MIN || take == REDUCE_MAX || take == REDUCE_MEAN || take == REDUCE_RMS;
}

#endif
