/* Hamilton's equations with multipliers, on the submanifold that the constraints define (A. J. van
 * der Schaft, B. M. Maschke, Rep. Math. Phys. 34 (1994) 225-233).
 *
 *     p = L_v(q, v, t),   H(q, p, t) = p.v - L
 *     qdot = H_p = v,   pdot = -H_q + F + A^T lambda = L_q + F + A^T lambda,   phi(q, H_p, t) = 0
 *
 * The state is (q, p); lambda is that of Lagrange-d'Alembert at the velocities that belong to p. If
 * M is free of velocities, the Legendre transform q, v -> q, p is inverted in closed form by
 * M v = p - L_v(q, 0, t), otherwise by Newton steps from the velocities of the last step.
 * Both need det M != 0, unless constraints take part. */
#include "core/motion/hamiltonian/hamiltonian.h"

#include <string.h>

#include "core/motion/algebra/symmetric.h"

/* Within a step of the integrator the error of the guess is the change of v over the step. Each
 * Newton step squares the error, so after four it is of order 16 in the step size. */
enum { NEWTON_STEPS = 4 };

Status hamiltonian_is_natural(const Model *model, bool *ret_natural, Error *err)
{
    const size_t n = model->n;
    bool moves = false;
    const Status status = expr_uses(model->pool, model->M, n * n, model->sym.v, n, &moves, err);

    if (status == OK)
        *ret_natural = !moves;
    return status;
}

void hamiltonian_newton_step(ExprPool *pool, const Model *model, Elimination elimination,
                             const Expr *p, Expr *v, Arena *arena)
{
    const size_t n = model->n;
    Symmetric mass;
    Expr *M = ARENA_NEW(arena, n * n, Expr), *gap = ARENA_NEW(arena, n, Expr);
    if (arena_failed(arena))
        return;

    /* v + M^-1 (p - L_v), all at v */
    expr_substitute(pool, model->M, n * n, model->sym.v, v, n, M);
    expr_substitute(pool, model->p, n, model->sym.v, v, n, gap);
    for (size_t i = 0; i < n; i++)
        gap[i] = expr_sub(pool, p[i], gap[i]);
    symmetric_init(&mass, pool, n, M, elimination == ELIMINATE_PIVOTED, arena);
    symmetric_solve(&mass, gap, gap);
    for (size_t i = 0; i < n; i++)
        v[i] = expr_add(pool, v[i], gap[i]);
}

/* If constraints linear in the velocities, A v + s = 0, take part, M need not be regular:
 *
 *     [ M  -A^T ] [ v  ]   [ p - L_v(q, 0, t) ]
 *     [ A    0  ] [ mu ] = [ -s               ]        mu = 0 if p belongs to an admissible v
 *
 * The matrix is that of the accelerations, and is factored once. */
static Status invert_with_constraints(const Model *model, const MotionOptions *options,
                                      const Expr *p, Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    Expr *gap = ARENA_NEW(&eq->arena, n, Expr), *unused = ARENA_NEW(&eq->arena, n + r, Expr);
    Expr *s = ARENA_NEW(&eq->arena, r, Expr), *mu = ARENA_NEW(&eq->arena, r, Expr);
    KktSystem system;
    KktSolution solution = {.vdot = eq->v, .lambda = mu, .regularity = unused};

    kkt_of_model(&system, eq->pool, model, options->rows, r, &eq->arena);
    if (arena_failed(&eq->arena))
        return arena_status(&eq->arena, err);
    /* values of the constraints and of L_v at zero velocities */
    for (size_t k = 0; k < r; k++)
        s[k] = model->constraints[options->rows[k]].phi;
    expr_substitute(eq->pool, s, r, model->sym.v, NULL, n, s);
    expr_substitute(eq->pool, model->p, n, model->sym.v, NULL, n, gap);
    for (size_t i = 0; i < n; i++)
        gap[i] = expr_sub(eq->pool, p[i], gap[i]);
    system.b = gap;
    system.psi = s;
    return eliminate_solve(eq->pool, &system, ELIMINATE_PIVOTED, &solution)
               ? OK
               : elimination_misfit(ELIMINATE_PIVOTED, err);
}

/* Whether the constraints take part in the inversion. */
static bool takes_constraints(const Model *model, const MotionOptions *options, bool natural)
{
    return natural && options->elimination == ELIMINATE_PIVOTED && options->n_rows &&
           model_is_linear(model, options->rows, options->n_rows);
}

static Status invert_legendre(const Model *model, const MotionOptions *options, const Expr *p,
                              Equations *eq, bool *ret_with_constraints, Error *err)
{
    const size_t n = model->n;
    bool natural = true;
    Status status = hamiltonian_is_natural(model, &natural, err);

    *ret_with_constraints = status == OK && takes_constraints(model, options, natural);
    if (*ret_with_constraints)
        return invert_with_constraints(model, options, p, eq, err);
    if (status == OK && !natural)
        status = equations_implicit(eq, n, err);
    if (status != OK)
        return status;
    /* Newton steps, one if L is quadratic in v */
    for (size_t i = 0; i < n; i++)
        eq->v[i] = natural ? expr_const(eq->pool, 0) : eq->guess[i];
    for (int k = 0; k < (natural ? 1 : NEWTON_STEPS); k++)
        hamiltonian_newton_step(eq->pool, model, options->elimination, p, eq->v, &eq->arena);
    for (size_t i = 0; !natural && i < n; i++) {
        eq->implicit[i] = eq->v[i];
        eq->implicit_start[i] = model->sym.v[i];
    }
    return arena_status(&eq->arena, err);
}

