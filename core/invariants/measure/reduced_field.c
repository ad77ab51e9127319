/* Reduction to the base velocities u: G = N^T M N, G udot = N^T (F - l - M c), and the
 * divergence of the motion in (q, u). */
#include "core/invariants/measure/density.h"

#include "core/expr/calculus/calculus.h"

/* Solutions of G x = rhs. */
static void solve_mass(const ReducedField *f, const Expr *rhs, Expr *x)
{
    ExprPool *pool = f->d->pool;
    bool diagonal = true;

    for (size_t i = 0; i < f->m; i++)
        for (size_t j = 0; j < f->m; j++)
            diagonal = diagonal && (i == j || expr_is_zero(pool, f->G[i * f->m + j]));
    if (!diagonal) {
        expr_solve(pool, f->factor, f->m, rhs, x);
        return;
    }
    for (size_t i = 0; i < f->m; i++)
        x[i] = expr_div(pool, rhs[i], f->G[i * f->m + i]);
}

Expr reduced_field_trace(const ReducedField *f, const Expr *K)
{
    ExprPool *pool = f->d->pool;
    const size_t m = f->m;
    Arena scratch = {0};
    Expr *column = ARENA_NEW(&scratch, m, Expr), *x = ARENA_NEW(&scratch, m, Expr);
    Expr sum = expr_const(pool, 0);
    if (arena_failed(&scratch))
        return EXPR_NONE;

    /* column by column: entry j of the solution for column j */
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < m; i++)
            column[i] = K[i * m + j];
        if (exprs_are_zero(pool, column, m))
            continue;
        solve_mass(f, column, x);
        sum = expr_add(pool, sum, x[j]);
    }
    arena_done(&scratch);
    return sum;
}

/* N[n][m]: the derivatives of all velocities by the base ones. */
static void fill_N(const Dependent *dep, Expr *N)
{
    const size_t n = dep->n, m = dep->m;

    for (size_t k = 0; k < n * m; k++)
        N[k] = expr_const(dep->pool, 0);
    for (size_t i = 0; i < m; i++)
        N[dep->base[i] * m + i] = expr_const(dep->pool, 1);
    for (size_t k = 0; k < dep->r; k++)
        for (size_t i = 0; i < m; i++)
            N[dep->dep[k] * m + i] = dep->C_i[k * m + i];
}

/* G and N^T (F - l - M c); scratch holds n (n + m + 3). */
static void project_to_base(ReducedField *f, Expr *scratch, Expr *ret_force)
{
    const Dependent *dep = &f->d->dependent;
    const Model *model = dep->model;
    ExprPool *pool = dep->pool;
    const size_t n = dep->n, m = dep->m;
    Expr *M = scratch, *l = M + n * n, *F = l + n, *N = F + n, *net = N + n * m;

    /* M, l and F at velocities that the constraints allow */
    dependent_substitute(dep, model->M, n * n, M);
    dependent_substitute(dep, model->l, n, l);
    dependent_substitute(dep, model->F, n, F);
    fill_N(dep, N);
    for (size_t i = 0; i < n; i++) {
        net[i] = expr_sub(pool, F[i], l[i]);
        for (size_t k = 0; k < dep->r; k++)
            net[i] = expr_sub(pool, net[i], expr_mul(pool, M[i * n + dep->dep[k]], dep->C_V[k]));
    }
    /* G and the force are sums over N^T; only the lower half of the symmetric G is computed */
    for (size_t a = 0; a < m; a++) {
        ret_force[a] = expr_const(pool, 0);
        for (size_t b = 0; b < m; b++)
            f->G[a * m + b] = expr_const(pool, 0);
        for (size_t i = 0; i < n; i++) {
            ret_force[a] = expr_add(pool, ret_force[a], expr_mul(pool, N[i * m + a], net[i]));
            if (expr_is_zero(pool, N[i * m + a]))
                continue;
            for (size_t b = 0; b <= a; b++) {
                Expr row = expr_const(pool, 0);
                for (size_t j = 0; j < n; j++)
                    row = expr_add(pool, row, expr_mul(pool, M[i * n + j], N[j * m + b]));
                f->G[a * m + b] =
                    expr_add(pool, f->G[a * m + b], expr_mul(pool, N[i * m + a], row));
            }
        }
    }
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < a; b++)
            f->G[b * m + a] = f->G[a * m + b];
}

