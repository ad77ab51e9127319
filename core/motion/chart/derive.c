/* Equations of motion in a chart: the state is (x, xdot).
 *
 *     M' xddot + l' = F' + A'^T lambda',   A' xddot + psi' = 0        for the constraints left
 *     vdot = Q_x xddot + c,   c = D/Dt (Q_x xdot + Q_t) at xddot = 0
 *     R = M vdot + l - F
 *
 * The multipliers lambda' are the model's own. Those of the constraints that are built in follow
 * from what the others leave of R, which lies in the span of their rows B:
 *
 *     (B B^T) lambda = B (R - A^T lambda')
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/algebra/ldl.h"
#include "core/motion/chart/chart.h"

static Status no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory for equations in a chart");
}

/* Without constraints left M' is positive wherever M is on those that are built in: then L D L^T of
 * it takes the place of the null space. */
static bool solve(ExprPool *pool, const KktSystem *system, Elimination elimination,
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
    Expr *b = alloc_array(m + chart->n_left, sizeof *b), *lambda = b + m;
    if (!b)
        return no_memory(err);

    for (size_t k = 0; k < m; k++)
        b[k] = expr_sub(eq->pool, chart->F[k], chart->elements.l[k]);
    KktSystem system = {.n = m,
                        .r = chart->n_left,
                        .M = chart->elements.M,
                        .b = b,
                        .A = chart->A,
                        .psi = chart->psi};
    KktSolution solution = {.vdot = xddot, .lambda = lambda, .regularity = eq->regularity};
    bool solved = solve(eq->pool, &system, elimination, &solution);
    for (size_t k = 0; k < chart->n_left && solved; k++)
        eq->lambda[chart->left[k]] = lambda[k];
    eq->n_regularity = solution.n_regularity;
    free(b);
    if (solved)
        return OK;
    return error_set(err, ERR_NOT_FOUND, "the elimination '%s' does not fit this chart",
                     elimination_name(elimination));
}

/* q, v, and vdot = J xddot + c. */
static Status motion_of_model(const Chart *chart, Equations *eq, const Expr *xddot, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m;
    Expr *moving = alloc_array(2 * (m + 1), sizeof *moving), *rates = moving + m + 1;
    if (!moving)
        return no_memory(err);

    memcpy(moving, chart->symbols.q, m * sizeof *moving);
    memcpy(rates, chart->symbols.v, m * sizeof *rates);
    moving[m] = chart->symbols.t;
    rates[m] = expr_const(eq->pool, 1);
    expr_directional(eq->pool, chart->map.v, n, moving, rates, m + 1, eq->vdot);
    for (size_t i = 0; i < n; i++) {
        eq->q[i] = chart->map.Q[i];
        eq->v[i] = chart->map.v[i];
        Expr own = expr_dot(eq->pool, m, chart->map.J + i * m, xddot);
        eq->vdot[i] = expr_add(eq->pool, eq->vdot[i], own);
    }
    free(moving);
    return OK;
}

/* The model's M, l, F and rows of A in use at the chart's point: n x n, n, n, n_rows x n; heap. */
static Expr *pull_model(const Chart *chart)
{
    const Model *model = chart->model;
    const size_t n = model->n, r = chart->options->n_rows;
    Expr *all = alloc_array(n * n + 2 * n + r * n, sizeof *all);

    if (all) {
        memcpy(all, model->M, n * n * sizeof *all);
        memcpy(all + n * n, model->l, n * sizeof *all);
        memcpy(all + n * n + n, model->F, n * sizeof *all);
        for (size_t k = 0; k < r; k++)
            memcpy(all + n * n + 2 * n + k * n, model->A + chart->options->rows[k] * n,
                   n * sizeof *all);
        chart_pull(chart, all, n * n + 2 * n + r * n, all);
    }
    return all;
}

/* R = M vdot + l - F, less what the constraints left make of it. */
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

/* x = G^-1 x for a positive definite G: unrolled where it is small. */
static bool solve_gram(ExprPool *pool, size_t n, const Expr *G, Expr *x)
{
    enum { UNROLL_MAX = 4 };

    if (n > UNROLL_MAX) {
        expr_solve(pool, expr_factor(pool, n, G), n, x, x);
        return true;
    }
    Ldl *ldl = ldl_new(pool, n, G);
    bool ok = ldl && ldl_solve(pool, ldl, x, x);
    ldl_free(ldl);
    return ok;
}

