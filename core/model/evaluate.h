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
    ModelPoint at;      /* where the outputs of `point` are */
    ModelMetric metric;
    uint64_t points; /* evaluated so far */
    /* of corrections */
    double *start, *best; /* n: where a correction began, and its best so far */
    double *start_q;      /* n: where a projection began */
    double *rows_A, *rhs; /* r x n; n + r */
    double *kkt;          /* kkt_doubles(n + r) */
    double *held_M; /* n x n: M of corrections that hold coordinates; NULL before there are any */
    size_t *positions; /* r: the holonomic rows among those asked for */
    double *initial; /* of model_initial_state(), which makes them when it is asked first; NULL: not
                  * yet */
    size_t *initial_rows; /* 3 r; with them */
    Arena arena;          /* holds the arrays */
};

/* The outputs of one of the functions at a state; evaluated unless that is the state of its last
 * evaluation, or of the point's, which has them all, the same but for rounding: programs share
 * quotients among all that they have to tell. */
const double *evaluate_at(const ModelEval *eval, Function *function, double t, const double *q,
                          const double *v);

/* The outputs of the functions `residuals` and `linear` (M; *ret_A: A) as the point has them: where
 * that was evaluated last. */
const double *evaluated_residuals(const ModelEval *eval);
const double *evaluated_linear(const ModelEval *eval, const double **ret_A);

#endif
