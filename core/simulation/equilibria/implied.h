/* Inside core/simulation/: conditions of an equilibrium that follow from others. */
#ifndef CORE_SIMULATION_EQUILIBRIA_IMPLIED_H
#define CORE_SIMULATION_EQUILIBRIA_IMPLIED_H

#include "core/base/arena.h"
#include "core/exact/exact.h"

/* The problem's first stage has more equations than a family of this dimension leaves near the
 * point. Exact tests are to show that a subset of them (of their factors, or of sums that they
 * contain), solved for as many unknowns, implies them all. Then the stage becomes this subset,
 * in the arena. Near a solution that later questions enclose, the other equations hold as well.
 * All solutions then form such a family by the implicit function theorem. */
Status conditions_reduce(ExprPool *pool, const ExactProblem *problem, ExactStage *stage,
                         size_t family, const double *sizes, const double *symbols,
                         size_t n_symbols, Arena *arena, bool *ret_reduced, Error *err) MUST_CHECK;

#endif
