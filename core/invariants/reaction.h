/* The common part of the analyses of reaction forces. */
#ifndef CORE_INVARIANTS_REACTION_H
#define CORE_INVARIANTS_REACTION_H

#include "core/invariants/analysis.h"

/* The context with the reactions of Lagrange-d'Alembert at its states. If the formulation keeps its
 * multipliers (vakonomic), these are no reactions: then the context has states of its own and no
 * trajectory. */
Status reaction_context(const AnalysisContext *context, AnalysisContext *ret,
                        Error *err) MUST_CHECK;

/* Observes a quantity that should be 0 on the motion: initial, final, max_drift is the largest
 * size, `conserved`: it was 0 against `scale` within the accuracy of the run. */
Status verdict_observe_vanishing(const AnalysisContext *context, Expr quantity, Expr scale,
                                 Verdict *verdict, Error *err) MUST_CHECK;

/* Decides whether a sum of terms vanishes on all motions (predicted; see verdict_predict), and
 * observes it on this one. */
Status verdict_vanish(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                      double *ret_worst, Error *err) MUST_CHECK;

#endif
