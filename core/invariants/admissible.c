#include "core/invariants/admissible.h"

#include <math.h>

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
        if (!(fabs(point.phi[a]) <= 1e-10 * point.phi_scale[a]) ||
            !(fabs(point.f[a]) <= 1e-10 * point.f_scale[a]))
            return false;
    return isfinite(point.energy);
}
