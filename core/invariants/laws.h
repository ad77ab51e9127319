/* Laws of a model: quantities that all motions may conserve. They are predicted once for the
 * model, and observed on each motion.
 *
 * A prediction uses the weakest assumptions that decide it: the equations with parameters as
 * symbols; those with the values of the job and random states unrelated to its motion; or random
 * states around the motion. Predictions by the first two hold for every motion. All jobs with
 * these constraints, and values, recall them from the compiled model (core/invariants/recall.h). */
#ifndef CORE_INVARIANTS_LAWS_H
#define CORE_INVARIANTS_LAWS_H

#include "core/invariants/analysis.h"

typedef struct Laws {
    const char *name; /* of the analysis */
    bool listed;      /* each has a record in the findings, in a list of that name */
    /* The quantities, in context->scratch; functions of the model's symbols. */
    Status (*quantities)(const AnalysisContext *context, const Expr **ret, size_t *ret_n,
                         Error *err);
    /* Predicts the k-th: all of the verdict but the observation, and its record. */
    Status (*predict)(const AnalysisContext *context, size_t k, Verdict *verdict, Value *record,
                      Error *err);
} Laws;

/* Something stayed open under the weakest assumptions: other predictions follow, and the texts
 * of this one are not used. */
bool laws_go_on(const AnalysisContext *context);

/* Runs an analysis with scratch memory and a pool of its own. */
Status analysis_run(const Analysis *analysis, const AnalysisContext *context, const Value *options,
                    Findings *findings, Error *err) MUST_CHECK;

#endif
