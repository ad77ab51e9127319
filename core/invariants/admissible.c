/* Admissible states by projection of random ones, and the motion there from the whole linear system. */
#include "core/invariants/admissible.h"

#include <math.h>
#include <string.h>

#include "core/numeric/dense.h"

bool admissible_state(ModelEval *eval, const Model *model, const size_t *rows, size_t n_rows,
                      const StateRange *range, Random *random, double *ret_t, double *ret_q,
                      double *ret_v)
{
    double dq, dv;

    *ret_t = random_uniform(random, range->t_from, range->t_to);
    for (size_t i = 0; i < model->n; i++) {
        ret_q[i] = range->centre[i] + range->width[i] * random_uniform(random, -1, 1);
        ret_v[i] = range->speed * random_normal(random);
    }
    if (model_project(eval, *ret_t, ret_q, ret_v, rows, n_rows, &dq, &dv, NULL) != OK)
        return false;
    ModelPoint point = model_point(eval, *ret_t, ret_q, ret_v);
    for (size_t a = 0; a < model->r; a++)
        if (!(point_velocity_residual(&point, a) <= 1e-10) ||
            !(point_position_residual(&point, a) <= 1e-10))
            return false;
    return isfinite(point.energy);
}

bool admissible_motion(ModelEval *eval, const Model *model, const size_t *rows, size_t n_rows,
                       double t, const double *q, const double *v, double *scratch,
                       double *ret_vdot, double *ret_lambda)
{
    const size_t n = model->n, size = n + n_rows;
    double *kkt = scratch, *rhs = scratch + size * size;
    ModelPoint p = model_point(eval, t, q, v);

    /* (M, -A^T; A, 0) (vdot, lambda) = (F - l, -psi) */
    memset(kkt, 0, size * size * sizeof *kkt);
    for (size_t i = 0; i < n; i++) {
        memcpy(kkt + i * size, p.M + i * n, n * sizeof *kkt);
        rhs[i] = p.F[i] - p.l[i];
        for (size_t k = 0; k < n_rows; k++) {
            double a = p.A[rows[k] * n + i];
            kkt[i * size + n + k] = -a;
            kkt[(n + k) * size + i] = a;
        }
    }
    for (size_t k = 0; k < n_rows; k++)
        rhs[n + k] = -p.psi[rows[k]];
    if (dense_solve(kkt, size, rhs, 1, NULL) != OK)
        return false;
    /* multipliers of rows that were left out are zero */
    memcpy(ret_vdot, rhs, n * sizeof *ret_vdot);
    if (model->r)
        memset(ret_lambda, 0, model->r * sizeof *ret_lambda);
    for (size_t k = 0; k < n_rows; k++)
        ret_lambda[rows[k]] = rhs[n + k];
    for (size_t i = 0; i < size; i++)
        if (!isfinite(rhs[i]))
            return false;
    return true;
}
