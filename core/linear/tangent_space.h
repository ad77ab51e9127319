/* Inside core/linear/: the tangent space of the constraints f(q, t) = 0, phi(q, v, t) = 0.
 *
 * Columns are matrices [2 n][m], row by row: column c holds (dq, dv). If parameters move, dp is
 * [n_parameters][m]. A column is tangent when
 *     f_q dq + f_p dp = 0,   phi_q dq + phi_v dv + phi_p dp = 0
 * on the constraints in use. */
#ifndef CORE_LINEAR_TANGENT_SPACE_H
#define CORE_LINEAR_TANGENT_SPACE_H

#include "core/model/state.h"

typedef struct TangentSpace TangentSpace;

typedef struct TangentSpec {
    const Model *model;
    ModelEval *eval; /* with the parameters bound; its metric is that of the projections */
    const double *params;
    const size_t *rows; /* the independent constraints */
    size_t n_rows;
    const size_t *parameters; /* n_parameters of the model: they move too */
    size_t n_parameters;
    size_t columns; /* the number usually projected together */
} TangentSpec;

/* Borrows all but the spec itself. */
Status tangent_space_new(const TangentSpec *spec, TangentSpace **ret_space, Error *err) MUST_CHECK;
void tangent_space_free(TangentSpace *space); /* NULL is fine */

/* Dimension: 2 n less one for each constraint, two for a holonomic one. */
size_t tangent_space_dimension(const TangentSpace *space);

/* A state: q and v, n each, at the time t. */
typedef struct TangentState {
    double t;
    const double *q, *v;
} TangentState;

/* Projects columns onto the tangent space at an admissible state: the derivative of
 * model_project() there. dp NULL: no parameter moves. ERR_NUMERIC if the constraints lose rank. */
Status tangent_space_project(TangentSpace *space, TangentState at, double *columns,
                             const double *dp, size_t m, Error *err) MUST_CHECK;

/* df and dphi along columns, ret[n_holonomic + n_rows = 2 n - dimension][m]. */
Status tangent_space_along(TangentSpace *space, TangentState at, const double *columns, size_t m,
                           double *ret, Error *err) MUST_CHECK;

/* A basis Z [2 n][dimension], orthonormal if component k is measured in units[k] (NULL: 1).
 * Without constraints it is the diagonal matrix of the units. */
Status tangent_space_basis(TangentSpace *space, TangentState at, const double *units,
                           double *ret_basis, Error *err) MUST_CHECK;

#endif
