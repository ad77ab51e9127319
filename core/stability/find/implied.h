/* Inside core/stability/: conditions of an equilibrium that follow from others. */
#ifndef CORE_STABILITY_FIND_IMPLIED_H
#define CORE_STABILITY_FIND_IMPLIED_H

#include "core/base/arena.h"
#include "core/exact/exact.h"

/* The conditions near a point. */
typedef struct ConditionSet {
    ExprPool *pool; /* the problem's */
    const ExactProblem *problem;
    size_t family;       /* dimension of the family of solutions */
    const double *sizes; /* n_unknowns of the stage: sizes of the unknowns */
} ConditionSet;

/* The problem's first stage has more equations than a family of this dimension leaves near the
 * point. If exact tests show that a subset of them (of their factors, or of sums that they
 * contain), solved for as many unknowns, implies them all, the stage becomes this subset, in the
 * arena. All solutions then form such a family by the implicit function theorem. */
Status conditions_reduce(const ConditionSet *set, ExactStage *stage, Arena *arena,
                         bool *ret_reduced, Error *err) MUST_CHECK;

#endif
