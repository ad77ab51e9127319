/* Voronec's equations of motion for the base velocities, derived (P. V. Voronec, 1901; M. Popescu,
 * C. Ida, equations (4.42)-(4.46), for nonlinear constraints;
 * docs/explanation/formulations/voronec.md). */
#include "core/motion/voronec/voronec.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/algebra/symmetric.h"

/* The guess of an implicit velocity has an error O(h), which each Newton step squares. */
enum { NEWTON_STEPS = 5 };

void voronec_done(Voronec *w)
{
    dependent_done(&w->d);
    curvature_done(&w->curvature);
    arena_done(&w->arena);
    *w = (Voronec){0};
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

static Status take_curvature(Voronec *w, Error *err)
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
static void reduce_mass(Voronec *w)
{
    const Dependent *d = &w->d;
    const size_t n = d->n, m = d->m;

    if (d->affine) {
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i <= j; i++) {
                dependent_by_velocity(d, j, &w->Lc_i[i], 1, &w->G[i * m + j]);
                w->G[j * m + i] = w->G[i * m + j];
            }
        return;
    }
    /* row by row from the right: M N, then N^T of its columns */
    Expr *M = ARENA_NEW(&w->arena, n * n, Expr), *column = ARENA_NEW(&w->arena, n, Expr);
    if (arena_failed(&w->arena))
        return;
    dependent_substitute(d, w->model->M, n * n, M);
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = voronec_pull_back(w, M + i * n, j);
        for (size_t i = 0; i <= j; i++)
            w->G[i * m + j] = w->G[j * m + i] = voronec_pull_back(w, column, i);
    }
}

Status voronec_init(Voronec *w, ExprPool *pool, const Model *model, const MotionOptions *options,
                    bool expand, Error *err)
{
    *w = (Voronec){.model = model, .pool = pool};
    Status status = dependent_init(&w->d, pool, model, options, err);
    if (status != OK)
        return status;
    const size_t r = w->d.r, m = w->d.m;
    w->K = ARENA_NEW(&w->arena, r, Expr);
    w->Lc_i = ARENA_NEW(&w->arena, m, Expr);
    w->d_V = ARENA_NEW(&w->arena, m, Expr);
    w->D = ARENA_NEW(&w->arena, m, Expr);
    w->R = ARENA_NEW(&w->arena, r * m, Expr);
    w->G = ARENA_NEW(&w->arena, m * m, Expr);
    status = arena_status(&w->arena, err);
    if (status != OK)
        return status;
    /* the constrained Lagrangian, the curvature, then the mass matrix */
    constrain(w, expand && !w->d.implicit);
    status = take_curvature(w, err);
    if (status != OK)
        return status;
    reduce_mass(w);
    status = arena_status(&w->arena, err);
    return status == OK ? expr_pool_status(pool, err) : status;
}

static Expr right_side(const Voronec *w, const Expr *F, size_t i)
{
    const Dependent *d = &w->d;
    Expr sum = expr_add(w->pool, voronec_pull_back(w, F, i), expr_sub(w->pool, w->D[i], w->d_V[i]));

    for (size_t k = 0; k < d->r; k++)
        sum = expr_add(w->pool, sum, expr_mul(w->pool, w->K[k], w->R[k * d->m + i]));
    return sum;
}

/* The multipliers from M vdot + l - F on the dependent coordinates; then the power. */
static void take_multipliers(const Voronec *w, const MotionOptions *options, const Expr *F,
                             Equations *eq)
{
    const Dependent *d = &w->d;
    const Model *model = w->model;
    ExprPool *pool = w->pool;
    const size_t n = d->n, r = d->r;
    Expr *row = ARENA_NEW(&eq->arena, n + 1, Expr), *force = ARENA_NEW(&eq->arena, r, Expr);
    Expr *A = ARENA_NEW(&eq->arena, r * n, Expr), L_t;
    if (arena_failed(&eq->arena))
        return;

    for (size_t k = 0; k < r; k++) {
        /* row a of M and l_a, without the dependent velocities */
        const size_t a = d->dep[k];
        memcpy(row, model->M + a * n, n * sizeof *row);
        row[n] = model->l[a];
        dependent_substitute(d, row, n + 1, row);
        Expr inertia = expr_add(pool, expr_dot(pool, n, row, eq->vdot), row[n]);
        force[k] = expr_sub(pool, inertia, F[a]);
        memcpy(A + d->given[k] * n, d->A + k * n, n * sizeof *A);
    }
    dependent_multipliers(d, force, eq->lambda, &eq->arena);
    dependent_substitute(d, &model->L_t, 1, &L_t);
    eq->power = equations_power(pool, model, options, &(PowerTerms){F, L_t, A, eq->v, eq->lambda});
}

/* State, velocities and the way back. */
static void describe_state(const Voronec *w, Equations *eq)
{
    const Dependent *d = &w->d;
    const Model *model = w->model;
    const size_t n = d->n;

    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->restate[i] = eq->q[i] = model->sym.q[i];
        eq->v[i] = d->is_dep[i] ? d->C[d->place[i]] : model->sym.v[i];
        eq->rates[i] = eq->v[i];
    }
    for (size_t i = 0; i < d->m; i++)
        eq->state[n + i] = eq->restate[n + i] = model->sym.v[d->base[i]];
}

