/* States of a model: numbers at (q, v, t), rank of the constraints, consistent initial states. */
#ifndef CORE_MODEL_STATE_H
#define CORE_MODEL_STATE_H

#include "core/model/model.h"
#include "core/program/program.h"

/* Programs of the model's elementary objects, compiled once and shared. */
typedef struct ModelPrograms ModelPrograms;

/* A program over t, q[n], v[n] of expressions of the model's pool or of a clone of it. */
Status model_program(const Model *model, const ExprPool *pool, const Expr *outputs,
                     size_t n_outputs, Program **ret_program, Error *err) MUST_CHECK;

Status model_programs_new(const Model *model, ModelPrograms **ret, Error *err) MUST_CHECK;
void model_programs_free(ModelPrograms *programs); /* NULL is fine */

/* One thread's evaluator for given parameter values (params[n_params]; the model's own when NULL).
 * Borrows the programs. */
typedef struct ModelEval ModelEval;

Status model_eval_new(const ModelPrograms *programs, const double *params, ModelEval **ret,
                      Error *err) MUST_CHECK;
void model_eval_free(ModelEval *eval); /* NULL is fine */
/* As a new evaluator with these parameter values. */
void model_eval_renew(ModelEval *eval, const double *params);

/* The constraints and the mass matrix at a state. Arrays live in the eval until its next call. */
typedef struct ModelPoint {
    const double *M;   /* n x n */
    const double *l;   /* n */
    const double *F;   /* n */
    const double *A;   /* r x n */
    const double *psi; /* r */
    /* their rounding is some units in the last place of: */
    const double *A_rounding, *psi_rounding, *M_rounding; /* r x n; r; n: of M_ii */
    /* see model_residuals(); r each */
    const double *phi, *phi_scale, *phi_rounding, *f, *f_scale, *f_rounding;
    double energy;
} ModelPoint;

ModelPoint model_point(ModelEval *eval, double t, const double *q, const double *v);

/* f and phi of constraint a relative to the size of its equation (residual_relative()). */
double point_position_residual(const ModelPoint *point, size_t a);
double point_velocity_residual(const ModelPoint *point, size_t a);

/* Rank of A at a state, by the singular values of the row-normalized matrix. */
typedef struct ConstraintRank {
    size_t rank;
    size_t *independent; /* rank rows, ascending (r allocated by the caller; NULL: not asked) */
    /* in: the caller does not need singular values; if the rank is clearly full, both may be 1 */
    bool rank_only;
    double smallest, largest; /* singular values: largest, and the rank-th */
} ConstraintRank;

typedef enum Consistency { CONSISTENCY_REQUIRE, CONSISTENCY_PROJECT } Consistency;

typedef struct InitialState {
    double t;
    double *q, *v; /* n each, owned by the caller; in: as given; out: consistent to round-off */
    const bool *v_given; /* n: given velocities are kept exactly (require) */
    Consistency consistency;
    const char *pointer; /* "/initial", for diagnostics */
    /* n: for each coordinate that keeps its value while others are projected, its place in the
     * document, "/initial/hold/0"; NULL for coordinates that move. NULL: all move. */
    const char *const *held;
    bool no_conditions; /* condition_M is not asked for */
} InitialState;

typedef struct InitialReport {
    size_t rank;
    size_t *independent; /* rank rows (r allocated by the caller): kept for the run */
    double position_change, velocity_change; /* Euclidean size of the projection */
    bool metric_is_mass;     /* false: M not positive on the constraints, Euclidean metric used */
    size_t n_redundant;      /* constraints that depend on the independent ones */
    const size_t *redundant; /* their indices, ascending; in diag->arena, as is the next */
    const char *const *redundant_texts; /* "c3 = c1 + 2*c2" */
    double condition_M;                 /* of N^T M N, N a basis of ker A; 0: not asked for */
    bool mass_positive;                 /* M itself positive definite at this state */
    bool mass_divides;                  /* and mass_divides() of the independent rows */
    /* Also set for refused states: "the mass matrix is singular on the constraints in the direction
     * of s, x"; in diag->arena. NULL: it is regular. */
    const char *singular;
    bool rank_is_clear; /* the singular values are far from a loss of rank */
} InitialReport;

/* Makes the state admissible or reports its mistakes: each residual by constraint name with its
 * size; contradictory constraints; M singular on the constraints. A redundant constraint is
 * accepted and reported as a combination of the others. If coordinates are held, the others are put
 * onto the holonomic constraints, in the metric of M, and the remaining residuals are listed by
 * constraint. Mistakes go to diag (then ERR_INVALID, and q and v are undefined). Also decides the
 * metric of model_project() for this eval. */
Status model_initial_state(ModelEval *eval, InitialState *state, InitialReport *ret_report,
                           Diagnostics *diag, Error *err) MUST_CHECK;

/* The nearest admissible state in the metric of M restricted to the given independent rows:
 * positions by Newton, then velocities. ret_dq, ret_dv: Euclidean sizes of the changes.
 * Allocation-free: used after each step of a run. A state whose residuals are all at round-off
 * keeps its bits. Rows should be those of the initial report. The metric is that of the mass matrix
 * unless model_initial_state() or model_eval_set_metric() changed it. ERR_NUMERIC if no admissible
 * state is found nearby; q and v are then unchanged. */
Status model_project(ModelEval *eval, double t, double *q, double *v, const size_t *rows,
                     size_t n_rows, double *ret_dq, double *ret_dv, Error *err) MUST_CHECK;

/* Is M positive definite on ker A at this point of the eval? A: the given rows. */
Status model_positive(const ModelEval *eval, const ModelPoint *point, const size_t *rows,
                      size_t n_rows, bool *ret_positive, Error *err) MUST_CHECK;

/* The metrics of projections of positions and of velocities: that of M, or the Euclidean one if M
 * is not positive on the constraints. model_initial_state() decides them; another eval for the same
 * motion gets them by model_eval_set_metric(). */
typedef struct ModelMetric {
    bool mass_for_positions, mass_for_velocities;
} ModelMetric;

/* The number of calls of model_point(): the cost of a job outside its steps. */
uint64_t model_eval_points(const ModelEval *eval);

ModelMetric model_eval_metric(const ModelEval *eval);
/* Gives M[n x n] and A[r x n], as evaluated elsewhere at the state t, q[n], v[n]. Watches of a
 * motion need not evaluate them again. */
void model_eval_take_matrices(ModelEval *eval, const double *state, const double *matrices);
void model_eval_set_metric(ModelEval *eval, ModelMetric metric);

#endif
