/* The motion on the base of a fibration, and its lift (S. A. Chaplygin, 1897): the equations of
 * core/motion/chaplygin/reduction.h as a first-order system
 * (docs/explanation/formulations/chaplygin.md).
 *
 * The state is (x, xdot, y): the reduced motion and its reconstruction by ydot = a xdot + a0. If a
 * multiplier exists, ln N and the new time tau follow, both 0 at the start. Accelerations,
 * multipliers and power are those of the model. */
#include "core/motion/chaplygin/chaplygin.h"

#include <string.h>

/* Whether velocity i has only numeric coefficients: then its solution never degenerates. */
static bool numeric_column(const Model *model, size_t i)
{
    bool numeric = true;

    for (size_t a = 0; a < model->r; a++)
        numeric = numeric && expr_is_const(model->pool, model->A[a * model->n + i], NULL);
    return numeric;
}

/* Coordinates on which L, the forces and the constraints do not depend. */
static Status find_cyclic(const Model *model, bool *ret_cyclic, Arena *scratch, Error *err)
{
    const size_t n_symbols = model->sym.first_free;
    bool *used = ARENA_NEW(scratch, n_symbols, bool);
    Status status = arena_status(scratch, err);

    if (status == OK)
        status = expr_used_symbols(model->pool, &model->L, 1, used, n_symbols, err);
    if (status == OK)
        status = expr_used_symbols(model->pool, model->F, model->n, used, n_symbols, err);
    for (size_t a = 0; status == OK && a < model->r; a++)
        status =
            expr_used_symbols(model->pool, &model->constraints[a].phi, 1, used, n_symbols, err);
    for (size_t i = 0; status == OK && i < model->n; i++)
        ret_cyclic[i] = !used[expr_node(model->pool, model->sym.q[i]).symbol];
    return status;
}

/* Ranks the fiber coordinates first: those that the given group moves, else the cyclic ones. */
static Status chaplygin_prefer(const Model *model, size_t n_rows, unsigned *ret_rank, Error *err)
{
    const size_t n = model->n;
    Arena scratch = {0};
    bool *fibre = ARENA_NEW(&scratch, n, bool);
    size_t moved = 0;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < n; i++) {
        for (size_t k = 0; k < model->given.n_symmetries; k++)
            fibre[i] =
                fibre[i] || !expr_is_zero(model->pool, model->given.symmetries[k].components[i]);
        moved += fibre[i];
    }
    /* without a group of the right dimension: cyclic coordinates */
    if (status == OK && (moved != n_rows || n_rows == 0))
        status = find_cyclic(model, fibre, &scratch, err);
    for (size_t i = 0; status == OK && i < n; i++)
        ret_rank[i] = fibre[i] ? (numeric_column(model, i) ? 2 : 1) : 0;
    arena_done(&scratch);
    return status;
}

typedef struct Derivation {
    const Model *model;
    const MotionOptions *options;
    Equations *eq;
    Reduction red;
    Symmetric solver;
    Expr *xddot;       /* m */
    Expr *yddot;       /* r: at xddot = 0 */
    Expr *F;           /* n: forces on the constraints */
    Expr *row, *force; /* n + 1, r: of M and l; M vdot + l - F of the fiber */
} Derivation;

/* The state, and its rates without those of the multiplier. */
static void fill_state(Derivation *d)
{
    Equations *eq = d->eq;
    const Reduction *red = &d->red;
    const size_t m = red->m, r = red->r;

    for (size_t i = 0; i < m; i++) {
        eq->state[i] = eq->restate[i] = red->x[i];
        eq->state[m + i] = eq->restate[m + i] = red->xdot[i];
        eq->rates[i] = red->xdot[i];
        eq->rates[m + i] = d->xddot[i];
    }
    for (size_t nu = 0; nu < r; nu++) {
        eq->state[2 * m + nu] = eq->restate[2 * m + nu] = red->y[nu];
        eq->rates[2 * m + nu] = red->lift.ydot[nu];
    }
}

static void accelerations(Derivation *d)
{
    Equations *eq = d->eq;
    const Reduction *red = &d->red;
    const size_t m = red->m, r = red->r;

    /* G xddot = Pi - l, then yddot = a xddot and the rate of ydot at xddot = 0 */
    for (size_t i = 0; i < m; i++)
        d->xddot[i] = expr_sub(eq->pool, red->Pi[i], red->l[i]);
    symmetric_solve(&d->solver, d->xddot, d->xddot);
    explicit_along(&red->lift, red->lift.ydot, r, red->xdot, red->lift.ydot, true, d->yddot);
    for (size_t i = 0; i < m; i++) {
        eq->q[red->lift.base[i]] = red->x[i];
        eq->v[red->lift.base[i]] = red->xdot[i];
        eq->vdot[red->lift.base[i]] = d->xddot[i];
    }
    for (size_t nu = 0; nu < r; nu++) {
        const size_t k = red->lift.dependent[nu];
        eq->q[k] = red->y[nu];
        eq->v[k] = red->lift.ydot[nu];
        Expr along = expr_dot(eq->pool, m, red->lift.a + nu * m, d->xddot);
        eq->vdot[k] = expr_add(eq->pool, along, d->yddot[nu]);
    }
}

