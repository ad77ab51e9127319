/* Hamilton's principle between two ends: the stationary path is a motion of Lagrange's equations,
 * with multipliers for holonomic constraints. What distinguishes it is how it starts:
 * core/simulation/boundary.h. */
#include "core/motion/motion.h"

static Status check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    size_t before = diag->total;

    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        if (c->kind != CONSTRAINT_HOLONOMIC)
            diagnostics_add(
                diag, "/formulation", -1,
                "choose lagrange-dalembert (mechanics) or vakonomic (stationary action)",
                "the %s constraint %s is not holonomic: its motions do not make the "
                "action stationary",
                constraint_kind_name(c->kind), c->name);
    }
    for (size_t i = 0; i < model->n; i++)
        if (!expr_is_zero(model->pool, model->F[i])) {
            diagnostics_add(
                diag, "/formulation", -1, "put forces with a potential into the Lagrangian",
                "a force acts on %s, which the action does not know", model->coordinate_names[i]);
        }
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "no problem of least action");
}

static Status derive(const Model *model, const MotionOptions *options, Equations *equations,
                     Error *err)
{
    return formulation_lagrange_dalembert.derive(model, options, equations, err);
}

const Formulation formulation_least_action = {
    .name = "least-action",
    .title = "Hamilton's principle between two ends",
    .check = check,
    .derive = derive,
};
