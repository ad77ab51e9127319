/* Families of equilibria by the theorem of implicit functions, and strict minima of the energy
 * (J. L. Lagrange, P. G. Lejeune Dirichlet; W. Thomson and P. G. Tait for drag).
 *
 * An equilibrium solves, with the multipliers as unknowns of their own,
 *     M w + l - F = A^T lambda,   f = 0,   phi = 0   at v = u(q, c), w = u_q v. */
#include "core/simulation/analyses/equilibrium_proofs.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/expr/calculus.h"
#include "core/numeric/dense.h"
#include "core/simulation/analyses/equilibrium_family.h"

/* Of the largest, what eigenvalues of a symmetric matrix are wrong by. */
static const double ROUNDING = 1e-12;

/* The values of the parameters take the place of their symbols. */
static void set_parameters(const Equilibrium *x, ExprPool *pool, Expr *roots, size_t n_roots,
                           Arena *scratch)
{
    const Model *model = x->context->model;
    Expr *values = ARENA_NEW(scratch, model->n_params, Expr);

    for (size_t k = 0; values && k < model->n_params; k++)
        values[k] = expr_const(pool, x->context->params[k]);
    if (values && model->n_params)
        expr_substitute(pool, roots, n_roots, model->params, values, model->n_params, roots);
    expr_expand(pool, roots, n_roots, roots);
}

/* u in ret[0 .. n), w in ret[n .. 2 n), as functions of q and new symbols c. */
static void build_drift(const Equilibrium *x, ExprPool *pool, const size_t *fields, Expr *ret)
{
    const Model *model = x->context->model;
    const size_t n = x->n;

    for (size_t i = 0; i < n; i++) {
        ret[i] = expr_const(pool, 0);
        for (size_t a = 0; a < x->s; a++) {
            const Expr c = expr_symbol(pool, model->first_free + (uint32_t)a);
            ret[i] = expr_add(pool, ret[i],
                              expr_mul(pool, c, model->symmetries[fields[a]].components[i]));
        }
    }
    expr_directional(pool, ret, n, model->q, ret, n, ret + n);
}

/* roots: M w + l - F (n), phi of the rows, A of the rows, at v = u. */
static void build_conditions(const Equilibrium *x, ExprPool *pool, const size_t *fields,
                             Expr *roots, Arena *scratch)
{
    const AnalysisContext *context = x->context;
    const Model *model = context->model;
    const size_t n = x->n, r = context->n_rows, n_roots = n + r + r * n;
    Expr *u = ARENA_NEW(scratch, 2 * n, Expr);

    if (!u)
        return;
    build_drift(x, pool, fields, u);
    for (size_t i = 0; i < n; i++)
        roots[i] = expr_add(pool, expr_dot(pool, n, model->M + i * n, u + n),
                            expr_sub(pool, model->l[i], model->F[i]));
    for (size_t k = 0; k < r; k++) {
        roots[n + k] = model->constraints[context->rows[k]].phi;
        memcpy(roots + n + r + k * n, model->A + context->rows[k] * n, n * sizeof *roots);
    }
    expr_substitute(pool, roots, n_roots, model->v, u, n, roots);
    set_parameters(x, pool, roots, n_roots, scratch);
}

/* How many of the conditions, and of the multipliers in them, are left when identities go. */
static void count_conditions(const Equilibrium *x, const ExprPool *pool, const Expr *roots,
                             size_t *ret_conditions, size_t *ret_multipliers)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->n, r = context->n_rows;
    size_t forces = 0;
    bool balanced = true; /* without constraint forces, everywhere */

    for (size_t i = 0; i < n; i++)
        balanced = balanced && expr_is_zero(pool, roots[i]);
    for (size_t i = 0; i < n; i++) {
        bool identity = expr_is_zero(pool, roots[i]);
        for (size_t k = 0; k < r; k++)
            identity = identity && expr_is_zero(pool, roots[n + r + k * n + i]);
        forces += !identity;
    }
    *ret_conditions = balanced ? 0 : forces;
    *ret_multipliers = balanced ? 0 : r;
    for (size_t k = 0; k < r; k++) {
        *ret_conditions += !expr_is_zero(pool, roots[n + k]);
        *ret_conditions +=
            context->model->constraints[context->rows[k]].kind == CONSTRAINT_HOLONOMIC;
    }
}

