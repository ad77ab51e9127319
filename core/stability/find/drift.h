/* Inside core/stability/: motion along a combination of the model's symmetry generators: the
 * velocity u = sum c_a xi_a(q) and the acceleration w = u_q v, with their derivatives. */
#ifndef CORE_STABILITY_FIND_DRIFT_H
#define CORE_STABILITY_FIND_DRIFT_H

#include "core/linear/directions.h"

typedef struct Drift {
    size_t n, s;
    Function values;   /* q, v, c -> u, w */
    Directions slopes; /* the same; dq, dv, dc -> du, dw */
} Drift;

/* ret[2 n]: u and w = u_q v as functions of q, v and the symbols c[s]. */
void drift_build(ExprPool *pool, const Model *model, const size_t *fields, size_t s, const Expr *c,
                 Expr *ret);

/* The generators fields[s] of model->given.symmetries; `columns` usually at a time. */
Status drift_init(Drift *drift, const Model *model, const double *params, const size_t *fields,
                  size_t s, size_t columns, Error *err) MUST_CHECK;
void drift_done(Drift *drift); /* in any case; {0} is fine */

typedef struct DriftState {
    const double *q, *v, *c; /* n, n, s */
} DriftState;

/* u and w, n each; until the next call. */
const double *drift_velocity(Drift *drift, DriftState at, const double **ret_w);
/* ret[2 n][m]: du, then dw, along directions [2 n + s][m] given by parts. */
void drift_along(Drift *drift, DriftState at, const DirectionRows *parts, size_t n_parts, size_t m,
                 double *ret);

#endif