static Expr minor2(ExprPool *pool, Expr a, Expr b, Expr c, Expr d)
{
    return expr_sub(pool, expr_mul(pool, a, d), expr_mul(pool, b, c));
}

static Expr determinant(ExprPool *pool, const Expr *g, size_t m)
{
    Expr det = g[0];

    if (m == 2)
        det = minor2(pool, g[0], g[1], g[2], g[3]);
    if (m == 3) {
        Expr terms[3] = {expr_mul(pool, g[0], minor2(pool, g[4], g[5], g[7], g[8])),
                         expr_mul(pool, g[1], minor2(pool, g[3], g[5], g[6], g[8])),
                         expr_mul(pool, g[2], minor2(pool, g[3], g[4], g[6], g[7]))};
        const double signs[3] = {1, -1, 1};
        det = expr_sum(pool, 3, signs, terms);
    }
    expr_expand(pool, &det, 1, &det);
    return det;
}

/* The rate of ln det G along the motion. */
static Status rate_of_det(ReducedField *f, Error *err)
{
    const Dependent *dep = &f->d->dependent;
    const Model *model = dep->model;
    const size_t m = f->m;
    Arena *scratch = f->d->context->scratch;
    Expr *qdot = ARENA_NEW(scratch, dep->n, Expr), *u = ARENA_NEW(scratch, m, Expr);
    Expr *K = ARENA_NEW(scratch, m * m, Expr), one = expr_const(f->d->pool, 1);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    /* rates of all coordinates, of u and of time */
    for (size_t i = 0; i < m; i++)
        qdot[dep->base[i]] = u[i] = model->sym.v[dep->base[i]];
    for (size_t k = 0; k < dep->r; k++)
        qdot[dep->dep[k]] = dep->C[k];
    const ExprChange changes[] = {
        {model->sym.q, qdot, dep->n}, {u, f->udot, m}, {&model->sym.t, &one, 1}};
    expr_along(f->d->pool, f->G, m * m, changes, sizeof changes / sizeof *changes, K);
    f->log_det_rate = reduced_field_trace(f, K);
    return expr_pool_status(f->d->pool, err);
}

Status reduced_field_init(ReducedField *f, const Distribution *d, Error *err)
{
    const Dependent *dep = &d->dependent;
    const size_t n = d->n, m = d->m, r = d->r;
    ExprPool *pool = d->pool;

    const bool chart = d->n_holonomic == r; /* y is a function of x */
    *f = (ReducedField){.d = d, .m = m, .n_terms = chart ? m : m + r};
    Arena *scratch = d->context->scratch;
    f->G = ARENA_NEW(scratch, m * m, Expr);
    f->udot = ARENA_NEW(scratch, m, Expr);
    f->div = ARENA_NEW(scratch, m + r, Expr);
    Expr *force = ARENA_NEW(scratch, m, Expr), *work = ARENA_NEW(scratch, n * (n + m + 3), Expr);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    /* G and the accelerations */
    project_to_base(f, work, force);
    expr_expand(pool, f->G, m * m, f->G);
    if (m > 1)
        f->factor = expr_factor(pool, m, f->G);
    solve_mass(f, force, f->udot);
    /* the divergence, coordinate by coordinate */
    for (size_t i = 0; i < m; i++)
        f->div[i] = expr_diff(pool, f->udot[i], dep->model->sym.v[dep->base[i]]);
    for (size_t k = 0; k < r && !chart; k++)
        f->div[m + k] = expr_diff(pool, dep->C[k], dep->model->sym.q[dep->dep[k]]);
    f->det = m <= 3 ? determinant(pool, f->G, m) : EXPR_NONE;
    status = expr_pool_status(pool, err);
    return status == OK ? rate_of_det(f, err) : status;
}