Status equilibrium_family_proven(const Equilibrium *x, const size_t *fields, bool *ret_proven,
                                 Error *err)
{
    const size_t n = x->n, r = x->context->n_rows;
    size_t conditions = 0, multipliers = 0;

    *ret_proven = x->sharp && x->family == 0;
    if (!x->sharp || x->family == 0)
        return OK;
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(x->context->model->pool);
    Expr *roots = ARENA_NEW(&scratch, n + r + r * n, Expr);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        build_conditions(x, pool, fields, roots, &scratch);
        status = arena_status(&scratch, err);
    }
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK) {
        count_conditions(x, pool, roots, &conditions, &multipliers);
        *ret_proven = n + x->s + multipliers == x->family + conditions;
    }
    if (status == ERR_LIMIT) /* too long to tell */
        status = OK;
    expr_pool_free(pool);
    arena_done(&scratch);
    return status == OK && !*ret_proven ? equilibrium_family_shown(x, fields, ret_proven, err)
                                        : status;
}

Status equilibrium_positive(double *a, const double *error, size_t m, bool *ret, Error *err)
{
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, m), *values = arena_doubles(&scratch, m), wrong = 0;
    Status status = arena_status(&scratch, err);

    *ret = true;
    for (size_t i = 0; status == OK && i < m; i++) {
        *ret = *ret && a[i * m + i] > 0 && isfinite(a[i * m + i]);
        unit[i] = *ret ? 1 / sqrt(a[i * m + i]) : 0;
    }
    if (status == OK && *ret && m) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                wrong = hypot(wrong, error[i * m + j] * unit[i] * unit[j]);
                a[i * m + j] *= unit[i] * unit[j];
            }
        status = dense_symmetric_eigenvalues(a, m, values, err);
        *ret = status == OK && values[0] > wrong + (double)m * ROUNDING;
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
    double *kept = arena_doubles(&scratch, n * n), *none = arena_doubles(&scratch, n * n);
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
        status = equilibrium_positive(kept, none, m, ret, err);
    arena_done(&scratch);
    return status;
}

/* The forces are -D v with constant D, and v.D v >= 0. */
static Status is_dissipative(const Equilibrium *x, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = x->n;
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *roots = ARENA_NEW(&scratch, n, Expr), *zeros = ARENA_NEW(&scratch, n, Expr);
    double *D = arena_doubles(&scratch, n * n);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    *ret = false;
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
        }
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(pool, 0);
    expr_substitute(pool, roots, n, model->v, zeros, n, roots);
    for (size_t i = 0; i < n; i++)
        linear = linear && expr_is_zero(pool, roots[i]);
    status = arena_status(&scratch, err);
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK && linear)
        status = takes_energy(D, n, ret, err);
out:
    expr_pool_free(pool);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status;
}

/* N^T V_qq N of the energy on the constraints is -N^T M K N with K = d(vdot)/dq, and its bound. */
static Status has_positive_stiffness(const Equilibrium *x, bool *ret, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->n, r = context->n_rows, dim = 2 * n;
    size_t m = n;
    Arena scratch = {0};
    double *rows = arena_doubles(&scratch, r * n), *N = arena_doubles(&scratch, n * n);
    double *H = arena_doubles(&scratch, n * n), *E = arena_doubles(&scratch, n * n);
    double *MK = arena_doubles(&scratch, n * n), *ME = arena_doubles(&scratch, n * n);
    Status status = arena_status(&scratch, err);

    if (status != OK)
        goto out;
    const ModelPoint point = model_point(context->eval, context->t0, x->q, x->v);
    for (size_t k = 0; k < r; k++)
        memcpy(rows + k * n, point.A + context->rows[k] * n, n * sizeof *rows);
    /* M K, and |M| times the bound of K */
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) {
                MK[i * n + j] -= point.M[i * n + k] * x->jacobian[(n + k) * dim + j];
                ME[i * n + j] += fabs(point.M[i * n + k]) * x->jacobian_error[(n + k) * dim + j];
            }
    status = dense_null_space(rows, r, n, 1e-10, N, &m, err);
    if (status != OK)
        goto out;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; N[i * n + a] != 0 && j < n; j++) {
                    const double pair = N[i * n + a] * N[j * n + b];
                    /* of the symmetric part */
                    H[a * m + b] += pair * (MK[i * n + j] + MK[j * n + i]) / 2;
                    E[a * m + b] += fabs(pair) * (ME[i * n + j] + ME[j * n + i]) / 2;
                }
    status = equilibrium_positive(H, E, m, ret, err);
out:
    arena_done(&scratch);
    return status;
}

Status equilibrium_minimum(const Equilibrium *x, bool *ret_minimum, Error *err)
{
    const AnalysisContext *context = x->context;
    bool positive = false;

    *ret_minimum = false;
    if (x->s || x->family || !x->sharp || !is_scleronomic(context->model))
        return OK;
    Status status = is_dissipative(x, &positive, err);
    if (status != OK || !positive)
        return status;
    const ModelPoint point = model_point(context->eval, context->t0, x->q, x->v);
    status = model_positive(context->eval, &point, context->rows, context->n_rows, &positive, err);
    if (status == OK && positive)
        status = has_positive_stiffness(x, ret_minimum, err);
    return status;
}
