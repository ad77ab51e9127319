#include "core/motion/voronec/voronec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/algebra/ldl.h"

/* An implicit velocity is off by its change over a step of the integrator, O(h); each Newton step
 * squares that. */
enum { NEWTON_STEPS = 5 };

/* The equations ------------------------------------------------------------------------------- */

void voronec_done(Voronec *w)
{
    dependent_done(&w->d);
    curvature_done(&w->curvature);
    free(w->K);
    *w = (Voronec){0};
}

static bool allocate(Voronec *w)
{
    const size_t r = w->d.r, m = w->d.m;

    const BlockPart parts[] = {{&w->K, r}, {&w->Lc_i, m},  {&w->d_V, m},
                               {&w->D, m}, {&w->R, r * m}, {&w->G, m * m}};
    return alloc_block(sizeof *w->K, parts, sizeof parts / sizeof *parts) != NULL;
}

/* Lc, its derivatives by the base velocities, and the momenta K of the dependent ones. */
static void constrain(Voronec *w, bool expand)
{
    const Dependent *d = &w->d;
    const Model *model = w->model;

    for (size_t k = 0; k < d->r; k++)
        w->K[k] = model->p[d->dep[k]];
    dependent_substitute(d, w->K, d->r, w->K);
    dependent_substitute(d, &model->L, 1, &w->Lc);
    if (expand)
        expr_expand(w->pool, &w->Lc, 1, &w->Lc);
    for (size_t i = 0; i < d->m; i++)
        dependent_by_velocity(d, i, &w->Lc, 1, &w->Lc_i[i]);
    dependent_d_V(d, w->Lc_i, d->m, w->d_V);
    for (size_t i = 0; i < d->m; i++)
        dependent_D_i(d, i, &w->Lc, 1, &w->D[i]);
}

static Status curve(Voronec *w, Error *err)
{
    const Dependent *d = &w->d;

    if (!d->affine) {
        dependent_pseudo_curvature(d, w->R);
        return OK;
    }
    Status status = curvature_init(&w->curvature, d, err);
    for (size_t a = 0; status == OK && a < d->r; a++)
        for (size_t i = 0; i < d->m; i++)
            w->R[a * d->m + i] = curvature_along(&w->curvature, d, a, i);
    return status;
}

Expr voronec_pull_back(const Voronec *w, const Expr *x, size_t i)
{
    const Dependent *d = &w->d;
    Expr sum = x[d->base[i]];

    for (size_t k = 0; k < d->r; k++)
        sum = expr_add(w->pool, sum, expr_mul(w->pool, d->C_i[k * d->m + i], x[d->dep[k]]));
    return sum;
}

/* G_ij = Lc_ij - K_a C^a_ij; without second derivatives of C it is N^T M N, N = (1; C_i). */
static Status mass(Voronec *w, Error *err)
{
    const Dependent *d = &w->d;
    const size_t n = d->n, m = d->m;

    if (d->affine) {
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i <= j; i++) {
                dependent_by_velocity(d, j, &w->Lc_i[i], 1, &w->G[i * m + j]);
                w->G[j * m + i] = w->G[i * m + j];
            }
        return OK;
    }
    Expr *M = alloc_array(n * n + n, sizeof *M), *column = M ? M + n * n : NULL;
    if (!M)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    dependent_substitute(d, w->model->M, n * n, M);
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = voronec_pull_back(w, M + i * n, j);
        for (size_t i = 0; i <= j; i++)
            w->G[i * m + j] = w->G[j * m + i] = voronec_pull_back(w, column, i);
    }
    free(M);
    return OK;
}

Status voronec_init(Voronec *w, ExprPool *pool, const Model *model, const MotionOptions *options,
                    bool expand, Error *err)
{
    *w = (Voronec){.model = model, .pool = pool};
    Status status = dependent_init(&w->d, pool, model, options, err);
    if (status == OK && !allocate(w))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK)
        return status;
    constrain(w, expand && !w->d.implicit);
    status = curve(w, err);
    if (status == OK)
        status = mass(w, err);
    return status == OK ? expr_pool_status(pool, err) : status;
}

