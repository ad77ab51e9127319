/* Inside core/linear/: the dependence of a consistent initial state on the numbers of a job:
 * the exact derivative of model_initial_state().
 * 
 * If the state was moved, or velocities were found, it solves a constrained optimum. Its
 * derivative follows from that of the optimality conditions. */
#ifndef CORE_LINEAR_INITIAL_TANGENT_H
#define CORE_LINEAR_INITIAL_TANGENT_H

#include "core/linear/directions.h"
#include "core/linear/tangent_space.h"

typedef struct InitialTangent {
    const Model *model;
    ModelEval *eval; /* with the metric that model_initial_state() decided */
    const double *params;
    const size_t *rows; /* in use */
    size_t n_rows;
    double t;
    const double *q, *v;             /* n: the consistent state */
    const double *given_q, *given_v; /* n: as the job gives them */
    const bool *v_given;             /* n: the others were found */
    Consistency consistency;
    const char *const *held;  /* see InitialState */
    const size_t *parameters; /* n_parameters: those that move */
    size_t n_parameters;
    const double *dp; /* [n_parameters][m] */
    size_t m;
} InitialTangent;

/* columns[2 n][m], in: changes of the given q and v; out: changes of the consistent ones.
 * *ret_optimal is false, and columns are useless, if the state is admissible but not optimal
 * (not the nearest, or without least v.M.v). Then it has no derivative. */
Status initial_tangent(const InitialTangent *problem, double *columns, bool *ret_optimal,
                       Error *err) MUST_CHECK;

#endif