/* Terms in the model's velocities, until those of p replace them: one block, in this order. */
typedef struct Terms {
    size_t count;
    Expr *vdot;       /* n */
    Expr *lambda;     /* r */
    Expr *regularity; /* n + r */
    Expr *rate;       /* n: L_q + F + A^T lambda */
    Expr *power;      /* 1 */
} Terms;

/* Accelerations, multipliers, pdot and power at (q, v); `mass_alone`: M itself is inverted. */
static Status derive_terms(const Model *model, const MotionOptions *options, bool mass_alone,
                           Terms *terms, Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    const bool pivoted = options->elimination == ELIMINATE_PIVOTED;
    ExprPool *pool = eq->pool;
    KktSystem system;

    *terms = (Terms){.count = 3 * n + 2 * r + 1};
    terms->vdot = ARENA_NEW(&eq->arena, terms->count, Expr);
    kkt_of_model(&system, pool, model, options->rows, r, &eq->arena);
    if (arena_failed(&eq->arena))
        return arena_status(&eq->arena, err);
    terms->lambda = terms->vdot + n;
    terms->regularity = terms->lambda + r;
    terms->rate = terms->regularity + n + r;
    terms->power = terms->rate + n;
    KktSolution solution = {
        .vdot = terms->vdot, .lambda = terms->lambda, .regularity = terms->regularity};
    if (!eliminate_solve(pool, &system, options->elimination, &solution))
        return elimination_misfit(options->elimination, err);
    if (pivoted && r && mass_alone) /* M alone may be worse conditioned than the whole system */
        terms->regularity[solution.n_regularity++] =
            expr_rcond(pool, expr_factor_saddle(pool, n, 0, model->M));
    eq->n_regularity = solution.n_regularity;
    expr_gradient(pool, model->L, model->sym.q, n, terms->rate);
    for (size_t i = 0; i < n; i++) {
        terms->rate[i] = expr_add(pool, terms->rate[i], model->F[i]);
        for (size_t k = 0; k < r; k++)
            terms->rate[i] = expr_add(pool, terms->rate[i],
                                      expr_mul(pool, system.A[k * n + i], terms->lambda[k]));
    }
    *terms->power =
        equations_power(pool, model, options,
                        &(PowerTerms){model->F, model->L_t, system.A, model->sym.v, terms->lambda});
    return OK;
}

/* Substitutes the velocities that belong to p into the terms, and copies these to the equations. */
static void place_terms(const Model *model, const Terms *terms, Equations *eq)
{
    const size_t n = model->n;

    for (size_t i = eq->n_regularity; i < n + eq->n_rows; i++)
        terms->regularity[i] = expr_const(eq->pool, 1);
    expr_substitute(eq->pool, terms->vdot, terms->count, model->sym.v, eq->v, n, terms->vdot);
    memcpy(eq->vdot, terms->vdot, n * sizeof *eq->vdot);
    memcpy(eq->lambda, terms->lambda, eq->n_rows * sizeof *eq->lambda);
    memcpy(eq->regularity, terms->regularity, eq->n_regularity * sizeof *eq->regularity);
    memcpy(eq->rates, eq->v, n * sizeof *eq->rates);
    memcpy(eq->rates + n, terms->rate, n * sizeof *eq->rates);
    eq->power = *terms->power;
}

static Status name_columns(const Model *model, Equations *eq, Error *err)
{
    Status status = equations_columns(eq, model->n, err);

    for (size_t i = 0; status == OK && i < model->n; i++) {
        eq->own[i] = eq->state[model->n + i];
        eq->own_names[i] = arena_printf(&eq->arena, "p(%s)", model->names.coordinates[i]);
    }
    return status == OK ? equations_status(eq, err) : status;
}

static Status hamiltonian_derive(const Model *model, const MotionOptions *options, Equations *eq,
                                 Error *err)
{
    const size_t n = model->n;
    Terms terms;
    bool with_constraints = false;
    Status status = equations_init(eq, model, options->n_rows, 2 * n, err);
    if (status != OK)
        return status;
    /* L D L^T of M itself is sound if that of the Schur complement is */
    if (options->elimination != ELIMINATE_SCHUR && options->elimination != ELIMINATE_PIVOTED)
        return elimination_misfit(options->elimination, err);

    Expr *p = eq->state + n;
    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = eq->restate[i] = model->sym.q[i];
        p[i] = equations_symbol(eq);
        eq->restate[n + i] = model->p[i];
    }
    status = invert_legendre(model, options, p, eq, &with_constraints, err);
    if (status == OK)
        status = derive_terms(model, options, !with_constraints, &terms, eq, err);
    if (status != OK)
        return status;
    place_terms(model, &terms, eq);
    return name_columns(model, eq, err);
}

const Formulation formulation_hamiltonian = {
    .name = "hamiltonian",
    .title = "Hamilton's equations with multipliers",
    .columns = {"p(*)"},
    .keeps_momenta = true,
    .check = hamiltonian_check,
    .present = hamiltonian_present,
    .derive = hamiltonian_derive,
};
