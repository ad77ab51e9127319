/* One correction of a state: the step of projections and of initial states. */
#ifndef CORE_MODEL_PROJECT_H
#define CORE_MODEL_PROJECT_H

#include "core/model/evaluate.h"

/* A correction: which variables, which rows, which metric. */
typedef struct Correction {
    bool positions;     /* q onto f = 0; else v onto phi = 0 */
    const size_t *rows; /* independent ones; for positions all holonomic */
    size_t n_rows;
    bool mass;        /* the metric */
    double untouched; /* residuals (relative to scale) up to which the state is left unchanged */
    /* n, of positions: NULL for coordinates that may move; NULL: all may. Needs eval->held_M */
    const char *const *held;
    bool whole; /* the model is evaluated at the end anyway: residuals are taken from its point */
} Correction;

/* Moves q or v onto the constraints; allocation-free. On failure (ERR_NUMERIC) nothing is moved,
 * and eval->best is the best point found, if the residuals of the first are finite. */
Status correction_apply(ModelEval *eval, const Correction *correction, double t, double *q,
                        double *v, double *ret_change, Error *err) MUST_CHECK;

/* One Newton step at q, v, left in eval->rhs[n]: onto the linearized constraints, as near to
 * wanted[n] in the metric as possible; NULL: as near to the current point. Uses the residuals
 * evaluated last. False if the matrix is singular. */
bool correction_step(ModelEval *eval, const Correction *correction, double t, const double *q,
                     const double *v, const double *wanted);

#endif