/* Derivation ---------------------------------------------------------------------------------- */

/* udot = G^-1 rhs; rhs and udot may be one. False when out of memory. */
static bool solve_accelerations(const Voronec *w, Elimination elimination, Expr *rhs, Equations *eq)
{
    const size_t m = w->d.m;

    if (m == 0)
        return true;
    if (elimination == ELIMINATE_PIVOTED) {
        Expr factor = expr_factor(w->pool, m, w->G);
        expr_solve(w->pool, factor, m, rhs, rhs);
        eq->regularity[eq->n_regularity++] = expr_rcond(w->pool, factor);
        return true;
    }
    Ldl *ldl = ldl_new(w->pool, m, w->G);
    bool ok = ldl && ldl_solve(w->pool, ldl, rhs, rhs);
    for (size_t i = 0; ok && i < m; i++)
        eq->regularity[eq->n_regularity++] = ldl->ratio[i];
    ldl_free(ldl);
    return ok;
}

static Expr right_side(const Voronec *w, const Expr *F, size_t i)
{
    const Dependent *d = &w->d;
    Expr sum = expr_add(w->pool, voronec_pull_back(w, F, i), expr_sub(w->pool, w->D[i], w->d_V[i]));

    for (size_t k = 0; k < d->r; k++)
        sum = expr_add(w->pool, sum, expr_mul(w->pool, w->K[k], w->R[k * d->m + i]));
    return sum;
}

/* The reaction on the dependent coordinates, M vdot + l - F, has all the multipliers; with them
 * R.v for the constraints that are not homogeneous. */
static Status multipliers(const Voronec *w, const Expr *F, Equations *eq, Error *err)
{
    const Dependent *d = &w->d;
    const Model *model = w->model;
    ExprPool *pool = w->pool;
    const size_t n = d->n, r = d->r;
    Expr *row = alloc_array(n + 1 + r, sizeof *row), *force = row ? row + n + 1 : NULL;
    if (!row)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t k = 0; k < r; k++) {
        const size_t a = d->dep[k];
        memcpy(row, model->M + a * n, n * sizeof *row);
        row[n] = model->l[a];
        dependent_substitute(d, row, n + 1, row);
        Expr inertia = expr_add(pool, expr_dot(pool, n, row, eq->vdot), row[n]);
        force[k] = expr_sub(pool, inertia, F[a]);
    }
    bool ok = dependent_multipliers(d, force, eq->lambda);
    free(row);
    if (!ok)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Expr L_t;
    dependent_substitute(d, &model->L_t, 1, &L_t);
    eq->power = expr_sub(pool, expr_dot(pool, n, F, eq->v), L_t);
    for (size_t k = 0; k < r; k++) {
        if (model->constraints[d->rows[k]].homogeneous)
            continue;
        Expr rate = expr_dot(pool, n, d->A + k * n, eq->v);
        eq->power = expr_add(pool, eq->power, expr_mul(pool, eq->lambda[d->given[k]], rate));
    }
    return OK;
}

/* State, velocities and the way back. */
static void describe_state(const Voronec *w, Equations *eq)
{
    const Dependent *d = &w->d;
    const Model *model = w->model;
    const size_t n = d->n;

    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->restate[i] = eq->q[i] = model->q[i];
        eq->v[i] = d->is_dep[i] ? d->C[d->place[i]] : model->v[i];
        eq->rates[i] = eq->v[i];
    }
    for (size_t i = 0; i < d->m; i++)
        eq->state[n + i] = eq->restate[n + i] = model->v[d->base[i]];
}

static Status accelerate(const Voronec *w, Elimination elimination, Equations *eq, Error *err)
{
    const Dependent *d = &w->d;
    const size_t n = d->n, m = d->m;
    Status status = OK;
    Expr *F = alloc_array(n + m, sizeof *F), *udot = F ? F + n : NULL;
    if (!F)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    dependent_substitute(d, w->model->F, n, F);
    for (size_t i = 0; i < m; i++)
        udot[i] = right_side(w, F, i);
    if (!solve_accelerations(w, elimination, udot, eq))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK) {
        for (size_t i = 0; i < m; i++)
            eq->vdot[d->base[i]] = eq->rates[n + i] = udot[i];
        for (size_t k = 0; k < d->r; k++)
            eq->vdot[d->dep[k]] =
                expr_add(w->pool, d->C_V[k], expr_dot(w->pool, m, d->C_i + k * m, udot));
        status = multipliers(w, F, eq, err);
    }
    free(F);
    return status;
}

