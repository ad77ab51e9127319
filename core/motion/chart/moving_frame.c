/* Motion in a moving frame: a chart with as many coordinates as the model, q = g_t(x), and a clock,
 * t = t' + s.
 *
 *     l(x, xdot, t') = L(g x, dg xdot + d_t g, t' + s),   f = dg^T F,   phi' = phi at that point
 *     omega = d_t g at x = g^-1 q,   Omega = dg^-1 omega,   E_l = E_L - p.omega
 *
 * B. Jovanovic, on time-dependent nonholonomic systems, sections 2 and 3. Multipliers are the same
 * in every frame, R' = dg^T R. A frame is distinguished if the constraints S v + s = 0 are
 * homogeneous in it: s + S omega = 0. */
#include "core/motion/chart/moving_frame.h"

#include <string.h>

#include "core/model/identities.h"
#include "core/motion/algebra/symmetric.h"

/* solution = J^-1 b by (J^T J)^-1 J^T b, without pivots: for rotations J^T J is 1. */
static bool solve_frame(const Chart *chart, const Expr *b, Expr *solution, Arena *arena)
{
    const size_t n = chart->map.n;
    const Expr *J = chart->map.J;
    ExprPool *pool = chart->pool;
    Symmetric system;
    Expr *gram = ARENA_NEW(arena, n * n, Expr), *left = ARENA_NEW(arena, n, Expr);
    Expr *right = ARENA_NEW(arena, n, Expr);
    if (arena_failed(arena))
        return false;

    /* J^T J and J^T b */
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j <= k; j++) {
            for (size_t i = 0; i < n; i++) {
                left[i] = J[i * n + k];
                right[i] = J[i * n + j];
            }
            gram[k * n + j] = gram[j * n + k] = expr_dot(pool, n, left, right);
        }
        solution[k] = expr_dot(pool, n, left, b);
    }
    if (!lagrangian_shorten(pool, &chart->symbols, gram, n * n))
        return false;
    symmetric_init(&system, pool, n, gram, false, arena);
    symmetric_solve(&system, solution, solution);
    return lagrangian_shorten(pool, &chart->symbols, solution, n);
}

/* omega as a function of q: g x = J x + g 0, so x = J^-1 (q - g 0). */
static bool affine_velocity(const Chart *chart, Expr *omega, Arena *arena)
{
    const size_t n = chart->map.n;
    Expr *x = ARENA_NEW(arena, n, Expr);
    if (!x)
        return false;

    /* x from q */
    expr_substitute(chart->pool, chart->map.Q, n, chart->symbols.q, NULL, n, omega);
    for (size_t i = 0; i < n; i++)
        omega[i] = expr_sub(chart->pool, chart->model->sym.q[i], omega[i]);
    if (!solve_frame(chart, omega, x, arena))
        return false;
    expr_substitute(chart->pool, chart->map.Q_t, n, chart->symbols.q, x, n, omega);
    const LagrangianSymbols symbols = {.t = chart->symbols.t,
                                       .q = chart->model->sym.q,
                                       .v = chart->model->sym.v,
                                       .n = n,
                                       .params = chart->model->sym.params,
                                       .n_params = chart->model->n_params};
    return lagrangian_shorten(chart->pool, &symbols, omega, n);
}

/* phi'(x, 0, t), 0 if it vanishes. */
static bool take_rest(MovingFrame *fields, const Chart *chart)
{
    Model view = *chart->model;

    view.pool = chart->pool;
    expr_substitute(chart->pool, chart->phi, chart->n_left, chart->symbols.v, NULL, chart->map.m,
                    fields->rest);
    bool ok = lagrangian_shorten(chart->pool, &chart->symbols, fields->rest, chart->n_left);
    for (size_t j = 0; j < chart->n_left && ok; j++)
        if (!expr_is_zero(chart->pool, fields->rest[j]) &&
            identity_zero(&view, &fields->rest[j], 1))
            fields->rest[j] = expr_const(chart->pool, 0);
    return ok;
}

Status moving_frame_init(MovingFrame *fields, const Chart *chart, Error *err)
{
    const size_t n = chart->map.n;
    bool bent = false;

    *fields = (MovingFrame){0};
    Arena *arena = &fields->arena;
    fields->Omega = ARENA_NEW(arena, n, Expr);
    fields->omega = ARENA_NEW(arena, n, Expr);
    fields->rest = ARENA_NEW(arena, chart->n_left, Expr);
    /* g is affine if J does not depend on x */
    Status status = arena_status(arena, err);
    if (status == OK)
        status =
            expr_uses(chart->pool, chart->map.J, n * n, chart->symbols.q, chart->map.m, &bent, err);
    if (status != OK)
        return status;
    fields->affine = !bent;
    memcpy(fields->omega, chart->map.Q_t, n * sizeof *fields->omega);
    if (!solve_frame(chart, chart->map.Q_t, fields->Omega, arena) ||
        (fields->affine && !affine_velocity(chart, fields->omega, arena)) ||
        !take_rest(fields, chart) || arena_failed(arena))
        return error_set(err, ERR_NO_MEMORY, "out of memory for a moving frame");
    return expr_pool_status(chart->pool, err);
}

void moving_frame_done(MovingFrame *fields)
{
    arena_done(&fields->arena);
    *fields = (MovingFrame){0};
}

static Status moving_frame_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    Status status = chart_check_size(question->model, false, diag, err);
    return status == OK ? chart_check_map(question, diag, err) : status;
}

static Status print_fields(ChartPrinter *printer, Error *err)
{
    const Chart *chart = &printer->chart;
    const Model *model = chart->model;
    MovingFrame fields = {0};
    Status status = moving_frame_init(&fields, chart, err);

    /* omega by the model's coordinates, Omega by those of the chart */
    for (size_t i = 0; i < model->n && status == OK; i++)
        chart_print(printer, "velocity of the frame, omega", model->names.coordinates[i],
                    fields.omega[i], EXPR_NONE);
    for (size_t i = 0; i < model->n && status == OK; i++)
        chart_print(printer, "velocity of the frame in itself, Omega",
                    chart_name(model, i, printer->out->arena), fields.Omega[i], EXPR_NONE);
    for (size_t j = 0; j < chart->n_left && status == OK; j++)
        chart_print(printer, "constraint at rest in the frame, s + S omega",
                    model->constraints[chart->options->rows[chart->left[j]]].name, fields.rest[j],
                    EXPR_NONE);
    moving_frame_done(&fields);
    return status == OK ? presentation_status(printer->out, err) : status;
}

static Status moving_frame_present(const Model *model, const MotionOptions *options,
                                   Presentation *presentation, Error *err)
{
    return chart_present(model, options, false, print_fields, presentation, err);
}

const Formulation formulation_moving_frame = {
    .name = "moving-frame",
    .title = "Motion in a moving frame, the coordinates of the chart",
    .chart_columns = true,
    .check = moving_frame_check,
    .present = moving_frame_present,
    .derive = chart_derive,
    .locate = chart_locate,
};
