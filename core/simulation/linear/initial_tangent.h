/* Inside core/simulation/: how a consistent initial state depends on what a job gives: the exact
 * derivative of model_initial_state().
 *
 * Where the state was moved, or velocities were found, it is the solution of an optimum with
 * constraints; its derivative follows from that of the conditions for the optimum. */
#ifndef CORE_SIMULATION_LINEAR_INITIAL_TANGENT_H
#define CORE_SIMULATION_LINEAR_INITIAL_TANGENT_H

#include "core/simulation/linear/directions.h"
#include "core/simulation/linear/tangent_space.h"

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

/* columns[2 n][m], in: how the given q and v change; out: how the consistent ones do. *ret_optimal
 * is false, and columns are of no use, where the state is admissible but not the one it was looked
 * for (the nearest, or the velocities with least v.M.v): then it has no derivative. */
Status initial_tangent(const InitialTangent *problem, double *columns, bool *ret_optimal,
                       Error *err) MUST_CHECK;

#endif
