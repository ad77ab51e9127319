/* The rounding error of d(vdot) = M^-1 d(F - l) at rest, without constraints. Example: 4 z (x^2 +
 * y^2 + z^2 - 1) has the derivative 0 by z on the circle z = 0, but is computed as 0 or 1e-16. */
#include "core/stability/find/equilibrium.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/residuals.h"
#include "core/numeric/dense.h"

/* ret[n][n]: the error of the derivatives of F - l by errors of one unit in all inputs. */
static Status force_noise(const Equilibrium *x, Arena *scratch, double *ret, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = x->n;
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *force = ARENA_NEW(scratch, n, Expr), *zero = ARENA_NEW(scratch, n, Expr);
    Expr *slopes = ARENA_NEW(scratch, n * n, Expr);
    double *symbols = arena_doubles(scratch, model->sym.first_free);
    Status status =
        pool ? arena_status(scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; status == OK && i < n; i++) {
        zero[i] = expr_const(pool, 0);
        force[i] = expr_sub(pool, model->F[i], model->l[i]);
    }
    if (status == OK) {
        equilibrium_symbols(x, symbols);
        /* forces at rest; a norm in a denominator is 0 there, so its limit is taken */
        expr_substitute_limits(pool, force, n, model->sym.v, zero, n, force);
        expr_jacobian(pool, force, n, model->sym.q, n, slopes);
        for (size_t k = 0; k < n * n; k++)
            slopes[k] = expr_rounding(pool, slopes[k]);
        status = expr_pool_status(pool, err);
    }
    if (status == OK)
        status = expr_eval(pool, slopes, n * n, symbols, ret, err);
    expr_pool_free(pool);
    return status;
}

/* The rows of |M^-1| times that, in units. */
static Status row_noise(Equilibrium *x, const double *noise, Arena *scratch, Error *err)
{
    const size_t n = x->n;
    const double *unit = x->scales.unit;
    const ModelPoint point = model_point(x->context->eval, x->context->t0, x->q, x->v);
    double *inverse = arena_doubles(scratch, n * n);
    Status status = arena_status(scratch, err);

    for (size_t i = 0; status == OK && i < n; i++)
        inverse[i * n + i] = 1;
    if (status == OK)
        status = dense_solve(point.M, n, inverse, n, err);
    /* absolute values: errors of different entries may all add up */
    for (size_t i = 0; status == OK && i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; inverse[i * n + k] != 0 && j < n; j++)
                sum += fabs(inverse[i * n + k]) * noise[k * n + j] * unit[j] / unit[i];
        x->scales.noise[i] = isfinite(sum) ? RESIDUAL_ROUNDINGS * DBL_EPSILON * sum : 0;
    }
    return status;
}

Status equilibrium_find_noise(Equilibrium *x, Error *err)
{
    Arena scratch = {0};

    if (x->s || x->n_conditions > x->n)
        return OK;
    double *noise = arena_doubles(&scratch, x->n * x->n);
    Status status = arena_status(&scratch, err);
    if (status == OK)
        status = force_noise(x, &scratch, noise, err);
    if (status == OK)
        status = row_noise(x, noise, &scratch, err);
    if (status == OK)
        status = equilibrium_differentiate(x, x->context->t0, err);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status; /* too long to tell */
}
