/* The equations of a chart, printed under the names of their columns. */
#include "core/motion/chart/chart.h"

#include <stdint.h>
#include <string.h>

/* The chart's symbols print under the names of their columns (chart_name). */
static void name_coordinate(ChartPrinter *p, size_t k)
{
    const Model *model = p->chart.model;
    const char *name = model->given.chart.names[k], *column = chart_name(model, k, p->out->arena);
    const bool primed = column && strcmp(column, name) != 0;

    if (!primed) {
        p->xddot[k] = presentation_symbol(p->out, "ddot(@)", "\\ddot{@}", &name);
        return;
    }
    p->xddot[k] = presentation_symbol(p->out, "ddot(@')", "\\ddot{@}'", &name);
    p->from[p->n_renamed] = model->given.chart.x[k];
    p->to[p->n_renamed++] = presentation_symbol(p->out, "@'", "@'", &name);
    p->from[p->n_renamed] = model->given.chart.xdot[k];
    p->to[p->n_renamed++] = presentation_symbol(p->out, "dot(@')", "\\dot{@}'", &name);
}

/* For a chart with fewer coordinates than the model, or with as many; ERR_INVALID for any other. */
static Status printer_init(ChartPrinter *p, const Model *model, const MotionOptions *options,
                           bool fewer, Presentation *out, Error *err)
{
    const size_t m = model->given.chart.n;

    *p = (ChartPrinter){.out = out};
    if (m == 0 || (m < model->n) != fewer)
        return error_set(err, ERR_INVALID,
                         "this formulation needs a \"chart\" with %s coordinates in the model",
                         fewer ? "fewer" : "as many");
    /* time has a symbol of its own if the clock differs */
    if (model->given.chart.clock != 0)
        p->time = presentation_symbol(out, "t'", "t'", NULL);
    Status status = chart_init(&p->chart, out->pool, model, options, p->time, err);
    if (status == OK)
        status = chart_dynamics(&p->chart, err);
    if (status != OK)
        return status;
    p->xddot = ARENA_NEW(out->arena, m, Expr);
    p->from = ARENA_NEW(out->arena, 2 * m, Expr);
    p->to = ARENA_NEW(out->arena, 2 * m, Expr);
    if (arena_failed(out->arena))
        return arena_status(out->arena, err);
    for (size_t k = 0; k < m; k++)
        name_coordinate(p, k);
    return presentation_status(out, err);
}

void chart_print(ChartPrinter *p, const char *role, const char *name, Expr lhs, Expr rhs)
{
    Expr sides[2] = {lhs, rhs};

    expr_substitute(p->out->pool, sides, 2, p->from, p->to, p->n_renamed, sides);
    presentation_add(p->out, role, name, sides[0], sides[1]);
}

static bool is_identity(const Model *model, size_t i)
{
    bool found = false;

    for (size_t k = 0; k < model->given.chart.n; k++)
        found = found || chart_identity(model, k) == i;
    return found;
}

/* q = Q(x, t'), t = t' + clock. Coordinates that equal their namesakes are left out. */
static void print_map(ChartPrinter *p)
{
    const Model *model = p->chart.model;

    for (size_t i = 0; i < model->n; i++) {
        if (is_identity(model, i))
            continue;
        chart_print(p, "chart", model->names.coordinates[i], model->sym.q[i], p->chart.map.Q[i]);
    }
    if (!expr_is_none(p->time))
        presentation_add(p->out, "chart", "t", model->sym.t, p->chart.to[2 * model->n]);
}

/* M' xddot + l' = F' + A'^T lambda */
static void print_equation_of_motion(ChartPrinter *p, size_t k, const char *name)
{
    const Chart *chart = &p->chart;
    const size_t m = chart->map.m;
    ExprPool *pool = p->out->pool;
    Expr inertia = expr_dot(pool, m, chart->elements.M + k * m, p->xddot);
    Expr rhs = chart->F[k];

    for (size_t j = 0; j < chart->n_left; j++) {
        Expr lambda = chart->model->sym.lambda[chart->options->rows[chart->left[j]]];
        rhs = expr_add(pool, rhs, expr_mul(pool, chart->A[j * m + k], lambda));
    }
    chart_print(p, "motion in the chart", name, expr_add(pool, inertia, chart->elements.l[k]), rhs);
}

static Status print_motion(ChartPrinter *p, Error *err)
{
    const Chart *chart = &p->chart;
    const Model *model = chart->model;
    const size_t m = chart->map.m;
    const Expr zero = expr_const(p->out->pool, 0);

    print_map(p);
    chart_print(p, "Lagrangian in the chart", "l", chart->L, EXPR_NONE);
    for (size_t k = 0; k < m; k++) {
        const char *name = chart_name(model, k, p->out->arena);
        if (!expr_is_zero(p->out->pool, chart->F[k]))
            chart_print(p, "force in the chart", name, chart->F[k], EXPR_NONE);
    }
    for (size_t j = 0; j < chart->n_left; j++) {
        const Constraint *c = &model->constraints[chart->options->rows[chart->left[j]]];
        Expr equation = chart->phi[j];
        /* show a holonomic constraint itself, not its rate */
        if (c->kind == CONSTRAINT_HOLONOMIC)
            chart_pull(chart, &c->f, 1, &equation);
        chart_print(p, "constraint in the chart", c->name, equation, zero);
    }
    for (size_t k = 0; k < m; k++)
        print_equation_of_motion(p, k, chart_name(model, k, p->out->arena));
    return presentation_status(p->out, err);
}

Status chart_present(const Model *model, const MotionOptions *options, bool fewer,
                     Status (*print_more)(ChartPrinter *printer, Error *err), Presentation *out,
                     Error *err)
{
    ChartPrinter printer;
    Status status = printer_init(&printer, model, options, fewer, out, err);

    if (status == OK)
        status = print_motion(&printer, err);
    if (status == OK && print_more)
        status = print_more(&printer, err);
    chart_done(&printer.chart);
    return status;
}
