/* Observations of quantities on a motion: whether it conserved them. */
#ifndef CORE_INVARIANTS_OBSERVATION_H
#define CORE_INVARIANTS_OBSERVATION_H

#include "core/invariants/analysis.h"

typedef struct Observation {
    bool made; /* there was a motion; otherwise the rest is meaningless */
    double initial, final, max_drift;
    bool conserved; /* constant within the accuracy of the run, for a quantity of this size */
} Observation;

/* The program that observes scalars of t, q, v, vdot and lambda[r] (symbols of the model); it holds
 * for all values of the parameters, and for all tolerances. Symbols from model->sym.first_free on
 * are new. */
Status observation_compile(const AnalysisContext *context, const Expr *quantities, size_t n,
                           Program **ret, Error *err) MUST_CHECK;
size_t observation_quantities(const Program *program);

/* ret[observation_quantities()]: at every state of the trajectory. */
Status observation_run(const AnalysisContext *context, const Program *program, Observation *ret,
                       Error *err) MUST_CHECK;
void observation_report(const Observation *observation, Verdict *verdict);

/* All of this for one quantity. */
Status verdict_observe(const AnalysisContext *context, Expr quantity, Verdict *verdict,
                       Error *err) MUST_CHECK;

/* The common part of the analyses of reaction forces. */

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
