/* Drag: forces that depend on velocities and vanish with them. */
#include "core/stability/flat/energy.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/dense.h"

typedef struct Forces {
    const Equilibrium *x;
    size_t n;
    ExprPool *pool;
    Expr *F;          /* n: with the values of the parameters */
    Expr *slopes;     /* n x n: by the velocities, at rest */
    double *D, *kept; /* n x n */
    size_t *rows;     /* n */
    Arena scratch;    /* owns the arrays */
} Forces;

static Status forces_init(Forces *f, const Equilibrium *x, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = x->n;

    *f = (Forces){.x = x, .n = n, .pool = expr_pool_clone(model->pool)};
    f->F = ARENA_NEW(&f->scratch, n, Expr);
    f->slopes = ARENA_NEW(&f->scratch, n * n, Expr);
    f->D = arena_doubles(&f->scratch, n * n);
    f->kept = arena_doubles(&f->scratch, n * n);
    f->rows = arena_sizes(&f->scratch, n);
    Expr *values = ARENA_NEW(&f->scratch, model->n_params, Expr);
    Status status =
        f->pool ? arena_status(&f->scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK)
        return status;
    /* replace the parameters by their values and multiply out */
    for (size_t k = 0; k < model->n_params; k++)
        values[k] = expr_given(f->pool, x->context->params[k]);
    memcpy(f->F, model->F, n * sizeof *f->F);
    if (model->n_params)
        expr_substitute(f->pool, f->F, n, model->sym.params, values, model->n_params, f->F);
    expr_expand(f->pool, f->F, n, f->F);
    return expr_pool_status(f->pool, err);
}

static bool vanish(const Forces *f, const Expr *e, size_t n)
{
    bool result = true;

    for (size_t i = 0; i < n; i++)
        result = result && expr_vanishes(f->pool, e[i]);
    return result;
}

/* f->slopes; false unless at rest these are numbers, and there is no force. */
static bool split(Forces *f, bool *ret_symmetric)
{
    const Model *model = f->x->context->model;
    const size_t n = f->n;
    Expr *zeros = ARENA_NEW(&f->scratch, n, Expr), *resting = ARENA_NEW(&f->scratch, n, Expr);
    bool numbers = true;

    if (!zeros || !resting)
        return false;
    /* forces at rest, and their derivatives by the velocities at rest */
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(f->pool, 0);
    expr_jacobian(f->pool, f->F, n, model->sym.v, n, f->slopes);
    expr_substitute(f->pool, f->F, n, model->sym.v, zeros, n, resting);
    expr_substitute_limits(f->pool, f->slopes, n * n, model->sym.v, zeros, n, f->slopes);
    expr_expand(f->pool, f->slopes, n * n, f->slopes);
    if (expr_pool_status(f->pool, NULL) != OK || !vanish(f, resting, n))
        return false;
    /* D = -slopes has to consist of numbers */
    for (size_t k = 0; k < n * n; k++) {
        numbers = numbers && expr_is_const(f->pool, f->slopes[k], &f->D[k]);
        f->D[k] = -f->D[k];
    }
    *ret_symmetric = true;
    for (size_t i = 0; i < n * n; i++)
        *ret_symmetric =
            *ret_symmetric &&
            expr_vanishes(f->pool, expr_sub(f->pool, f->slopes[i], f->slopes[i % n * n + i / n]));
    return numbers;
}

/* R, in place of F: it takes energy. *ret_small: |R| <= C |v|^2. */
static bool rest_takes_energy(Forces *f, bool *ret_small)
{
    const Model *model = f->x->context->model;
    const size_t n = f->n;
    Expr power;

    for (size_t i = 0; i < n; i++)
        f->F[i] = expr_sub(f->pool, expr_dot(f->pool, n, f->slopes + i * n, model->sym.v), f->F[i]);
    expr_expand(f->pool, f->F, n, f->F);
    *ret_small = true;
    for (size_t i = 0; i < n; i++)
        *ret_small = *ret_small && expr_least_power(f->pool, f->F[i], model->sym.v, n) >= 2;
    power = expr_dot(f->pool, n, f->F, model->sym.v);
    expr_expand(f->pool, &power, 1, &power);
    return expr_pool_status(f->pool, NULL) == OK && expr_never_negative(f->pool, power);
}

/* Whether a symmetric matrix is positive definite by more than rounding; scales it in place. */
static Status is_positive(Forces *f, double *a, size_t m, bool *ret, Error *err)
{
    double *unit = arena_doubles(&f->scratch, m), *values = arena_doubles(&f->scratch, m);
    Status status = arena_status(&f->scratch, err);

    *ret = true;
    for (size_t i = 0; status == OK && i < m; i++) {
        *ret = *ret && a[i * m + i] > 0 && isfinite(a[i * m + i]);
        unit[i] = *ret ? 1 / sqrt(a[i * m + i]) : 0;
    }
    if (status == OK && *ret && m) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++)
                a[i * m + j] *= unit[i] * unit[j];
        status = dense_symmetric_eigenvalues(a, m, values, err);
        *ret = status == OK && values[0] > (double)m * ACCURACY_COMPUTED;
    }
    return status;
}

/* Proves v.D v >= 0 by diagonal dominance or by eigenvalues, and v.D v = 0 only at v = 0. */
static Status matrix_takes_energy(Forces *f, Drag *ret, Error *err)
{
    const size_t n = f->n;
    const double *D = f->D;
    size_t m = 0;
    bool dominant = true;
    Status status = OK;

    /* diagonal dominance by rows; count the rows that are not zero */
    for (size_t i = 0; i < n; i++) {
        double rest = 0;
        for (size_t j = 0; j < n; j++)
            rest += i == j ? 0 : fabs(D[i * n + j] + D[j * n + i]);
        dominant = dominant && 2 * D[i * n + i] >= rest;
        if (rest + fabs(D[i * n + i]) > 0)
            f->rows[m++] = i;
    }
    /* eigenvalues of the symmetric part of these rows */
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            f->kept[i * m + j] =
                (D[f->rows[i] * n + f->rows[j]] + D[f->rows[j] * n + f->rows[i]]) / 2;
    status = is_positive(f, f->kept, m, &ret->complete, err);
    ret->dissipative = dominant || ret->complete;
    ret->complete = ret->complete && m == n;
    return status;
}

Status drag_find(const Equilibrium *x, Drag *ret, Error *err)
{
    Forces f;
    bool small = false;
    Status status = forces_init(&f, x, err);

    *ret = (Drag){0};
    if (status == OK) {
        ret->none = vanish(&f, f.F, f.n);
        const bool takes = split(&f, &ret->symmetric) && rest_takes_energy(&f, &small);
        ret->symmetric = ret->symmetric && small;
        status = arena_status(&f.scratch, err);
        if (status == OK && takes)
            status = matrix_takes_energy(&f, ret, err);
    }
    expr_pool_free(f.pool);
    arena_done(&f.scratch);
    return status == ERR_LIMIT || status == ERR_NUMERIC ? OK : status;
}
