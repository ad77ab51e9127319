#include "core/invariants/consistency/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/generator.h"
#include "core/motion/algebra/invert.h"
#include "core/numeric/dense.h"

enum { ENOUGH = 32 };

static const double HOLDS = 1e-11, FAILS = 1e-7;

static Status out_of_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

static Expr absolute(ExprPool *pool, Expr e)
{
    return expr_call(pool, EXPR_ABS, &e, 1);
}

/* The problem --------------------------------------------------------------------------------- */

static void fill_row(SectionProblem *c, size_t k)
{
    const Model *model = c->context->model;
    const size_t a = c->context->rows[k], n = c->n;
    Expr *A = c->A + k * n, *curl = c->curl + k * n;

    memcpy(A, model->A + a * n, n * sizeof *A);
    expr_directional(c->pool, A, n, model->q, model->v, n, curl);
    for (size_t i = 0; i < n; i++) {
        Expr back = expr_diff(c->pool, model->constraints[a].phi, model->q[i]);
        Expr size =
            expr_add(c->pool, expr_terms_size(c->pool, curl[i]), expr_terms_size(c->pool, back));
        curl[i] = expr_sub(c->pool, curl[i], back);
        c->curl_size[k * n + i] = expr_is_zero(c->pool, curl[i]) ? expr_const(c->pool, 0) : size;
    }
}

Status section_problem_init(SectionProblem *c, const AnalysisContext *context, ExprPool *pool,
                            Error *err)
{
    const size_t n = context->model->n, r = context->n_rows;

    *c = (SectionProblem){
        .context = context, .pool = pool, .n = n, .r = r, .frequency = analysis_frequency(context)};
    c->A = alloc_array(3 * r * n, sizeof *c->A);
    if (!c->A)
        return out_of_memory(err);
    c->curl = c->A + r * n;
    c->curl_size = c->curl + r * n;
    for (size_t k = 0; k < r; k++)
        fill_row(c, k);
    return expr_pool_status(pool, err);
}

void section_problem_done(SectionProblem *c)
{
    free(c->A);
    *c = (SectionProblem){0};
}

/* Gauges -------------------------------------------------------------------------------------- */

Status gauge_init(Gauge *g, const SectionProblem *c, Error *err)
{
    const size_t n = c->n, r = c->r;

    *g = (Gauge){.n = n, .r = r};
    g->weight = alloc_array(n + r * n + r * r + r * (r + 1), sizeof *g->weight);
    if (!g->weight)
        return out_of_memory(err);
    g->B = g->weight + n;
    g->gram = g->B + r * n;
    g->work = g->gram + r * r;
    return OK;
}

void gauge_done(Gauge *g)
{
    free(g->weight);
    *g = (Gauge){0};
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double gauge_length(const double *x, size_t n)
{
    return sqrt(dot(x, x, n));
}

void gauge_set(Gauge *g, const SectionProblem *c, double t, const double *q, const double *v,
               const double *vdot)
{
    const size_t n = g->n, r = g->r;
    const size_t *rows = c->context->rows;
    ModelPoint p = model_point(c->context->eval, t, q, v);
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double mass = fabs(p.M[i * n + i]), force = fabs(p.F[i]) + fabs(p.l[i]);
        g->weight[i] = mass > 0 && isfinite(mass) ? sqrt(mass) : 1;
        for (size_t j = 0; j < n; j++)
            force += fabs(p.M[i * n + j]) * (fabs(vdot[j]) + c->frequency * fabs(v[j]));
        sum += force * force / (g->weight[i] * g->weight[i]);
    }
    g->force = sqrt(sum);
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++)
            g->B[k * n + i] = p.A[rows[k] * n + i] / g->weight[i];
    for (size_t k = 0; k < r; k++)
        for (size_t j = 0; j < r; j++)
            g->gram[k * r + j] = dot(g->B + k * n, g->B + j * n, n);
}

bool gauge_split(Gauge *g, double *x, double *ret_along)
{
    const size_t n = g->n, r = g->r;

    memcpy(g->work, g->gram, r * r * sizeof *g->work);
    for (size_t k = 0; k < r; k++)
        ret_along[k] = dot(g->B + k * n, x, n);
    if (dense_solve(g->work, r, ret_along, 1, NULL) != OK)
        return false;
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++)
            x[i] -= ret_along[k] * g->B[k * n + i];
    return true;
}

/* Sections ------------------------------------------------------------------------------------ */

