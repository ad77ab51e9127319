/* Laws of a model: quantities of which is asked whether all motions conserve them. They are predicted
 * once for the model, and observed on each motion.
 *
 * A prediction stands on the least that decides it: on the equations with parameters as symbols; on
 * those with the values of the job and random states that have nothing to do with its motion; on random
 * states around the motion. What stands on the first two is the same for every motion, and is recalled
 * from the compiled model (core/invariants/recall.h) by all jobs with these constraints, and values. */
#ifndef CORE_INVARIANTS_LAWS_H
#define CORE_INVARIANTS_LAWS_H

#include "core/invariants/analysis.h"

typedef struct Laws {
    const char *name; /* of the analysis */
    bool listed;      /* each has a record in the findings, in a list of that name */
    /* The quantities, in context->scratch; functions of the model's symbols. */
    Status (*quantities)(const AnalysisContext *context, ExprPool *pool, const Expr **ret,
                         size_t *ret_n, Error *err);
    /* Predicts the k-th: all of the verdict but what is observed, and its record. */
    Status (*predict)(const AnalysisContext *context, size_t k, Verdict *verdict, Value *record,
                      Error *err);
} Laws;

/* Something stayed open on the least ground: other predictions follow, and nobody reads the texts of
 * this one. */
bool laws_go_on(const AnalysisContext *context);

/* What an analysis does whose findings are these laws. */
Status laws_run(const Laws *laws, const AnalysisContext *context, Findings *findings,
                Error *err) MUST_CHECK;

#endif
