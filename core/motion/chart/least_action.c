/* Hamilton's principle between two ends. The stationary path is a motion of Lagrange's equations,
 * with multipliers for holonomic constraints, or in a chart that solves them if the ends are given
 * in it. The difference is in the start: core/prepare/boundary.h. */
#include "core/motion/chart/chart.h"

enum { WITH_MULTIPLIERS = 0, IN_CHART }; /* MotionOptions.choice */

static Status check_chart(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const size_t m = question->model->given.chart.n;
    const size_t freedoms = question->model->n - question->options->n_rows;

    if (m != freedoms) {
        diagnostics_add(diag, "/boundary/start/chart", -1, "give both ends under \"q\"",
                        "degrees of freedom: %zu, coordinates of the chart: %zu; a path is looked "
                        "for in charts that leave no constraint",
                        freedoms, m);
        return error_set(err, ERR_INVALID, "the chart does not solve the constraints");
    }
    return chart_check_map(question, diag, err);
}

static Status least_action_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
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
                "a force acts on %s, which the action does not know", model->names.coordinates[i]);
        }
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "no problem of least action");
    /* ends in the model's coordinates: the equations with multipliers */
    if (!question->chart)
        return OK;
    if (question->answer)
        question->answer->choice = IN_CHART;
    return check_chart(question, diag, err);
}

static Status least_action_derive(const Model *model, const MotionOptions *options,
                                  Equations *equations, Error *err)
{
    return options->choice == IN_CHART
               ? chart_derive(model, options, equations, err)
               : formulation_lagrange_dalembert.derive(model, options, equations, err);
}

static Status least_action_locate(const MotionQuestion *question, double *y, Diagnostics *diag,
                                  Error *err)
{
    return question->chart ? chart_locate(question, y, diag, err) : OK; /* (q, v) needs no guess */
}

const Formulation formulation_least_action = {
    .name = "least-action",
    .title = "Hamilton's principle between two ends",
    .check = least_action_check,
    .derive = least_action_derive,
    .locate = least_action_locate,
};
