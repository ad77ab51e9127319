/* The inside of an evaluator, for the files that compute with states of a model. */
#ifndef CORE_MODEL_EVALUATE_H
#define CORE_MODEL_EVALUATE_H

#include "core/model/state.h"

/* A program with its work space and its latest outputs. */
typedef struct Run {
    const Program *program; /* NULL: nothing to evaluate */
    double *work, *out;
} Run;

struct ModelEval {
    const Model *model;
    double *params;
    double *in;    /* t, q, v */
    Run point;     /* see model_point */
    Run residuals; /* f, f_scale, phi, phi_scale: r each */
    Run linear;    /* M, A */
    ModelMetric metric;
    /* of corrections */
    double *start, *best; /* n: where a correction began, and its best so far */
    double *start_q;      /* n: where a projection began */
    double *rows_A, *rhs; /* r x n; n + r */
    double *kkt;          /* kkt_doubles(n + r) */
    size_t *positions;    /* r: the holonomic rows among those asked for */
};

/* Sets the inputs and evaluates. */
void eval_run(ModelEval *eval, Run *run, double t, const double *q, const double *v);

/* Solves [M A^T; A 0] [x; k] = rhs (n + n_rows, overwritten by the solution); M (n x n) NULL is the
 * unit matrix; work: kkt_doubles(n + n_rows). False when singular, and rhs is as it was. */
size_t kkt_doubles(size_t size);
bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs,
               double *work);

/* How many solutions of that size are worth waiting for; between 10 and `most`. */
int kkt_budget(size_t size, int most);

#endif
