/* Equations of motion in a chart: the state is (x, xdot) (B. Jovanovic, on holonomic systems and
 * d'Alembert's principle; docs/explanation/formulations/intrinsic.md, moving-frame.md).
 *
 *     M' xddot + l' = F' + A'^T lambda',   A' xddot + psi' = 0        for the constraints left
 *     vdot = Q_x xddot + c,   c = D/Dt (Q_x xdot + Q_t) at xddot = 0
 *     R = M vdot + l - F
 *
 * The multipliers lambda' are the model's own. Those of the built-in constraints follow from the
 * rest of R, which lies in the span of their rows B:
 *
 *     (B B^T) lambda = B (R - A^T lambda') */
#include <stdint.h>
#include <string.h>

#include "core/motion/algebra/symmetric.h"
#include "core/motion/chart/chart.h"

/* Without constraints left, M' is positive if M is on the built-in ones: L D L^T is enough. */
static bool solve_in_chart(ExprPool *pool, const KktSystem *system, Elimination elimination,
                           KktSolution *solution)
{
    if (system->r > 0 || elimination == ELIMINATE_PIVOTED)
        return eliminate_solve(pool, system, elimination, solution);
    return elimination == ELIMINATE_NULL_SPACE &&
           eliminate_solve(pool, system, ELIMINATE_SCHUR, solution);
}

/* xddot, and the multipliers of the constraints left. */
static Status accelerations(const Chart *chart, Equations *eq, Expr *xddot, Error *err)
{
    const size_t m = chart->map.m;
    const Elimination elimination = chart->options->elimination;
    Expr *b = ARENA_NEW(&eq->arena, m, Expr);
    Expr *lambda = ARENA_NEW(&eq->arena, chart->n_left, Expr);
    if (arena_failed(&eq->arena))
        return arena_status(&eq->arena, err);

    for (size_t k = 0; k < m; k++)
        b[k] = expr_sub(eq->pool, chart->F[k], chart->elements.l[k]);
    /* M' xddot = b + A'^T lambda', A' xddot + psi' = 0 */
    KktSystem system = {.n = m,
                        .r = chart->n_left,
                        .M = chart->elements.M,
                        .b = b,
                        .A = chart->A,
                        .psi = chart->psi};
    KktSolution solution = {.vdot = xddot, .lambda = lambda, .regularity = eq->regularity};
    if (!solve_in_chart(eq->pool, &system, elimination, &solution))
        return elimination_misfit(elimination, err);
    for (size_t k = 0; k < chart->n_left; k++)
        eq->lambda[chart->left[k]] = lambda[k];
    eq->n_regularity = solution.n_regularity;
    return OK;
}

/* q, v, and vdot = J xddot + c. */
static void motion_of_model(const Chart *chart, Equations *eq, const Expr *xddot)
{
    const size_t n = chart->map.n, m = chart->map.m;

    chart_rate(chart, chart->map.v, n, eq->vdot);
    for (size_t i = 0; i < n; i++) {
        eq->q[i] = chart->map.Q[i];
        eq->v[i] = chart->map.v[i];
        Expr own = expr_dot(eq->pool, m, chart->map.J + i * m, xddot);
        eq->vdot[i] = expr_add(eq->pool, eq->vdot[i], own);
    }
}

/* The model's M, l, F, rows of A in use and L_t at the chart's point: n x n, n, n, n_rows x n, 1,
 * one after the other; NULL if out of memory. */
static Expr *pull_model(const Chart *chart, Arena *arena)
{
    const Model *model = chart->model;
    const size_t n = model->n, r = chart->options->n_rows, count = n * n + 2 * n + r * n + 1;
    Expr *all = ARENA_NEW(arena, count, Expr);
    if (!all)
        return NULL;

    memcpy(all, model->M, n * n * sizeof *all);
    memcpy(all + n * n, model->l, n * sizeof *all);
    memcpy(all + n * n + n, model->F, n * sizeof *all);
    for (size_t k = 0; k < r; k++)
        memcpy(all + n * n + 2 * n + k * n, model->A + chart->options->rows[k] * n,
               n * sizeof *all);
    all[count - 1] = model->L_t;
    chart_pull(chart, all, count, all);
    return all;
}