static Status built_in_multipliers(const Chart *chart, Equations *eq, const Expr *pulled,
                                   Error *err)
{
    const size_t n = chart->map.n, r = chart->options->n_rows, b = r - chart->n_left;
    const Expr *A = pulled + n * n + 2 * n;
    Expr *work = alloc_array(b * n + b * b + b + n, sizeof *work);
    if (!work)
        return no_memory(err);

    Expr *B = work, *G = B + b * n, *x = G + b * b, *rest = x + b;
    size_t count = 0;
    remaining_reaction(chart, eq, pulled, rest);
    for (size_t k = 0; k < r; k++)
        if (chart->built_in[k])
            memcpy(B + count++ * n, A + k * n, n * sizeof *B);
    for (size_t i = 0; i < b; i++) {
        x[i] = expr_dot(eq->pool, n, B + i * n, rest);
        for (size_t j = 0; j < b; j++)
            G[i * b + j] = expr_dot(eq->pool, n, B + i * n, B + j * n);
    }
    bool ok =
        lagrangian_shorten(eq->pool, &chart->symbols, G, b * b) && solve_gram(eq->pool, b, G, x);
    count = 0;
    for (size_t k = 0; k < r && ok; k++)
        if (chart->built_in[k])
            eq->lambda[k] = x[count++];
    free(work);
    return ok ? OK : no_memory(err);
}

/* F.v + R.v - L_t; on phi = 0 homogeneous constraints do no work. */
static void power(const Chart *chart, Equations *eq, const Expr *pulled)
{
    const Model *model = chart->model;
    const size_t n = model->n;
    const Expr *F = pulled + n * n + n, *A = F + n;
    Expr L_t;

    chart_pull(chart, &model->L_t, 1, &L_t);
    eq->power = expr_sub(eq->pool, expr_dot(eq->pool, n, F, eq->v), L_t);
    for (size_t k = 0; k < chart->options->n_rows; k++) {
        if (model->constraints[chart->options->rows[k]].homogeneous)
            continue;
        Expr rate = expr_dot(eq->pool, n, A + k * n, eq->v);
        eq->power = expr_add(eq->pool, eq->power, expr_mul(eq->pool, eq->lambda[k], rate));
    }
}

/* One Gauss-Newton step for x, and the xdot that goes with the guess of x; both in the form of a
 * correction, so that the error of the normal equations dies out. The regularity is the reciprocal
 * condition of J where it is square, else that of J^T J, the square of it. */
static Status restate(const Chart *chart, Equations *eq, Error *err)
{
    const size_t n = chart->map.n, m = chart->map.m;
    const Expr *J = chart->map.J;
    ExprPool *pool = eq->pool;
    Expr *work = alloc_array(m * m + 2 * n + 2 * m + n, sizeof *work);
    if (!work)
        return no_memory(err);

    Expr *N = work, *dq = N + m * m, *dv = dq + n, *dx = dv + n, *column = dx + 2 * m;
    for (size_t i = 0; i < n; i++) {
        dq[i] = expr_sub(pool, chart->model->q[i], chart->map.Q[i]);
        dv[i] = expr_sub(pool, chart->model->v[i], chart->map.v[i]);
    }
    if (m == n) {
        memcpy(N, J, n * n * sizeof *N);
        memcpy(dx, dq, 2 * n * sizeof *dx);
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
    free(work);
    return OK;
}

/* The chart's coordinates and velocities that are not the model's own, then t' if it differs. */
static Status columns(const Chart *chart, Equations *eq, Error *err)
{
    const Model *model = chart->model;
    const size_t m = chart->map.m;
    size_t count = 0, c = 0;

    for (size_t k = 0; k < m; k++)
        count += chart_identity(model, k) == SIZE_MAX;
    const bool clock = model->chart.clock != 0;
    Status status = equations_columns(eq, 2 * count + clock, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < m; k++) {
        if (chart_identity(model, k) != SIZE_MAX)
            continue;
        const char *name = chart_name(model, k, eq->arena);
        eq->own_names[c] = name;
        eq->own_names[count + c] = name ? arena_printf(eq->arena, "dot(%s)", name) : NULL;
        eq->own[c] = model->chart.x[k];
        eq->own[count + c] = model->chart.xdot[k];
        c++;
    }
    if (clock) {
        eq->own_names[2 * count] = arena_strdup(eq->arena, "t'");
        eq->own[2 * count] = expr_sub(eq->pool, model->t, expr_const(eq->pool, model->chart.clock));
    }
    for (size_t k = 0; k < eq->n_own; k++)
        if (!eq->own_names[k])
            return no_memory(err);
    return OK;
}

static Status write_equations(const Chart *chart, Equations *eq, Error *err)
{
    const size_t m = chart->map.m;
    Expr *pulled = pull_model(chart);
    if (!pulled)
        return no_memory(err);

    for (size_t k = 0; k < m; k++) {
        eq->state[k] = chart->symbols.q[k];
        eq->state[m + k] = eq->rates[k] = chart->symbols.v[k];
    }
    Status status = accelerations(chart, eq, eq->rates + m, err);
    if (status == OK)
        status = motion_of_model(chart, eq, eq->rates + m, err);
    if (status == OK && chart->n_left < chart->options->n_rows)
        status = built_in_multipliers(chart, eq, pulled, err);
    if (status == OK) {
        power(chart, eq, pulled);
        status = restate(chart, eq, err);
    }
    if (status == OK)
        status = columns(chart, eq, err);
    free(pulled);
    return status;
}

Status chart_derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const size_t m = model->chart.n;
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
