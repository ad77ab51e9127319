/* Hamilton's equations with multipliers, on the submanifold that the constraints single out.
 *
 *     p = L_v(q, v, t),   H(q, p, t) = p.v - L
 *     qdot = H_p = v,   pdot = -H_q + F + A^T lambda = L_q + F + A^T lambda,   phi(q, H_p, t) = 0
 *
 * The state is (q, p); lambda is that of Lagrange-d'Alembert at the velocities that belong to p
 * (A. J. van der Schaft, B. M. Maschke, Rep. Math. Phys. 34 (1994) 225-233). The Legendre transform
 * q, v -> q, p is inverted in closed form where M is free of velocities, M v = p - L_v(q, 0, t),
 * and by Newton steps from the velocities of the last step where it is not. Both need det M != 0.
 */
#include "core/motion/hamiltonian/hamiltonian.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/algebra/ldl.h"

/* Within a step of the integrator the guess is off by the change of v over the step; each Newton
 * step squares that error, so that what is left after four is of order 16 in the step. */
enum { NEWTON_STEPS = 4 };

Status hamiltonian_is_natural(const Model *model, bool *ret_natural, Error *err)
{
    const size_t n = model->n, n_symbols = model->first_free;
    bool *used = alloc_array(n_symbols, sizeof *used);
    if (!used)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Status status = expr_used_symbols(model->pool, model->M, n * n, used, n_symbols, err);
    bool natural = true;
    for (size_t i = 0; i < n; i++)
        natural = natural && !used[expr_node(model->pool, model->v[i]).symbol];
    free(used);
    if (status == OK)
        *ret_natural = natural;
    return status;
}

/* x = M^-1 b. False when out of memory. */
static bool solve_mass(ExprPool *pool, size_t n, const Expr *M, Elimination elimination,
                       const Expr *b, Expr *ret_x)
{
    if (elimination == ELIMINATE_PIVOTED) {
        expr_solve(pool, expr_factor(pool, n, M), n, b, ret_x);
        return true;
    }
    Ldl *ldl = ldl_new(pool, n, M);
    bool ok = ldl && ldl_solve(pool, ldl, b, ret_x);
    ldl_free(ldl);
    return ok;
}

bool hamiltonian_newton_step(ExprPool *pool, const Model *model, Elimination elimination,
                             const Expr *p, Expr *v)
{
    const size_t n = model->n;
    Expr *M = alloc_array(n * n + n, sizeof *M), *gap = M + n * n;
    if (!M)
        return false;

    expr_substitute(pool, model->M, n * n, model->v, v, n, M);
    expr_substitute(pool, model->p, n, model->v, v, n, gap);
    for (size_t i = 0; i < n; i++)
        gap[i] = expr_sub(pool, p[i], gap[i]);
    bool ok = solve_mass(pool, n, M, elimination, gap, gap);
    for (size_t i = 0; ok && i < n; i++)
        v[i] = expr_add(pool, v[i], gap[i]);
    free(M);
    return ok;
}

static Status invert_legendre(const Model *model, Elimination elimination, const Expr *p,
                              Equations *eq, Error *err)
{
    const size_t n = model->n;
    bool natural = true, ok = true;
    Status status = hamiltonian_is_natural(model, &natural, err);

    if (status == OK && !natural)
        status = equations_implicit(eq, n, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < n; i++)
        eq->v[i] = natural ? expr_const(eq->pool, 0) : eq->guess[i];
    for (int k = 0; ok && k < (natural ? 1 : NEWTON_STEPS); k++)
        ok = hamiltonian_newton_step(eq->pool, model, elimination, p, eq->v);
    if (!ok)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; status == OK && !natural && i < n; i++) {
        eq->implicit[i] = eq->v[i];
        eq->implicit_start[i] = model->v[i];
    }
    return status;
}

/* What is written with the model's velocities until those of p take their place. */
typedef struct Terms {
    size_t n, r, count;
    Expr *block;      /* count, in this order: */
    Expr *A, *psi;    /* r x n, r: of the rows in use */
    Expr *b;          /* n: F - l */
    Expr *vdot;       /* n */
    Expr *lambda;     /* r */
    Expr *regularity; /* n + r */
    Expr *rate;       /* n: L_q + F + A^T lambda */
    Expr *power;      /* 1 */
} Terms;

static bool terms_init(Terms *terms, const Model *model, const MotionOptions *options)
{
    const size_t n = model->n, r = options->n_rows;

    *terms = (Terms){.n = n, .r = r};
    const BlockPart parts[] = {{&terms->A, r * n}, {&terms->psi, r},    {&terms->b, n},
                               {&terms->vdot, n},  {&terms->lambda, r}, {&terms->regularity, n + r},
                               {&terms->rate, n},  {&terms->power, 1}};
    terms->block = alloc_block(sizeof *terms->block, parts, sizeof parts / sizeof *parts);
    if (!terms->block)
        return false;
    terms->count = (size_t)(terms->power + 1 - terms->block);
    for (size_t k = 0; k < r; k++) {
        memcpy(terms->A + k * n, model->A + options->rows[k] * n, n * sizeof *terms->A);
        terms->psi[k] = model->constraints[options->rows[k]].psi;
    }
    return true;
}

