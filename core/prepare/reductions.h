/* Inside core/prepare/: the numbers to which a job's motion is reduced. */
#ifndef CORE_PREPARE_REDUCTIONS_H
#define CORE_PREPARE_REDUCTIONS_H

#include "core/prepare/observed.h"
#include "core/simulate.h"

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

/* Sets simulation->reductions. Events and analyses are known before. Mistakes go to diag (then
 * ERR_INVALID). */
Status reductions_read(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                       Error *err) MUST_CHECK;
/* Call it when the motion is known: expressions that read its own columns are compiled again. */
Status reductions_take_motion(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                              Error *err) MUST_CHECK;
/* The dimension of reduction k. It is unknown for a label, a count or a finding. */
Dimension reductions_dimension(const Reductions *reductions, size_t k);
void reductions_rebind(Reductions *reductions); /* parameters have changed; NULL is fine */
void reductions_free(Reductions *reductions);   /* NULL is fine */

#endif