/* R = M vdot + l - F, minus the part of the constraints left. */
static void remaining_reaction(const Chart *chart, const Equations *eq, const Expr *pulled,
                               Expr *rest)
{
    const size_t n = chart->map.n;
    const Expr *M = pulled, *l = M + n * n, *F = l + n, *A = F + n;

    for (size_t i = 0; i < n; i++) {
        Expr known = expr_sub(eq->pool, l[i], F[i]);
        rest[i] = expr_add(eq->pool, expr_dot(eq->pool, n, M + i * n, eq->vdot), known);
        for (size_t k = 0; k < chart->n_left; k++) {
            const size_t row = chart->left[k];
            Expr part = expr_mul(eq->pool, A[row * n + i], eq->lambda[row]);
            rest[i] = expr_sub(eq->pool, rest[i], part);
        }
    }
}

/* (B B^T) x = B rest, unrolled if it is small. */
static Status built_in_multipliers(const Chart *chart, Equations *eq, const Expr *pulled,
                                   Error *err)
{
    enum { UNROLL_MAX = 4 };
    const size_t n = chart->map.n, r = chart->options->n_rows, b = r - chart->n_left;
    const Expr *A = pulled + n * n + 2 * n;
    Expr *B = ARENA_NEW(&eq->arena, b * n, Expr), *G = ARENA_NEW(&eq->arena, b * b, Expr);
    Expr *x = ARENA_NEW(&eq->arena, b, Expr), *rest = ARENA_NEW(&eq->arena, n, Expr);
    Symmetric gram;
    size_t count = 0;
    if (b == 0 || arena_failed(&eq->arena))
        return arena_status(&eq->arena, err);

    remaining_reaction(chart, eq, pulled, rest);
    for (size_t k = 0; k < r; k++)
        if (chart->built_in[k])
            memcpy(B + count++ * n, A + k * n, n * sizeof *B);
    /* normal equations: G = B B^T, x = B times the remaining reaction */
    for (size_t i = 0; i < b; i++) {
        x[i] = expr_dot(eq->pool, n, B + i * n, rest);
        for (size_t j = 0; j < b; j++)
            G[i * b + j] = expr_dot(eq->pool, n, B + i * n, B + j * n);
    }
    if (!lagrangian_shorten(eq->pool, &chart->symbols, G, b * b))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    symmetric_init(&gram, eq->pool, b, G, b > UNROLL_MAX, &eq->arena);
    symmetric_solve(&gram, x, x);
    count = 0;
    for (size_t k = 0; k < r; k++)
        if (chart->built_in[k])
            eq->lambda[k] = x[count++];
    return OK;
}

/* One Gauss-Newton step for x, and xdot at the guess of x. Both are corrections, so that the error
 * of the normal equations decays. The regularity is the reciprocal condition of J if J is square,
 * otherwise that of J^T J, which is its square. */
