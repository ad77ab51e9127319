/* Admissible states by projection, and the motion there from the whole linear system. */
#include "core/invariants/admissible.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/model/kinds.h"
#include "core/numeric/dense.h"

bool admissible_state(const ConstrainedModel *c, const StateRange *range, Random *random,
                      double *ret_t, double *ret_q, double *ret_v)
{
    const Model *model = c->model;
    double dq, dv;

    *ret_t = random_uniform(random, range->t_from, range->t_to);
    for (size_t i = 0; i < model->n; i++) {
        ret_q[i] = range->centre[i] + range->width[i] * random_uniform(random, -1, 1);
        ret_v[i] = range->speed[i] * random_normal(random);
    }
    if (model_project(c->eval, *ret_t, ret_q, ret_v, c->rows, c->n_rows, &dq, &dv, NULL) != OK)
        return false;
    ModelPoint point = model_point(c->eval, *ret_t, ret_q, ret_v);
    /* projection leaves rounding, about 1e-15; a larger residual means that it failed */
    for (size_t a = 0; a < model->r; a++)
        if (!(point_velocity_residual(&point, a) <= ACCURACY_SOLVED) ||
            !(point_position_residual(&point, a) <= ACCURACY_SOLVED))
            return false;
    return isfinite(point.energy);
}

/* The power of two below a positive number: a factor that rounds nothing. */
static double power_below(double x)
{
    return x > 0 && isfinite(x) ? ldexp(1, ilogb(x)) : 1;
}

/* ret[n + n_rows]: units in which the M_ii of a kind and the largest entry of each row of A are
 * near 1. In SI units rounding of A may swamp M. */
static void find_units(const ConstrainedModel *c, const ModelPoint *p, double *ret)
{
    const Model *model = c->model;
    const size_t n = model->n;

    kinds_velocity_units(model, p->M, ret);
    for (size_t i = 0; i < n; i++)
        ret[i] = power_below(ret[i]);
    for (size_t k = 0; k < c->n_rows; k++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(p->A[c->rows[k] * n + i]) * ret[i]);
        ret[n + k] = 1 / power_below(largest);
    }
}

bool admissible_motion(const ConstrainedModel *c, double t, const double *q, const double *v,
                       double *scratch, double *ret_vdot, double *ret_lambda)
{
    const Model *model = c->model;
    const size_t n = model->n, n_rows = c->n_rows, size = n + n_rows, *rows = c->rows;
    double *kkt = scratch, *rhs = scratch + size * size, *unit = rhs + size;
    ModelPoint p = model_point(c->eval, t, q, v);

    /* (M, -A^T; A, 0) (vdot, lambda) = (F - l, -psi), rows and columns in units */
    find_units(c, &p, unit);
    memset(kkt, 0, size * size * sizeof *kkt);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            kkt[i * size + j] = p.M[i * n + j] * unit[i] * unit[j];
        rhs[i] = (p.F[i] - p.l[i]) * unit[i];
        for (size_t k = 0; k < n_rows; k++) {
            const double a = p.A[rows[k] * n + i] * unit[i] * unit[n + k];
            kkt[i * size + n + k] = -a;
            kkt[(n + k) * size + i] = a;
        }
    }
    for (size_t k = 0; k < n_rows; k++)
        rhs[n + k] = -p.psi[rows[k]] * unit[n + k];
    if (dense_solve(kkt, size, rhs, 1, NULL) != OK)
        return false;
    /* multipliers of rows that were left out are zero */
    for (size_t i = 0; i < n; i++)
        ret_vdot[i] = rhs[i] * unit[i];
    if (model->r)
        memset(ret_lambda, 0, model->r * sizeof *ret_lambda);
    for (size_t k = 0; k < n_rows; k++)
        ret_lambda[rows[k]] = rhs[n + k] * unit[n + k];
    return all_finite(rhs, size);
}
