/* Hamel's equations: quasi-velocities of a frame adapted to the constraints.
 *
 * The state is (q, w) with v = w^i X_i + X_0 (core/motion/hamel/frame.h). Hamel's equations
 *
 *     D/Dt p_i - X_i(L) + R^k_ij w^j p_k + R^k_i0 p_k = F.X_i,   p_k = dL/dw^k,   i = 1 .. m
 *
 * (G. Hamel, 1904), with L in quasi-velocities and those of the complement set to zero after
 * differentiation, are X_i.(D/Dt L_v - L_q - F) = 0 term by term; hamel_present() prints this form.
 * They are solved in the shorter form
 *
 *     N^T M N wdot = N^T ( F - l - M c ),   vdot = N wdot + c
 *
 * with N = [X_1 .. X_m] and c the acceleration at constant w. The reaction R = M vdot + l - F has
 * no components along X_i; those along the complement give the multipliers. */
#include "core/motion/hamel/frame.h"

#include <string.h>

#include "core/model/rates.h"
#include "core/motion/algebra/symmetric.h"
#include "core/motion/dependent/dependent.h"

/* The model's expressions at v = N w + X_0, and the terms derived from them. */
typedef struct Derivation {
    const Model *model;
    Equations *eq;
    Frame frame;
    Expr *w;          /* m: symbols, the second part of the state */
    Expr *M, *b, *F;  /* n x n; n: F - l; n + 1: F and L_t; one after the other */
    Expr *c;          /* n */
    Expr *MN;         /* n x m: M X_i at MN[i n + .] */
    Expr *matrix, *g; /* m x m; m: N^T (b - M c), then wdot */
} Derivation;

static Status derivation_init(Derivation *d, const Model *model, Equations *eq, Error *err)
{
    const size_t n = model->n, m = d->frame.m;

    d->model = model;
    d->eq = eq;
    d->w = eq->state + n;
    d->M = ARENA_NEW(&eq->arena, n * n + 2 * n + 1, Expr);
    d->b = d->M ? d->M + n * n : NULL;
    d->F = d->M ? d->b + n : NULL;
    d->c = ARENA_NEW(&eq->arena, n, Expr);
    d->MN = ARENA_NEW(&eq->arena, n * m, Expr);
    d->matrix = ARENA_NEW(&eq->arena, m * m + m, Expr);
    d->g = d->matrix ? d->matrix + m * m : NULL;
    return arena_status(&eq->arena, err);
}

static void take_state(Derivation *d)
{
    Equations *eq = d->eq;
    const size_t n = d->model->n;

    for (size_t i = 0; i < n; i++)
        eq->state[i] = eq->q[i] = d->model->sym.q[i];
    for (size_t k = 0; k < d->frame.m; k++)
        d->w[k] = equations_symbol(eq);
    frame_velocity(&d->frame, d->w, eq->v);
}

static void take_model(Derivation *d)
{
    ExprPool *pool = d->eq->pool;
    const Model *model = d->model;
    const size_t n = model->n;

    memcpy(d->M, model->M, n * n * sizeof *d->M);
    for (size_t i = 0; i < n; i++)
        d->b[i] = expr_sub(pool, model->F[i], model->l[i]);
    memcpy(d->F, model->F, n * sizeof *d->F);
    d->F[n] = model->L_t;
    expr_substitute(pool, d->M, n * n + 2 * n + 1, model->sym.v, d->eq->v, n, d->M);
}

/* The acceleration at constant w: S c = -psi for solved fields, else the rate of N w + X_0. */
static void take_acceleration(Derivation *d, const size_t *rows)
{
    const Frame *f = &d->frame;
    ExprPool *pool = d->eq->pool;
    const size_t n = f->n, r = f->r;

    /* solved fields: c has components along dependent velocities only */
    if (f->kind == FRAME_SOLVED) {
        Expr *psi = f->work;
        for (size_t a = 0; a < r; a++)
            psi[a] = d->model->constraints[rows[a]].psi;
        expr_substitute(pool, psi, r, d->model->sym.v, d->eq->v, n, psi);
        for (size_t i = 0; i < n; i++)
            d->c[i] = expr_const(pool, 0);
        for (size_t k = 0; k < r; k++)
            d->c[f->dependent[k]] = expr_neg(pool, expr_dot(pool, r, f->G + k * r, psi));
        return;
    }
    /* other fields: differentiate the velocities */
    const Direction motion = {.n = n, .q = d->model->sym.q, .qdot = d->eq->v, .t = d->model->sym.t};
    rates_along(pool, &motion, d->eq->v, n, d->c);
}

/* N^T M N, and N^T ( b - M c ) in g. */
static void reduce_equations(Derivation *d, bool expand)
{
    const Frame *f = &d->frame;
    ExprPool *pool = d->eq->pool;
    const size_t n = f->n, m = f->m;

    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++)
            d->MN[k * n + i] = expr_dot(pool, n, d->M + i * n, f->X + k * n);
    for (size_t k = 0; k < m; k++) {
        for (size_t l = 0; l <= k; l++)
            d->matrix[k * m + l] = d->matrix[l * m + k] =
                expr_dot(pool, n, f->X + k * n, d->MN + l * n);
        d->g[k] = expr_sub(pool, expr_dot(pool, n, f->X + k * n, d->b),
                           expr_dot(pool, n, d->MN + k * n, d->c));
    }
    if (expand) /* g follows the matrix */
        expr_expand(pool, d->matrix, m * m + m, d->matrix);
}

