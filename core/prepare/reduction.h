/* Inside core/prepare/: a number to which a motion is reduced. */
#ifndef CORE_PREPARE_REDUCTION_H
#define CORE_PREPARE_REDUCTION_H

#include "core/prepare/observed.h"

typedef struct Reduction {
    const char *name;
    ReduceTake take;
    bool has_expr;         /* its value is an expression */
    size_t expr;           /* index of the expression in `along` or `at`; of a label: its first
                              condition */
    size_t event;          /* event whose row it is, or whose rows are counted */
    uint64_t nth;          /* from 1 */
    const double *numbers; /* n_cases: of labels */
    size_t n_cases;
    double otherwise;
    const char *path; /* of a finding */
} Reduction;

/* Expressions as in observed_values_new(). */
typedef struct Reductions {
    size_t n;
    Reduction *items;
    Observed *along,
        *at; /* expressions evaluated along the motion, and at single instants; NULL: none */
    size_t n_along, n_at;
    bool drifts; /* some of `at` are needed after every step */
} Reductions;

/* Whether it is computed along the motion: min, max, mean and rms are. */
static inline bool reduction_is_along(ReduceTake take)
{
    return take == REDUCE_MIN || take == REDUCE_MAX || take == REDUCE_MEAN || take == REDUCE_RMS;
}

#endif
