/* Strict minima of the energy (J. L. Lagrange, P. G. Lejeune Dirichlet; W. Thomson and P. G. Tait for
 * drag). */
#include "core/simulation/analyses/equilibrium_proofs.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/expr/calculus.h"
#include "core/numeric/dense.h"

/* Of the largest, what eigenvalues of a symmetric matrix are wrong by. */
static const double ROUNDING = 1e-12;

/* The values of the parameters take the place of their symbols. */
static void set_parameters(const Equilibrium *x, ExprPool *pool, Expr *roots, size_t n_roots,
                           Arena *scratch)
{
    const Model *model = x->context->model;
    Expr *values = ARENA_NEW(scratch, model->n_params, Expr);

    for (size_t k = 0; values && k < model->n_params; k++)
        values[k] = expr_given(pool, x->context->params[k]);
    if (values && model->n_params)
        expr_substitute(pool, roots, n_roots, model->params, values, model->n_params, roots);
    expr_expand(pool, roots, n_roots, roots);
}

/* The eigenvalues of a symmetric matrix, which is overwritten, are positive in units in which its
 * diagonal is 1, by more than rounding. */
static Status is_positive(double *a, size_t m, bool *ret, Error *err)
{
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, m), *values = arena_doubles(&scratch, m);
    Status status = arena_status(&scratch, err);

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
        *ret = status == OK && values[0] > (double)m * ROUNDING;
    }
    arena_done(&scratch);
    return status;
}

/* Constraints holonomic, and time in nothing. */
static bool is_scleronomic(const Model *model)
{
    bool result = local_is_autonomous(model);

    for (size_t k = 0; k < model->r; k++)
        result = result && model->constraints[k].kind == CONSTRAINT_HOLONOMIC;
    return result;
}

/* v.D v >= 0: a row whose diagonal outweighs the rest, or eigenvalues. D [n x n] is lost. */
static Status takes_energy(double *D, size_t n, bool *ret, Error *err)
{
    Arena scratch = {0};
    double *kept = arena_doubles(&scratch, n * n);
    size_t *rows = arena_sizes(&scratch, n), m = 0;
    Status status = arena_status(&scratch, err);
    bool dominant = true;

    for (size_t i = 0; status == OK && i < n; i++) {
        double rest = 0, all;
        for (size_t j = 0; j < n; j++)
            rest += i == j ? 0 : fabs(D[i * n + j] + D[j * n + i]);
        all = rest + fabs(D[i * n + i]);
        dominant = dominant && 2 * D[i * n + i] >= rest;
        if (all > 0)
            rows[m++] = i;
    }
    for (size_t i = 0; status == OK && i < m; i++)
        for (size_t j = 0; j < m; j++)
            kept[i * m + j] = (D[rows[i] * n + rows[j]] + D[rows[j] * n + rows[i]]) / 2;
    *ret = dominant;
    if (status == OK && !dominant)
        status = is_positive(kept, m, ret, err);
    arena_done(&scratch);
    return status;
}

/* Forces -D v with constant D. */
typedef struct Drag {
    bool dissipative; /* they are, and v.D v >= 0 */
    bool symmetric;   /* D is */
} Drag;

static Status find_drag(const Equilibrium *x, Drag *ret, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = x->n;
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *roots = ARENA_NEW(&scratch, n, Expr), *zeros = ARENA_NEW(&scratch, n, Expr);
    Expr *slopes = ARENA_NEW(&scratch, n * n, Expr);
    double *D = arena_doubles(&scratch, n * n);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    *ret = (Drag){.symmetric = true};
    if (status != OK)
        goto out;
    memcpy(roots, model->F, n * sizeof *roots);
    set_parameters(x, pool, roots, n, &scratch);
    /* slopes by the velocities are numbers, and without velocities nothing is left */
    bool linear = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; linear && j < n; j++) {
            Expr slope = expr_diff(pool, roots[i], model->v[j]);
            expr_expand(pool, &slope, 1, &slope);
            linear = expr_is_const(pool, slope, &D[i * n + j]);
            D[i * n + j] = -D[i * n + j];
            slopes[i * n + j] = slope;
        }
    for (size_t i = 0; linear && i < n * n; i++)
        ret->symmetric = ret->symmetric &&
                         expr_vanishes(pool, expr_sub(pool, slopes[i], slopes[i % n * n + i / n]));
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(pool, 0);
    expr_substitute(pool, roots, n, model->v, zeros, n, roots);
    for (size_t i = 0; i < n; i++)
        linear = linear && expr_vanishes(pool, roots[i]);
    status = arena_status(&scratch, err);
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK && linear)
        status = takes_energy(D, n, &ret->dissipative, err);
out:
    expr_pool_free(pool);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status;
}

Status equilibrium_energy(const Equilibrium *x, Enclosed *enclosed, EnergyShape *ret, Error *err)
{
    Drag drag = {false, false};

    *ret = (EnergyShape){.order = 2};
    if (x->s || !is_scleronomic(x->context->model))
        return OK;
    Status status = find_drag(x, &drag, err);
    if (status != OK || !drag.dissipative)
        return status;
    if (x->family == 0 && x->sharp)
        status = enclosed_minimum(enclosed, &ret->minimum, err);
    if (status == OK && !ret->minimum && enclosed->at_known)
        status = equilibrium_degenerate(enclosed, drag.symmetric, ret, err);
    return status;
}