/* A Y, columns and then rows of length 1. */
static void normalise(double *matrix, size_t r)
{
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < r; k++) {
            const size_t first = pass ? k * r : k, step = pass ? 1 : r;
            double length = 0;
            for (size_t j = 0; j < r; j++)
                length = hypot(length, matrix[first + j * step]);
            for (size_t j = 0; j < r && length > 0; j++)
                matrix[first + j * step] /= length;
        }
}

Status section_completes(const SectionProblem *c, const Expr *Y, bool *ret_completes, Error *err)
{
    static const double SINGULAR = 1e-6;
    const Trajectory *states = c->context->states;
    const size_t n = c->n, r = c->r;
    Expr *matrix = alloc_array(r * r, sizeof *matrix);
    double *values = alloc_array(states->n_states * r * r + r, sizeof *values);
    double *s = values + states->n_states * r * r;
    size_t regular = 0;
    Status status = matrix && values ? OK : out_of_memory(err);

    for (size_t a = 0; status == OK && a < r; a++)
        for (size_t b = 0; b < r; b++)
            matrix[a * r + b] = expr_dot(c->pool, n, c->A + a * n, Y + b * n);
    if (status == OK)
        status = analysis_evaluate(c->context, c->pool, matrix, r * r, states, values, err);
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        normalise(values + k * r * r, r);
        status = dense_singular_values(values + k * r * r, r, r, s, err);
        regular += status == OK && s[r - 1] > SINGULAR;
    }
    if (status == OK)
        *ret_completes = 2 * regular > states->n_states;
    free(matrix);
    free(values);
    return status;
}

bool section_momentum(const SectionProblem *c, const Expr *Y, const Expr *added, Expr *ret_mu)
{
    const Model *model = c->context->model;
    const size_t n = c->n, r = c->r;
    ExprPool *pool = c->pool;
    Expr *matrix = alloc_array(2 * r * r + r, sizeof *matrix);
    if (!matrix)
        return false;

    Expr *right = matrix + 2 * r * r;
    Inverse inverse = {.inverse = matrix + r * r};
    for (size_t b = 0; b < r; b++) {
        for (size_t a = 0; a < r; a++)
            matrix[b * r + a] = expr_dot(pool, n, c->A + a * n, Y + b * n);
        right[b] = expr_dot(pool, n, model->p, Y + b * n);
        if (added)
            right[b] = expr_add(pool, right[b], added[b]);
    }
    bool ok = invert_matrix(pool, r, matrix, true, &inverse);
    for (size_t a = 0; ok && a < r; a++)
        ret_mu[a] = expr_dot(pool, r, inverse.inverse + a * r, right);
    free(matrix);
    return ok;
}

Expr section_lagrangian(const SectionProblem *c, const Expr *mu)
{
    const Model *model = c->context->model;
    Expr L = model->L;

    for (size_t k = 0; k < c->r; k++) {
        Expr phi = model->constraints[c->context->rows[k]].phi;
        L = expr_sub(c->pool, L, expr_mul(c->pool, mu[k], phi));
    }
    return L;
}

/* For component i: the residuals, and the sizes of their terms. */
enum { WEAK, STRONG, WEAK_SIZE, STRONG_SIZE, KINDS };

/* Gamma(mu). */
static bool rates_of(const SectionProblem *c, const Expr *mu, Expr *ret_rates)
{
    const Model *model = c->context->model;
    const size_t n = c->n;
    Expr *symbols = alloc_array(2 * (2 * n + 1), sizeof *symbols);
    if (!symbols)
        return false;

    Expr *directions = symbols + 2 * n + 1;
    memcpy(symbols, model->q, n * sizeof *symbols);
    memcpy(symbols + n, model->v, n * sizeof *symbols);
    symbols[2 * n] = model->t;
    memcpy(directions, model->v, n * sizeof *symbols);
    memcpy(directions + n, model->vdot, n * sizeof *symbols);
    directions[2 * n] = expr_const(c->pool, 1);
    expr_directional(c->pool, mu, c->r, symbols, directions, 2 * n + 1, ret_rates);
    free(symbols);
    return true;
}

