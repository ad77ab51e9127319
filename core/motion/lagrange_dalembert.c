/* Lagrange-d'Alembert with multipliers; Chetaev's rule for constraints that are not linear in the
 * velocities.
 *
 *     M vdot + l = F + A^T lambda,   A vdot + psi = 0,   reaction R = A^T lambda
 *
 * The state is (q, v). With Chetaev's rule (N. G. Chetaev, 1932) virtual displacements satisfy
 * phi_v dq = 0, so that A = phi_v serves every kind of constraint. */
#include "core/motion/formulation.h"

static Status lagrange_dalembert_derive(const Model *model, const MotionOptions *options,
                                        Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    Status status = equations_init(eq, model, r, 2 * n, err);
    if (status != OK)
        return status;

    KktSystem system;
    KktSolution solution = {.vdot = eq->vdot, .lambda = eq->lambda, .regularity = eq->regularity};
    kkt_of_model(&system, eq->pool, model, options->rows, r, &eq->arena);
    status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;
    if (!eliminate_solve(eq->pool, &system, options->elimination, &solution))
        return elimination_misfit(options->elimination, err);
    /* the state is (q, v) itself */
    eq->n_regularity = solution.n_regularity;
    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = model->sym.q[i];
        eq->state[n + i] = eq->v[i] = model->sym.v[i];
        eq->rates[i] = model->sym.v[i];
        eq->rates[n + i] = eq->vdot[i];
    }
    eq->power =
        equations_power(eq->pool, model, options,
                        &(PowerTerms){model->F, model->L_t, system.A, model->sym.v, eq->lambda});
    return equations_status(eq, err);
}

const Formulation formulation_lagrange_dalembert = {
    .name = "lagrange-dalembert",
    .title = "Lagrange-d'Alembert with multipliers",
    .derive = lagrange_dalembert_derive,
};