/* Multipliers from the dependent rows of M vdot + l - F = A^T lambda. power = F.v + R.v - L_t with
 * R.v = lambda.(A v); A v is minus the part of phi without velocities. */
static void multipliers_and_power(Derivation *d)
{
    const Model *model = d->model;
    Equations *eq = d->eq;
    const Reduction *red = &d->red;
    const size_t n = model->n, r = red->r;
    Expr *F = d->F, *row = d->row, *force = d->force;

    reduction_lift(red, model->F, n, F);
    reduction_lift(red, &model->L_t, 1, &eq->power);
    eq->power = expr_sub(eq->pool, expr_dot(eq->pool, n, F, eq->v), eq->power);
    /* the dependent rows of M vdot + l - F, on the constraints */
    for (size_t nu = 0; nu < r; nu++) {
        const size_t k = red->lift.dependent[nu];
        memcpy(row, model->M + k * n, n * sizeof *row);
        row[n] = model->l[k];
        reduction_lift(red, row, n + 1, row);
        Expr inertia = expr_dot(eq->pool, n, row, eq->vdot);
        force[nu] = expr_add(eq->pool, inertia, expr_sub(eq->pool, row[n], F[k]));
    }
    explicit_multipliers(&red->lift, force, eq->lambda, &eq->arena);
    for (size_t k = 0; k < r; k++) {
        const Constraint *c = &model->constraints[d->options->rows[k]];
        if (c->homogeneous)
            continue;
        Expr rest;
        expr_substitute(eq->pool, &c->phi, 1, model->sym.v, NULL, n, &rest);
        eq->power = expr_sub(eq->pool, eq->power, expr_mul(eq->pool, eq->lambda[k], rest));
    }
}

/* ln N and tau as states, N and tau as columns. */
static Status new_time(Derivation *d, Error *err)
{
    Equations *eq = d->eq;
    const Multiplier multiplier = (Multiplier)d->options->choice;
    size_t k = 2 * d->red.m + d->red.r;
    Expr N = expr_const(eq->pool, 1);

    Status status = equations_columns(eq, 2, err);
    if (status != OK)
        return status;
    /* ln N, unless N is 1 */
    if (multiplier != MULTIPLIER_ONE) {
        Expr log_N = eq->state[k] = eq->restate[k] = equations_symbol(eq);
        Expr contraction = reduction_contraction(&d->red, &d->solver);
        eq->rates[k++] = reduction_multiplier_rate(&d->red, multiplier, contraction);
        N = expr_call(eq->pool, EXPR_EXP, &log_N, 1);
    }
    eq->state[k] = eq->restate[k] = equations_symbol(eq);
    eq->rates[k] = N;
    eq->own_names[0] = "tau";
    eq->own[0] = eq->state[k];
    eq->own_names[1] = "N";
    eq->own[1] = N;
    return OK;
}

static Status derive_reduced(Derivation *d, Error *err)
{
    Equations *eq = d->eq;
    const size_t n = d->model->n, m = d->red.m, r = d->red.r;

    d->xddot = ARENA_NEW(&eq->arena, m, Expr);
    d->yddot = ARENA_NEW(&eq->arena, r, Expr);
    d->F = ARENA_NEW(&eq->arena, n, Expr);
    d->row = ARENA_NEW(&eq->arena, n + 1, Expr);
    d->force = ARENA_NEW(&eq->arena, r, Expr);
    reduction_solver(&d->red, d->options->elimination == ELIMINATE_PIVOTED, &d->solver);
    Status status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;
    /* accelerations first: multipliers and rates are made of them */
    accelerations(d);
    multipliers_and_power(d);
    fill_state(d);
    symmetric_regularity(&d->solver, eq->regularity, &eq->n_regularity);
    if (!expr_is_none(d->red.lift.regularity))
        eq->regularity[eq->n_regularity++] = d->red.lift.regularity;
    if (d->options->choice != MULTIPLIER_NONE)
        status = new_time(d, err);
    return status == OK ? equations_status(eq, err) : status;
}

static Status chaplygin_derive(const Model *model, const MotionOptions *options, Equations *eq,
                               Error *err)
{
    const size_t r = options->n_rows, m = model->n - r;
    const Multiplier multiplier = (Multiplier)options->choice;
    const size_t extra = multiplier == MULTIPLIER_NONE ? 0 : multiplier == MULTIPLIER_ONE ? 1 : 2;
    Status status = equations_init(eq, model, r, 2 * m + r + extra, err);
    if (status != OK)
        return status;
    if (options->elimination == ELIMINATE_SCHUR)
        return elimination_misfit(options->elimination, err);

    Derivation d = {.model = model, .options = options, .eq = eq};
    const bool expand = options->elimination == ELIMINATE_NULL_SPACE_EXPANDED;
    status = reduction_init(&d.red, eq->pool, model, options, expand, &eq->arena, err);
    return status == OK ? derive_reduced(&d, err) : status;
}

const Formulation formulation_chaplygin = {
    .name = "chaplygin",
    .title = "Chaplygin's reduced equations",
    .columns = {"tau", "N"},
    .uses_dependent = true,
    .prefer = chaplygin_prefer,
    .check = chaplygin_check,
    .present = chaplygin_present,
    .derive = chaplygin_derive,
};
