/* Curvature of affine constraints (P. V. Voronec, 1901) and nonlinear ones (M. Popescu, C. Ida). */
#include "core/motion/dependent/curvature.h"

Status curvature_init(Curvature *curvature, const Dependent *d, Error *err)
{
    ExprPool *pool = d->pool;
    const size_t r = d->r, m = d->m;
    const Expr zero = expr_const(pool, 0);

    *curvature = (Curvature){0};
    Expr *derivative = ARENA_NEW(&curvature->arena, r * m, Expr);
    Expr *space = curvature->space = ARENA_NEW(&curvature->arena, r * m * m + r * m, Expr);
    if (arena_failed(&curvature->arena))
        return arena_status(&curvature->arena, err);
    Expr *time = curvature->time = space + r * m * m;

    /* A^a_ij: D_j a_ai goes into place ij, and with the other sign into ji */
    for (size_t k = 0; k < r * m * m; k++)
        space[k] = zero;
    for (size_t j = 0; j < m; j++) {
        dependent_D_i(d, j, d->C_i, r * m, derivative);
        for (size_t a = 0; a < r; a++)
            for (size_t i = 0; i < m; i++) {
                Expr *ij = &space[(a * m + i) * m + j], *ji = &space[(a * m + j) * m + i];
                if (i == j)
                    continue;
                *ij = expr_add(pool, *ij, derivative[a * m + i]);
                *ji = expr_sub(pool, *ji, derivative[a * m + i]);
            }
    }
    /* A^a_i: D_t a_ai, minus D_i a_a */
    dependent_D_t(d, d->C_i, r * m, time);
    for (size_t i = 0; i < m; i++) {
        dependent_D_i(d, i, d->C_0, r, derivative);
        for (size_t a = 0; a < r; a++)
            time[a * m + i] = expr_sub(pool, time[a * m + i], derivative[a]);
    }
    return expr_pool_status(pool, err);
}

void curvature_done(Curvature *curvature)
{
    arena_done(&curvature->arena);
    *curvature = (Curvature){0};
}

Expr curvature_along(const Curvature *curvature, const Dependent *d, size_t a, size_t i)
{
    const size_t m = d->m;
    Expr sum = curvature->time[a * m + i];

    for (size_t j = 0; j < m; j++)
        sum = expr_add(
            d->pool, sum,
            expr_mul(d->pool, curvature->space[(a * m + i) * m + j], d->model->sym.v[d->base[j]]));
    return sum;
}

void dependent_pseudo_curvature(const Dependent *d, Expr *ret)
{
    dependent_d_V(d, d->C_i, d->r * d->m, ret);
    for (size_t k = 0; k < d->r * d->m; k++)
        ret[k] = expr_sub(d->pool, ret[k], d->D_C[k]);
}