/* Accelerations, multipliers, pdot and power at (q, v). */
static bool derive_terms(ExprPool *pool, const Model *model, const MotionOptions *options,
                         Terms *terms, size_t *ret_n_regularity)
{
    const size_t n = terms->n, r = terms->r;
    KktSystem system = {
        .n = n, .r = r, .M = model->M, .b = terms->b, .A = terms->A, .psi = terms->psi};
    KktSolution solution = {
        .vdot = terms->vdot, .lambda = terms->lambda, .regularity = terms->regularity};

    for (size_t i = 0; i < n; i++)
        terms->b[i] = expr_sub(pool, model->F[i], model->l[i]);
    if (!eliminate_solve(pool, &system, options->elimination, &solution))
        return false;
    if (options->elimination == ELIMINATE_PIVOTED &&
        r) /* with constraints M may be the worse one */
        terms->regularity[solution.n_regularity++] =
            expr_rcond(pool, expr_factor(pool, n, model->M));
    *ret_n_regularity = solution.n_regularity;
    expr_gradient(pool, model->L, model->q, n, terms->rate);
    *terms->power = expr_sub(pool, expr_dot(pool, n, model->F, model->v), model->L_t);
    for (size_t i = 0; i < n; i++)
        terms->rate[i] = expr_add(pool, terms->rate[i], model->F[i]);
    for (size_t k = 0; k < r; k++) {
        const Expr *A = terms->A + k * n;
        for (size_t i = 0; i < n; i++)
            terms->rate[i] = expr_add(pool, terms->rate[i], expr_mul(pool, A[i], terms->lambda[k]));
        if (model->constraints[options->rows[k]].homogeneous)
            continue; /* A v = 0 on phi = 0 */
        Expr work = expr_mul(pool, terms->lambda[k], expr_dot(pool, n, A, model->v));
        *terms->power = expr_add(pool, *terms->power, work);
    }
    return true;
}

/* Puts the velocities that belong to p into the terms, and these into the equations. */
static void place_terms(const Model *model, Terms *terms, Equations *eq)
{
    const size_t n = terms->n, from = (size_t)(terms->vdot - terms->block);
    Expr *rest = terms->vdot;

    for (size_t i = eq->n_regularity; i < n + terms->r; i++)
        terms->regularity[i] = expr_const(eq->pool, 1);
    expr_substitute(eq->pool, rest, terms->count - from, model->v, eq->v, n, rest);
    memcpy(eq->vdot, terms->vdot, n * sizeof *rest);
    memcpy(eq->lambda, terms->lambda, terms->r * sizeof *rest);
    memcpy(eq->regularity, terms->regularity, eq->n_regularity * sizeof *rest);
    memcpy(eq->rates, eq->v, n * sizeof *rest);
    memcpy(eq->rates + n, terms->rate, n * sizeof *rest);
    eq->power = *terms->power;
}

static Status name_columns(const Model *model, Equations *eq, Error *err)
{
    Status status = equations_columns(eq, model->n, err);

    for (size_t i = 0; status == OK && i < model->n; i++) {
        eq->own[i] = eq->state[model->n + i];
        eq->own_names[i] = arena_printf(eq->arena, "p(%s)", model->coordinate_names[i]);
        if (!eq->own_names[i])
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    return status;
}

static Status derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    const Elimination elimination = options->elimination;
    Terms terms = {0};
    Status status = equations_init(eq, model, r, 2 * n, err);
    if (status != OK)
        return status;
    /* L D L^T of M itself is sound where that of the Schur complement is */
    if (elimination != ELIMINATE_SCHUR && elimination != ELIMINATE_PIVOTED)
        return error_set(err, ERR_NOT_FOUND, "the elimination '%s' does not serve momenta",
                         elimination_name(elimination));

    Expr *p = eq->state + n;
    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = eq->restate[i] = model->q[i];
        p[i] = equations_symbol(eq);
        eq->restate[n + i] = model->p[i];
    }
    status = invert_legendre(model, elimination, p, eq, err);
    if (status == OK && !(terms_init(&terms, model, options) &&
                          derive_terms(eq->pool, model, options, &terms, &eq->n_regularity)))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK) {
        place_terms(model, &terms, eq);
        status = name_columns(model, eq, err);
    }
    free(terms.block);
    return status;
}

const Formulation formulation_hamiltonian = {
    .name = "hamiltonian",
    .title = "Hamilton's equations with multipliers",
    .keeps_momenta = true,
    .check = hamiltonian_check,
    .present = hamiltonian_present,
    .derive = derive,
};
