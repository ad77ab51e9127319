/* What the analyses of reaction forces share. */
#ifndef CORE_INVARIANTS_REACTION_H
#define CORE_INVARIANTS_REACTION_H

#include "core/invariants/analysis.h"

/* The context with the reactions of Lagrange-d'Alembert at its states. Where the formulation keeps
 * its multipliers (vakonomic), these are no reactions: then there are states of their own and no
 * trajectory. */
Status reaction_context(const AnalysisContext *context, AnalysisContext *ret,
                        Error *err) MUST_CHECK;

/* What a quantity was on the motion of which 0 is asked: initial, final, max_drift is the largest
 * size, `conserved` whether it was 0 against `scale` within the accuracy of the run. */
Status verdict_observe_vanishing(const AnalysisContext *context, ExprPool *pool, Expr quantity,
                                 Expr scale, Verdict *verdict, Error *err) MUST_CHECK;

/* Decides whether a sum of terms vanishes on all motions (predicted; see verdict_predict), and what
 * it was on this one. */
Status verdict_vanish(const AnalysisContext *context, ExprPool *pool, const Expr *terms,
                      size_t n_terms, Expr scale, Verdict *verdict, double *ret_worst,
                      Error *err) MUST_CHECK;

#endif