/* udot = G^-1 rhs, then all accelerations. */
static void accelerate(const Voronec *w, const MotionOptions *options, Equations *eq)
{
    const Dependent *d = &w->d;
    const size_t n = d->n, m = d->m;
    Symmetric mass;
    Expr *F = ARENA_NEW(&eq->arena, n, Expr), *udot = ARENA_NEW(&eq->arena, m, Expr);
    if (arena_failed(&eq->arena))
        return;

    dependent_substitute(d, w->model->F, n, F);
    for (size_t i = 0; i < m; i++)
        udot[i] = right_side(w, F, i);
    /* ydot = C: yddot = d_V C + C_i udot^i */
    symmetric_init(&mass, w->pool, m, w->G, options->elimination == ELIMINATE_PIVOTED, &eq->arena);
    symmetric_solve(&mass, udot, udot);
    symmetric_regularity(&mass, eq->regularity, &eq->n_regularity);
    for (size_t i = 0; i < m; i++)
        eq->vdot[d->base[i]] = eq->rates[n + i] = udot[i];
    for (size_t k = 0; k < d->r; k++)
        eq->vdot[d->dep[k]] =
            expr_add(w->pool, d->C_V[k], expr_dot(w->pool, m, d->C_i + k * m, udot));
    take_multipliers(w, options, F, eq);
}

/* z = guess - A_dep^-1 phi, iterated; z replaces the symbols of the dependent velocities. */
static void solve_by_newton(const Voronec *w, const Expr *symbols, Expr *z, Arena *arena)
{
    const Dependent *d = &w->d;
    const size_t r = d->r, count = r + r * r;
    Expr *both = ARENA_NEW(arena, count, Expr); /* phi, A_dep */
    Expr *at = ARENA_NEW(arena, count, Expr), *step = ARENA_NEW(arena, r, Expr);
    if (arena_failed(arena))
        return;

    for (size_t a = 0; a < r; a++) {
        both[a] = d->phi[a];
        for (size_t b = 0; b < r; b++)
            both[r + a * r + b] = d->A[a * d->n + d->dep[b]];
    }
    for (int k = 0; k < NEWTON_STEPS; k++) {
        expr_substitute(w->pool, both, count, symbols, z, r, at);
        if (r == 1)
            step[0] = expr_div(w->pool, at[0], at[1]);
        else
            expr_solve(w->pool, expr_factor(w->pool, r, at + r), r, at, step);
        for (size_t a = 0; a < r; a++)
            z[a] = expr_sub(w->pool, z[a], step[a]);
    }
}

/* Solves for the dependent velocities, whose symbols occur in all expressions so far. */
static Status solve_velocities(const Voronec *w, Equations *eq, Error *err)
{
    const Dependent *d = &w->d;
    const size_t r = d->r;
    EquationsPart parts[EQUATIONS_PARTS];
    Status status = equations_implicit(eq, r, err);
    if (status != OK)
        return status;

    const Expr *symbols = eq->implicit_start;
    for (size_t a = 0; a < r; a++) {
        eq->implicit_start[a] = w->model->sym.v[d->dep[a]];
        eq->implicit[a] = eq->guess[a];
    }
    solve_by_newton(w, symbols, eq->implicit, &eq->arena);
    /* put the solution in place of the symbols everywhere */
    equations_parts(eq, parts);
    for (size_t k = 0; k < EQUATIONS_PARTS; k++)
        expr_substitute(w->pool, parts[k].exprs, parts[k].n, symbols, eq->implicit, r,
                        parts[k].exprs);
    return OK;
}

/* Whether the constraints determine the dependent velocities at the start. */
static Status voronec_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    double smallest;
    Status status = dependent_quality(question, &smallest, err);

    /* the smallest singular value; each row is scaled to a largest entry of 1 */
    if (status != OK || smallest > ACCURACY_HALF)
        return status;
    diagnostics_add(diag, question->model->given.n_base ? "/model/base" : "/formulation", -1,
                    "choose other base coordinates, or leave \"base\" out",
                    "the constraints do not determine the dependent velocities at the initial "
                    "state: their matrix S_dep is singular");
    return error_set(err, ERR_INVALID, "Voronec's equations do not apply");
}

static Status voronec_derive(const Model *model, const MotionOptions *options, Equations *eq,
                             Error *err)
{
    const bool expand = options->elimination == ELIMINATE_NULL_SPACE_EXPANDED;
    const size_t r = options->n_rows;
    Voronec w = {0};
    Status status = equations_init(eq, model, r, 2 * model->n - r, err);
    if (status != OK)
        return status;
    if (options->elimination == ELIMINATE_SCHUR) /* there are no multipliers in the equations */
        return elimination_misfit(options->elimination, err);

    status = voronec_init(&w, eq->pool, model, options, expand, err);
    if (status == OK) {
        eq->determined = w.d.determined;
        eq->orientation = w.d.orientation;
        if (!expr_is_none(w.d.regularity))
            eq->regularity[eq->n_regularity++] = w.d.regularity;
        describe_state(&w, eq);
        accelerate(&w, options, eq);
    }
    if (status == OK && w.d.implicit)
        status = solve_velocities(&w, eq, err);
    voronec_done(&w);
    return status == OK ? equations_status(eq, err) : status;
}

const Formulation formulation_voronec = {
    .name = "voronec",
    .title = "Voronec's equations",
    .uses_dependent = true,
    .prefer = dependent_prefer_lasting,
    .check = voronec_check,
    .present = voronec_present,
    .derive = voronec_derive,
};