/* exprs[KINDS][n] */
static bool residuals(const SectionProblem *c, const Expr *mu, Expr *exprs)
{
    const size_t n = c->n, r = c->r;
    ExprPool *pool = c->pool;
    Expr *rates = alloc_array(r, sizeof *rates);
    bool ok = rates && rates_of(c, mu, rates);

    for (size_t i = 0; i < KINDS * n; i++)
        exprs[i] = expr_const(pool, 0);
    for (size_t k = 0; ok && k < r; k++) {
        Expr lambda = c->context->model->lambda[c->context->rows[k]];
        Expr rate = expr_sub(pool, rates[k], lambda), mu_size = expr_terms_size(pool, mu[k]);
        Expr rate_size = expr_add(pool, expr_terms_size(pool, rates[k]), absolute(pool, lambda));
        for (size_t i = 0; i < n; i++) {
            Expr A = c->A[k * n + i], turn = expr_mul(pool, mu[k], c->curl[k * n + i]);
            Expr turn_size = expr_mul(pool, mu_size, c->curl_size[k * n + i]);
            Expr along = expr_mul(pool, A, rate);
            Expr along_size = expr_mul(pool, absolute(pool, A), rate_size);
            const Expr parts[KINDS] = {turn, expr_add(pool, along, turn), turn_size,
                                       expr_add(pool, along_size, turn_size)};
            for (size_t kind = 0; kind < KINDS; kind++)
                exprs[kind * n + i] = expr_add(pool, exprs[kind * n + i], parts[kind]);
        }
    }
    free(rates);
    return ok;
}

bool section_residual(const SectionProblem *c, const Expr *mu, Expr *ret)
{
    Expr *exprs = alloc_array(KINDS * c->n, sizeof *exprs);
    bool ok = exprs && residuals(c, mu, exprs);

    if (ok)
        memcpy(ret, exprs + STRONG * c->n, c->n * sizeof *ret);
    free(exprs);
    return ok;
}

typedef struct Tally {
    size_t states, weak_failures, strong_failures;
    double weak, strong;
} Tally;

static double relative(double residual, double size)
{
    return residual == 0 ? 0 : residual / size;
}

/* values[KINDS][n] at a state. */
static void count_state(Gauge *g, double *values, double *along, Tally *tally)
{
    const size_t n = g->n;

    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < n; i++)
            values[kind * n + i] /= g->weight[i];
    double strong = relative(gauge_length(values + STRONG * n, n),
                             gauge_length(values + STRONG_SIZE * n, n) + g->force);
    if (!gauge_split(g, values + WEAK * n, along))
        return;
    double weak = relative(gauge_length(values + WEAK * n, n),
                           gauge_length(values + WEAK_SIZE * n, n) + g->force);
    if (!isfinite(weak) || !isfinite(strong))
        return;
    tally->states++;
    tally->weak_failures += weak > FAILS;
    tally->strong_failures += strong > FAILS;
    tally->weak = fmax(tally->weak, weak);
    tally->strong = fmax(tally->strong, strong);
}

static Predicted decide(size_t states, size_t failures, double largest)
{
    if (failures >= 2)
        return PREDICTED_NO;
    return states >= ENOUGH && largest < HOLDS ? PREDICTED_YES : PREDICTED_UNDECIDED;
}

Status section_judge(const SectionProblem *c, const Expr *mu, SectionVerdict *ret, Error *err)
{
    const Trajectory *states = c->context->states;
    const size_t n = c->n, width = KINDS * n;
    Tally tally = {0};
    Gauge gauge = {0};
    Expr *exprs = alloc_array(width, sizeof *exprs);
    double *values = alloc_array(states->n_states * width + c->r, sizeof *values);
    Status status = exprs && values ? gauge_init(&gauge, c, err) : out_of_memory(err);

    if (status == OK && !residuals(c, mu, exprs))
        status = out_of_memory(err);
    if (status == OK)
        status = analysis_evaluate(c->context, c->pool, exprs, width, states, values, err);
    for (size_t s = 0; status == OK && s < states->n_states; s++) {
        gauge_set(&gauge, c, states->t[s], states->q + s * n, states->v + s * n,
                  states->vdot + s * n);
        count_state(&gauge, values + s * width, values + states->n_states * width, &tally);
    }
    if (status == OK)
        *ret = (SectionVerdict){.weak = decide(tally.states, tally.weak_failures, tally.weak),
                                .strong = decide(tally.states, tally.strong_failures, tally.strong),
                                .states = tally.states,
                                .weak_largest = tally.weak,
                                .strong_largest = tally.strong};
    gauge_done(&gauge);
    free(exprs);
    free(values);
    return status;
}
