/* Inside core/run/: corners of a model that a step crosses twice. */
#ifndef CORE_RUN_PARTS_CORNER_CHECKS_H
#define CORE_RUN_PARTS_CORNER_CHECKS_H

#include "core/linear/features.h"
#include "core/model/model.h"

typedef struct CornerChecks {
    size_t n;       /* guards of corners of L, F and the constraints */
    ExprPool *pool; /* NULL: there are none */
    RangeEval *eval;
    Path path;          /* of t, q, v */
    bool by_place;      /* none depends on velocities */
    Range *symbols;     /* the model's */
    Range *whole;       /* n: over the step */
    RangeEval **alone;  /* n: one guard each */
    double last_t;      /* start of the step that was shortened last .. */
    unsigned tries;     /* .. and how often */
    uint64_t undecided; /* steps that took too many parts, or did not end in the sub-interval */
    double undecided_t; /* start of the first of them */
} CornerChecks;

/* Arrays are the arena's. */
Status corner_checks_init(CornerChecks *corner_checks, const Model *model, const double *params,
                          Arena *arena, Error *err) MUST_CHECK;
void corner_checks_done(CornerChecks *corner_checks);

/* May a guard, by the ends of the step alone? */
bool corner_checks_may_pass(CornerChecks *corner_checks, const FeatureLook *look,
                            const OdeArc *ends);
/* Does a guard change its sign in the step, and change back before its end? *ret_theta: in between.
 * Sub-intervals that the quarters of the step show do not count. look: t, q, v. */
bool corner_checks_passed(CornerChecks *corner_checks, PathLook *look, void *self,
                          const OdeArc *arc, double *ret_theta);

#endif