/* Equations.inertia; with unit masses if M is not positive definite. */
static void measure_fields(Derivation *d, bool mass_positive)
{
    Equations *eq = d->eq;
    const Frame *f = &d->frame;
    Expr product = expr_const(eq->pool, 1);

    for (size_t k = 0; k < f->m; k++) {
        const Expr *X = f->X + k * f->n;
        const Expr along = mass_positive ? d->matrix[k * f->m + k] : expr_dot(eq->pool, f->n, X, X);
        product = expr_mul(eq->pool, product, along);
    }
    eq->inertia = expr_is_const(eq->pool, product, NULL) ? EXPR_NONE : product;
}

/* wdot, in place of g. */
static void solve_equations(Derivation *d, bool pivoted)
{
    Equations *eq = d->eq;
    Symmetric mass;

    eq->determined = d->frame.determined;
    eq->orientation = d->frame.orientation;
    if (!expr_is_none(d->frame.regularity))
        eq->regularity[eq->n_regularity++] = d->frame.regularity;
    symmetric_init(&mass, eq->pool, d->frame.m, d->matrix, pivoted, &eq->arena);
    symmetric_solve(&mass, d->g, d->g);
    symmetric_regularity(&mass, eq->regularity, &eq->n_regularity);
}

/* vdot, the multipliers, and (F + R).v - L_t with R.v = lambda.(A v) = -lambda.s. */
static void take_motion(Derivation *d, const size_t *rows)
{
    Equations *eq = d->eq;
    const Frame *f = &d->frame;
    ExprPool *pool = eq->pool;
    const size_t n = f->n, m = f->m;
    Expr *force = d->c; /* M vdot - b, when c is no longer needed */

    /* vdot = N wdot + c */
    for (size_t i = 0; i < n; i++) {
        Expr sum = d->c[i];
        for (size_t k = 0; k < m; k++)
            sum = expr_add(pool, sum, expr_mul(pool, f->X[k * n + i], d->g[k]));
        eq->vdot[i] = sum;
    }
    for (size_t i = 0; i < n; i++)
        force[i] = expr_sub(pool, expr_dot(pool, n, d->M + i * n, eq->vdot), d->b[i]);
    frame_multipliers(f, force, eq->lambda);
    eq->power = expr_sub(pool, expr_dot(pool, n, d->F, eq->v), d->F[n]);
    for (size_t a = 0; a < f->r; a++)
        if (!d->model->constraints[rows[a]].homogeneous)
            eq->power = expr_sub(pool, eq->power, expr_mul(pool, eq->lambda[a], f->s[a]));
    for (size_t i = 0; i < n; i++)
        eq->rates[i] = eq->v[i];
    memcpy(eq->rates + n, d->g, m * sizeof *d->g);
}

static Status take_columns(Derivation *d, Error *err)
{
    Equations *eq = d->eq;
    const size_t n = d->model->n, m = d->frame.m;
    Status status = equations_columns(eq, m, err);

    for (size_t k = 0; status == OK && k < m; k++) {
        eq->own[k] = d->w[k];
        eq->own_names[k] = arena_printf(&eq->arena, "w(%s)", d->frame.names[k]);
    }
    memcpy(eq->restate, d->model->sym.q, n * sizeof *eq->restate);
    frame_quasi(&d->frame, d->model->sym.v, eq->restate + n);
    return status == OK ? equations_status(eq, err) : status;
}

static Status derive_in_frame(Derivation *d, const Model *model, const MotionOptions *options,
                              Equations *eq, Error *err)
{
    const bool pivoted = options->elimination == ELIMINATE_PIVOTED;
    Status status = frame_init(&d->frame, eq->pool, &eq->arena, model, options, pivoted, err);

    if (status == OK)
        status = derivation_init(d, model, eq, err);
    if (status != OK)
        return status;
    /* state and model in quasi-velocities */
    take_state(d);
    take_model(d);
    take_acceleration(d, options->rows);
    reduce_equations(d, options->elimination == ELIMINATE_NULL_SPACE_EXPANDED);
    if (frame_by_fields(&d->frame))
        measure_fields(d, options->mass_positive);
    solve_equations(d, pivoted);
    take_motion(d, options->rows);
    return take_columns(d, err);
}

static Status hamel_derive(const Model *model, const MotionOptions *options, Equations *eq,
                           Error *err)
{
    Derivation d = {0};
    Status status = equations_init(eq, model, options->n_rows, 2 * model->n - options->n_rows, err);
    if (status != OK)
        return status;
    if (options->elimination == ELIMINATE_SCHUR)
        return elimination_misfit(options->elimination, err);
    status = derive_in_frame(&d, model, options, eq, err);
    frame_done(&d.frame);
    return status;
}

const Formulation formulation_hamel = {
    .name = "hamel",
    .title = "Hamel's equations in quasi-velocities",
    .columns = {"w(*)"},
    .uses_dependent = true,
    .prefer = dependent_prefer_lasting,
    .check = hamel_check,
    .present = hamel_present,
    .derive = hamel_derive,
};
