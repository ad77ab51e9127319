/* Lagrange-d'Alembert with multipliers; Chetaev's rule for constraints that are not linear in the
 * velocities.
 *
 *     M vdot + l = F + A^T lambda,   A vdot + psi = 0,   reaction R = A^T lambda
 *
 * The state is (q, v). With Chetaev's rule (N. G. Chetaev, 1932) virtual displacements satisfy
 * phi_v dq = 0, so that A = phi_v serves every kind of constraint. */
#include "core/motion/formulation.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* R.v = lambda.(A v). On phi = 0 it vanishes for every constraint that is homogeneous in the
 * velocities; the others do work. */
static Expr reaction_power(ExprPool *pool, const Model *model, const MotionOptions *options,
                           const Expr *lambda)
{
    Expr power = expr_const(pool, 0);

    for (size_t k = 0; k < options->n_rows; k++) {
        const size_t a = options->rows[k];
        if (model->constraints[a].homogeneous)
            continue;
        Expr rate = expr_dot(pool, model->n, model->A + a * model->n, model->v);
        power = expr_add(pool, power, expr_mul(pool, lambda[k], rate));
    }
    return power;
}

static Status derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    Status status = equations_init(eq, model, r, 2 * n, err);
    if (status != OK)
        return status;

    ExprPool *pool = eq->pool;
    Expr *rows = alloc_array(r * n + r + n, sizeof *rows); /* A, psi of the rows in use; F - l */
    if (!rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Expr *psi = rows + r * n, *b = psi + r;
    for (size_t k = 0; k < r; k++) {
        memcpy(rows + k * n, model->A + options->rows[k] * n, n * sizeof *rows);
        psi[k] = model->constraints[options->rows[k]].psi;
    }
    for (size_t i = 0; i < n; i++)
        b[i] = expr_sub(pool, model->F[i], model->l[i]);

    KktSystem system = {.n = n, .r = r, .M = model->M, .b = b, .A = rows, .psi = psi};
    KktSolution solution = {.vdot = eq->vdot, .lambda = eq->lambda, .regularity = eq->regularity};
    if (!eliminate_solve(pool, &system, options->elimination, &solution)) {
        free(rows);
        return error_set(err, ERR_NOT_FOUND, "the elimination '%s' does not fit this model",
                         elimination_name(options->elimination));
    }
    free(rows);
    eq->n_regularity = solution.n_regularity;

    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = model->q[i];
        eq->state[n + i] = eq->v[i] = model->v[i];
        eq->rates[i] = model->v[i];
        eq->rates[n + i] = eq->vdot[i];
    }
    Expr work = expr_dot(pool, n, model->F, model->v);
    work = expr_add(pool, work, reaction_power(pool, model, options, eq->lambda));
    eq->power = expr_sub(pool, work, model->L_t);
    return OK;
}

const Formulation formulation_lagrange_dalembert = {
    .name = "lagrange-dalembert",
    .title = "Lagrange-d'Alembert with multipliers",
    .derive = derive,
};