static void restate(const Chart *chart, Equations *eq)
{
    const size_t n = chart->map.n, m = chart->map.m;
    const Expr *J = chart->map.J;
    ExprPool *pool = eq->pool;
    Expr *N = ARENA_NEW(&eq->arena, m * m, Expr), *column = ARENA_NEW(&eq->arena, n, Expr);
    Expr *dx = ARENA_NEW(&eq->arena, 2 * m, Expr);
    Expr *dq = ARENA_NEW(&eq->arena, n, Expr), *dv = ARENA_NEW(&eq->arena, n, Expr);
    if (arena_failed(&eq->arena))
        return;

    /* J dx = q - Q, J dxdot = v - Q_x xdot - Q_t: if J is not square, by normal equations */
    for (size_t i = 0; i < n; i++) {
        dq[i] = expr_sub(pool, chart->model->sym.q[i], chart->map.Q[i]);
        dv[i] = expr_sub(pool, chart->model->sym.v[i], chart->map.v[i]);
    }
    if (m == n) {
        memcpy(N, J, n * n * sizeof *N);
        memcpy(dx, dq, n * sizeof *dx);
        memcpy(dx + n, dv, n * sizeof *dx);
    } else {
        for (size_t k = 0; k < m; k++) {
            for (size_t i = 0; i < n; i++)
                column[i] = J[i * m + k];
            dx[k] = expr_dot(pool, n, column, dq);
            dx[m + k] = expr_dot(pool, n, column, dv);
            for (size_t j = 0; j < m; j++) {
                N[k * m + j] = expr_const(pool, 0);
                for (size_t i = 0; i < n; i++)
                    N[k * m + j] =
                        expr_add(pool, N[k * m + j], expr_mul(pool, column[i], J[i * m + j]));
            }
        }
    }
    Expr factor = expr_factor(pool, m, N);
    expr_solve(pool, factor, m, dx, dx);
    expr_solve(pool, factor, m, dx + m, dx + m);
    for (size_t k = 0; k < 2 * m; k++)
        eq->restate[k] = expr_add(pool, eq->state[k], dx[k]);
    eq->regularity[eq->n_regularity++] = expr_rcond(pool, factor);
}

/* The chart's coordinates and velocities that are not the model's own, then t' if it differs. */
static Status take_columns(const Chart *chart, Equations *eq, Error *err)
{
    const Model *model = chart->model;
    const size_t m = chart->map.m;
    size_t count = 0, c = 0;

    for (size_t k = 0; k < m; k++)
        count += chart_identity(model, k) == SIZE_MAX;
    const bool clock = model->given.chart.clock != 0;
    Status status = equations_columns(eq, 2 * count + clock, err);
    if (status != OK)
        return status;
    /* coordinates first, each velocity `count` places behind its coordinate */
    for (size_t k = 0; k < m; k++) {
        if (chart_identity(model, k) != SIZE_MAX)
            continue;
        const char *name = chart_name(model, k, &eq->arena);
        eq->own_names[c] = name;
        eq->own_names[count + c] = arena_printf(&eq->arena, "dot(%s)", name ? name : "");
        eq->own[c] = model->given.chart.x[k];
        eq->own[count + c] = model->given.chart.xdot[k];
        c++;
    }
    if (clock) {
        eq->own_names[2 * count] = "t'";
        eq->own[2 * count] =
            expr_sub(eq->pool, model->sym.t, expr_const(eq->pool, model->given.chart.clock));
    }
    return equations_status(eq, err);
}

static Status write_equations(const Chart *chart, Equations *eq, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m, r = chart->options->n_rows;
    const Expr *pulled = pull_model(chart, &eq->arena);
    if (!pulled)
        return arena_status(&eq->arena, err);

    for (size_t k = 0; k < m; k++) {
        eq->state[k] = chart->symbols.q[k];
        eq->state[m + k] = eq->rates[k] = chart->symbols.v[k];
    }
    Status status = accelerations(chart, eq, eq->rates + m, err);
    if (status == OK) {
        motion_of_model(chart, eq, eq->rates + m);
        status = built_in_multipliers(chart, eq, pulled, err);
    }
    if (status != OK)
        return status;
    /* power, the way back from q and v, and columns */
    const Expr *F = pulled + n * n + n, *A = F + n;
    eq->power = equations_power(eq->pool, chart->model, chart->options,
                                &(PowerTerms){F, A[r * n], A, eq->v, eq->lambda});
    restate(chart, eq);
    return take_columns(chart, eq, err);
}

Status chart_derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const size_t m = model->given.chart.n;
    Chart chart = {0};
    Status status = equations_init(eq, model, options->n_rows, 2 * m, err);

    if (status == OK)
        status = chart_init(&chart, eq->pool, model, options, EXPR_NONE, err);
    if (status == OK && m != model->n - (options->n_rows - chart.n_left))
        status = error_set(err, ERR_INVALID,
                           "a chart of %zu coordinates does not fit the constraints", m);
    if (status == OK)
        status = chart_dynamics(&chart, err);
    if (status == OK)
        status = write_equations(&chart, eq, err);
    chart_done(&chart);
    return status;
}
