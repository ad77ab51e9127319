/* Inside core/simulation/: conditions of an equilibrium that follow from others. */
#ifndef CORE_SIMULATION_EQUILIBRIA_IMPLIED_H
#define CORE_SIMULATION_EQUILIBRIA_IMPLIED_H

#include "core/base/arena.h"
#include "core/exact/exact.h"

/* Near the point symbols[n_symbols] the problem's first stage is to have solutions in a family of this dimension,
 * but has more equations than that leaves (expressions of the pool, which is the problem's). Where exact tests show that so many of them, of their
 * factors or of sums that they contain, solved for as many unknowns, imply them all (unknowns of sizes[n_unknowns]), the stage becomes these (in the arena): near a solution, which later questions about the problem
 * enclose, the others hold as well, so that all solutions are such a family by the theorem of implicit functions. */
Status conditions_reduce(ExprPool *pool, const ExactProblem *problem, ExactStage *stage,
                         size_t family, const double *sizes, const double *symbols,
                         size_t n_symbols, Arena *arena, bool *ret_reduced, Error *err) MUST_CHECK;

#endif