/* Implicit velocities ---------------------------------------------------------------------------
 */

/* z = guess - A^-1 phi, several times over, A and phi at the last z: small is [phi, A_dep], the
 * symbols are those of the dependent velocities. */
static void newton(const Voronec *w, Expr *small, const Expr *symbols, Expr *z)
{
    const Dependent *d = &w->d;
    const size_t r = d->r, count = r + r * r;
    Expr *at = small + count, *step = at + count;

    for (int k = 0; k < NEWTON_STEPS; k++) {
        expr_substitute(w->pool, small, count, symbols, z, r, at);
        if (r == 1)
            step[0] = expr_div(w->pool, at[0], at[1]);
        else
            expr_solve(w->pool, expr_factor(w->pool, r, at + r), r, at, step);
        for (size_t a = 0; a < r; a++)
            z[a] = expr_sub(w->pool, z[a], step[a]);
    }
}

static void put_in(const Voronec *w, const Expr *symbols, const Expr *z, Expr *exprs, size_t n)
{
    expr_substitute(w->pool, exprs, n, symbols, z, w->d.r, exprs);
}

/* Solves for the dependent velocities, whose symbols are in all expressions so far. */
static Status solve_velocities(const Voronec *w, Equations *eq, Error *err)
{
    const Dependent *d = &w->d;
    const size_t n = d->n, r = d->r, count = r + r * r;
    Expr *small = alloc_array(2 * count + 2 * r, sizeof *small);
    Expr *symbols = small ? small + 2 * count + r : NULL, *z = eq->implicit;
    if (!small)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t a = 0; a < r; a++) {
        symbols[a] = eq->implicit_start[a] = w->model->v[d->dep[a]];
        z[a] = eq->guess[a];
        small[a] = d->phi[a];
        for (size_t b = 0; b < r; b++)
            small[r + a * r + b] = d->A[a * n + d->dep[b]];
    }
    newton(w, small, symbols, z);
    put_in(w, symbols, z, eq->rates, eq->dim);
    put_in(w, symbols, z, eq->v, n);
    put_in(w, symbols, z, eq->vdot, n);
    put_in(w, symbols, z, eq->lambda, r);
    put_in(w, symbols, z, eq->regularity, eq->n_regularity);
    put_in(w, symbols, z, &eq->power, 1);
    if (!expr_is_none(eq->determined))
        put_in(w, symbols, z, &eq->determined, 1);
    free(small);
    return OK;
}

static Status derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const bool expand = options->elimination == ELIMINATE_NULL_SPACE_EXPANDED;
    const size_t r = options->n_rows;
    Voronec w = {0};
    Status status = equations_init(eq, model, r, 2 * model->n - r, err);
    if (status != OK)
        return status;
    if (options->elimination == ELIMINATE_SCHUR)
        return error_set(err, ERR_NOT_FOUND, "Voronec's equations hold no multipliers");

    status = voronec_init(&w, eq->pool, model, options, expand, err);
    if (status == OK) {
        eq->determined = w.d.determined;
        if (!expr_is_none(w.d.determined))
            eq->regularity[eq->n_regularity++] = w.d.determined;
        describe_state(&w, eq);
        status = accelerate(&w, options->elimination, eq, err);
    }
    if (status == OK && w.d.implicit) {
        status = equations_implicit(eq, r, err);
        if (status == OK)
            status = solve_velocities(&w, eq, err);
    }
    voronec_done(&w);
    return status == OK ? expr_pool_status(eq->pool, err) : status;
}

const Formulation formulation_voronec = {
    .name = "voronec",
    .title = "Voronec's equations",
    .uses_dependent = true,
    .check = voronec_check,
    .present = voronec_present,
    .derive = derive,
};
