/* The inside of an evaluator, for the files that compute with states of a model. */
#ifndef CORE_MODEL_EVALUATE_H
#define CORE_MODEL_EVALUATE_H

#include "core/base/arena.h"
#include "core/model/state.h"
#include "core/program/function.h"

struct ModelEval {
    const Model *model;
    double *params;
    Function point;     /* see model_point */
    Function residuals; /* see model_residuals() */
    Function linear;    /* M, A */
    ModelPoint at;      /* places of the outputs of `point` */
    ModelMetric metric;
    uint64_t points; /* evaluated so far */
    /* of corrections */
    double *start, *best; /* n: the start of a correction, and its best so far */
    double *start_q;      /* n: the start of a projection */
    double *rows_A, *rhs; /* r x n; n + r */
    double *kkt;          /* kkt_doubles(n + r) */
    double *held_M;       /* n x n: M for corrections with held coordinates; NULL until the first */
    size_t *positions;    /* r: the holonomic ones among the requested rows */
    double *initial;      /* of model_initial_state(), which allocates it at its first call; NULL
                        before */
    size_t *initial_rows; /* 3 r; with them */
    Arena arena;          /* holds the arrays */
};

/* The outputs of a function at a state. They are not computed again if the function's last
 * evaluation was at this state, or if that of the point was. The point's outputs include all others
 * and agree up to rounding, because a program shares quotients among its outputs. */
const double *evaluate_at(const ModelEval *eval, Function *function, double t, const double *q,
                          const double *v);

/* The outputs of the functions `residuals` and `linear` (M; *ret_A: A), at the state of the point's
 * last evaluation. */
const double *evaluated_residuals(const ModelEval *eval);
const double *evaluated_linear(const ModelEval *eval, const double **ret_A);

#endif
