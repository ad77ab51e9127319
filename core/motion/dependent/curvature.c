#include "core/motion/dependent/curvature.h"

#include <stdlib.h>

#include "core/base/memory.h"

Status curvature_init(Curvature *curvature, const Dependent *d, Error *err)
{
    ExprPool *pool = d->pool;
    const size_t r = d->r, m = d->m;
    Expr *derivative = alloc_array(r * m + 1, sizeof *derivative);

    *curvature = (Curvature){.space = alloc_array(r * m * m + r * m, sizeof *curvature->space)};
    if (!derivative || !curvature->space) {
        free(derivative);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    curvature->time = curvature->space + r * m * m;
    Expr zero = expr_const(pool, 0);
    for (size_t k = 0; k < r * m * m; k++)
        curvature->space[k] = zero;
    for (size_t j = 0; j < m; j++) {
        dependent_D_i(d, j, d->C_i, r * m, derivative);
        for (size_t a = 0; a < r; a++)
            for (size_t i = 0; i < m; i++) {
                Expr *ij = &curvature->space[(a * m + i) * m + j];
                Expr *ji = &curvature->space[(a * m + j) * m + i];
                if (i == j)
                    continue;
                *ij = expr_add(pool, *ij, derivative[a * m + i]);
                *ji = expr_sub(pool, *ji, derivative[a * m + i]);
            }
    }
    dependent_D_t(d, d->C_i, r * m, curvature->time);
    for (size_t i = 0; i < m; i++) {
        dependent_D_i(d, i, d->C_0, r, derivative);
        for (size_t a = 0; a < r; a++)
            curvature->time[a * m + i] = expr_sub(pool, curvature->time[a * m + i], derivative[a]);
    }
    free(derivative);
    return expr_pool_status(pool, err);
}

void curvature_done(Curvature *curvature)
{
    free(curvature->space);
    *curvature = (Curvature){0};
}

Expr curvature_along(const Curvature *curvature, const Dependent *d, size_t a, size_t i)
{
    const size_t m = d->m;
    Expr sum = curvature->time[a * m + i];

    for (size_t j = 0; j < m; j++)
        sum = expr_add(
            d->pool, sum,
            expr_mul(d->pool, curvature->space[(a * m + i) * m + j], d->model->v[d->base[j]]));
    return sum;
}

void dependent_pseudo_curvature(const Dependent *d, Expr *ret)
{
    dependent_d_V(d, d->C_i, d->r * d->m, ret);
    for (size_t k = 0; k < d->r * d->m; k++)
        ret[k] = expr_sub(d->pool, ret[k], d->D_C[k]);
}
