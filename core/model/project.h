/* One correction of a state: the step of projections and of initial states. */
#ifndef CORE_MODEL_PROJECT_H
#define CORE_MODEL_PROJECT_H

#include "core/model/evaluate.h"

/* What a correction moves, and how. */
typedef struct Correction {
    bool positions;     /* q onto f = 0; else v onto phi = 0 */
    const size_t *rows; /* independent ones; for positions all holonomic */
    size_t n_rows;
    bool mass;        /* the metric */
    double untouched; /* residuals (of scale) up to which nothing is done at all */
    /* n, of positions: NULL where one may move; NULL: all may. Needs eval->held_M */
    const char *const *held;
    bool whole; /* the model will be looked at where it ends: residuals are taken from its point */
} Correction;

/* Moves q or v onto the constraints; allocation-free. On failure (ERR_NUMERIC) nothing is moved,
 * and eval->best is the best place met, if residuals are numbers at the first. */
Status correction_apply(ModelEval *eval, const Correction *correction, double t, double *q,
                        double *v, double *ret_change, Error *err) MUST_CHECK;

/* One Newton step at q, v, left in eval->rhs[n]: onto the linearised constraints, as near in the
 * metric to wanted[n] as they allow; NULL: to where it is. Residuals are those evaluated last.
 * False where the matrix is singular. */
bool correction_step(ModelEval *eval, const Correction *correction, double t, const double *q,
                     const double *v, const double *wanted);

#endif
