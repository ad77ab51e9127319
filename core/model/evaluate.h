/* The inside of an evaluator, for the files that compute with states of a model. */
#ifndef CORE_MODEL_EVALUATE_H
#define CORE_MODEL_EVALUATE_H

#include "core/base/text.h"
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

/* Rank and independent rows of A (r x n), phi_scale as in ModelPoint; of the holonomic rows alone
 * without singular values (1 then). Allocates. */
Status rows_independent(const Model *model, const double *A, const double *phi_scale,
                        bool holonomic_only, ConstraintRank *ret, Error *err) MUST_CHECK;

/* Solves [M A^T; A 0] [x; k] = rhs (n + n_rows, overwritten by the solution); M (n x n) NULL is the
 * unit matrix; work: kkt_doubles(n + n_rows). False when singular, and rhs is as it was. */
size_t kkt_doubles(size_t size);
bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs,
               double *work);

/* How many solutions of that size are worth waiting for; between 10 and `most`. */
int kkt_budget(size_t size, int most);

/* What a correction moves, and how. */
typedef struct Correction {
    bool positions;     /* q onto f = 0; else v onto phi = 0 */
    const size_t *rows; /* independent ones; for positions all holonomic */
    size_t n_rows;
    bool mass;        /* the metric */
    double untouched; /* residuals (of scale) up to which nothing is done at all */
    bool nearest;     /* iterate to the nearest admissible point, not only to an admissible one */
} Correction;

/* Moves q or v onto the constraints; allocation-free. On failure (ERR_NUMERIC) nothing is moved. */
Status correct(ModelEval *eval, const Correction *correction, double t, double *q, double *v,
               double *ret_change, Error *err) MUST_CHECK;

/* What M is on the kernel of the independent rows. Coordinates are scaled by |M_ii|^(1/2) for the
 * verdicts, so that units do not matter; `condition` is of N^T M N itself. */
typedef struct Regularity {
    bool regular, positive; /* nondegenerate; positive definite */
    double condition;       /* 1 when no motion is left */
    double *direction;      /* n, owned by the caller, may be NULL: where it degenerates */
} Regularity;

/* M is n x n, A has n columns; rows[n_rows] are those of A that count. */
Status regularity(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows,
                  Regularity *ret, Error *err) MUST_CHECK;

/* Finds the velocities that were not given (state->v_given) and writes them to state->v; where none
 * satisfy the constraints, the best attempt. */
Status find_velocities(ModelEval *eval, const InitialState *state, bool *ret_found,
                       Error *err) MUST_CHECK;
/* Says which constraints the attempt in state->v breaks. */
void report_not_found(ModelEval *eval, const InitialState *state, Diagnostics *diag);

/* A row of A that depends on the independent ones: row = sum of coefs[k] * A[rows[k]]. */
typedef struct Combination {
    size_t constraint;
    const size_t *rows;
    size_t n_rows;
    double *coefs; /* n_rows */
} Combination;

/* coefs has room for n_rows. */
Status find_combination(const Model *model, const double *A, Combination *combination,
                        Error *err) MUST_CHECK;
/* values[constraint] - sum of coefs[k] values[rows[k]] */
double combination_gap(const Combination *combination, const double *values);
/* "c3 = c1 + 2*c2" */
void combination_print(const Model *model, const Combination *combination, Text *out);
/* "c1 and c2"; nothing when no other constraint takes part. */
void combination_partners(const Model *model, const Combination *combination, Text *out);

/* One diagnostic for each object of the model (L, a force, a constraint) that is not finite at the
 * state; positions_only: looks at holonomic constraints alone. True when all are finite. */
bool check_finite(ModelEval *eval, const InitialState *state, bool positions_only,
                  Diagnostics *diag);

#endif
