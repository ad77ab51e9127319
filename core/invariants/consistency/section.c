/* Sections and their residuals of consistency: M. Crampin, T. Mestdag, Theorem 2, Corollary 1. */
#include "core/invariants/consistency/section.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/model/rates.h"
#include "core/motion/algebra/invert.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"

static void fill_row(SectionProblem *c, size_t k)
{
    const Model *model = c->context->model;
    const size_t a = c->context->rows[k], n = c->n;
    Expr *A = c->A + k * n, *curl = c->curl + k * n;

    memcpy(A, model->A + a * n, n * sizeof *A);
    expr_directional(c->pool, A, n, model->sym.q, model->sym.v, n, curl);
    for (size_t i = 0; i < n; i++) {
        Expr back = expr_diff(c->pool, model->constraints[a].phi, model->sym.q[i]);
        Expr size =
            expr_add(c->pool, expr_terms_size(c->pool, curl[i]), expr_terms_size(c->pool, back));
        curl[i] = expr_sub(c->pool, curl[i], back);
        c->curl_size[k * n + i] = expr_is_zero(c->pool, curl[i]) ? expr_const(c->pool, 0) : size;
    }
}

Status section_problem_init(SectionProblem *c, const AnalysisContext *context, Error *err)
{
    const size_t n = context->model->n, r = context->n_rows;

    *c = (SectionProblem){.context = context,
                          .pool = context->pool,
                          .n = n,
                          .r = r,
                          .frequency = analysis_frequency(context)};
    c->A = ARENA_NEW(context->scratch, r * n, Expr);
    c->curl = ARENA_NEW(context->scratch, r * n, Expr);
    c->curl_size = ARENA_NEW(context->scratch, r * n, Expr);
    Status status = arena_status(context->scratch, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < r; k++)
        fill_row(c, k);
    return expr_pool_status(context->pool, err);
}

void gauge_init(Gauge *g, const SectionProblem *c, Arena *arena)
{
    const size_t n = c->n, r = c->r;

    *g = (Gauge){.n = n,
                 .r = r,
                 .weight = arena_doubles(arena, n),
                 .B = arena_doubles(arena, r * n),
                 .gram = arena_doubles(arena, r * r),
                 .work = arena_doubles(arena, r * (r + 1))};
}

void gauge_set(Gauge *g, const SectionProblem *c, double t, const double *q, const double *v,
               const double *vdot)
{
    const size_t n = g->n, r = g->r;
    const size_t *rows = c->context->rows;
    ModelPoint p = model_point(c->context->eval, t, q, v);
    double sum = 0;

    /* weights, and the forces that act */
    for (size_t i = 0; i < n; i++) {
        double mass = fabs(p.M[i * n + i]), force = fabs(p.F[i]) + fabs(p.l[i]);
        g->weight[i] = mass > 0 && isfinite(mass) ? sqrt(mass) : 1;
        for (size_t j = 0; j < n; j++)
            force += fabs(p.M[i * n + j]) * (fabs(vdot[j]) + c->frequency * fabs(v[j]));
        sum += force * force / (g->weight[i] * g->weight[i]);
    }
    g->force = sqrt(sum);
    /* the constraints over the weights, and their Gram matrix */
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++)
            g->B[k * n + i] = p.A[rows[k] * n + i] / g->weight[i];
    for (size_t k = 0; k < r; k++)
        for (size_t j = 0; j < r; j++)
            g->gram[k * r + j] = vector_dot(g->B + k * n, g->B + j * n, n);
}

bool gauge_split(Gauge *g, double *x, double *ret_along)
{
    const size_t n = g->n, r = g->r;

    memcpy(g->work, g->gram, r * r * sizeof *g->work);
    for (size_t k = 0; k < r; k++)
        ret_along[k] = vector_dot(g->B + k * n, x, n);
    if (dense_solve(g->work, r, ret_along, 1, NULL) != OK)
        return false;
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++)
            x[i] -= ret_along[k] * g->B[k * n + i];
    return true;
}

/* A Y with columns, then rows of length 1. */
static void normalise_matrix(double *matrix, size_t r)
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
    const Trajectory *states = c->context->states;
    const size_t n = c->n, r = c->r;
    Arena scratch = {0};
    Expr *matrix = ARENA_NEW(&scratch, r * r, Expr);
    double *values = arena_doubles(&scratch, states->n_states * r * r);
    double *s = arena_doubles(&scratch, r);
    size_t regular = 0;
    Status status = arena_status(&scratch, err);

    for (size_t a = 0; status == OK && a < r; a++)
        for (size_t b = 0; b < r; b++)
            matrix[a * r + b] = expr_dot(c->pool, n, c->A + a * n, Y + b * n);
    if (status == OK)
        status = analysis_evaluate(c->context, matrix, r * r, states, values, err);
    /* most of the matrices must be regular */
    for (size_t k = 0; status == OK && k < states->n_states; k++) {
        normalise_matrix(values + k * r * r, r);
        status = dense_singular_values(values + k * r * r, r, r, s, err);
        /* the rows of A Y have length 1 */
        regular += status == OK && s[r - 1] > ACCURACY_CLEAR;
    }
    if (status == OK)
        *ret_completes = 2 * regular > states->n_states;
    arena_done(&scratch);
    return status;
}

Status section_momentum(const SectionProblem *c, const Expr *Y, const Expr *added, Expr *ret_mu,
                        Error *err)
{
    const Model *model = c->context->model;
    const size_t n = c->n, r = c->r;
    ExprPool *pool = c->pool;
    Arena *scratch = c->context->scratch;
    Expr *matrix = ARENA_NEW(scratch, r * r, Expr), *right = ARENA_NEW(scratch, r, Expr);
    Inverse inverse = {.inverse = ARENA_NEW(scratch, r * r, Expr)};
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    for (size_t b = 0; b < r; b++) {
        for (size_t a = 0; a < r; a++)
            matrix[b * r + a] = expr_dot(pool, n, c->A + a * n, Y + b * n);
        right[b] = expr_dot(pool, n, model->p, Y + b * n);
        if (added)
            right[b] = expr_add(pool, right[b], added[b]);
    }
    /* solve by the inverse, whose entries keep the expressions short */
    if (!invert_matrix(pool, r, matrix, true, &inverse))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t a = 0; a < r; a++)
        ret_mu[a] = expr_dot(pool, r, inverse.inverse + a * r, right);
    return OK;
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

/* Slots of component i: the residuals, and the sizes of their terms. */
enum { WEAK, STRONG, WEAK_SIZE, STRONG_SIZE, KINDS };

/* exprs[KINDS][n] */
static Status residuals(const SectionProblem *c, const Expr *mu, Expr *exprs, Error *err)
{
    const size_t n = c->n, r = c->r;
    ExprPool *pool = c->pool;
    Expr *rates = ARENA_NEW(c->context->scratch, r, Expr); /* Gamma(mu) */
    if (!rates)
        return arena_status(c->context->scratch, err);

    rates_total(pool, c->context->model, mu, r, rates);
    for (size_t i = 0; i < KINDS * n; i++)
        exprs[i] = expr_const(pool, 0);
    for (size_t k = 0; k < r; k++) {
        Expr lambda = c->context->model->sym.lambda[c->context->rows[k]];
        Expr rate = expr_sub(pool, rates[k], lambda), mu_size = expr_terms_size(pool, mu[k]);
        Expr rate_size = expr_add(pool, expr_terms_size(pool, rates[k]), expr_abs(pool, lambda));
        for (size_t i = 0; i < n; i++) {
            /* the force of multiplier k on coordinate i: mu C turns the motion, A acts along it */
            Expr A = c->A[k * n + i], turn = expr_mul(pool, mu[k], c->curl[k * n + i]);
            Expr turn_size = expr_mul(pool, mu_size, c->curl_size[k * n + i]);
            Expr along = expr_mul(pool, A, rate);
            Expr along_size = expr_mul(pool, expr_abs(pool, A), rate_size);
            const Expr parts[KINDS] = {turn, expr_add(pool, along, turn), turn_size,
                                       expr_add(pool, along_size, turn_size)};
            for (size_t kind = 0; kind < KINDS; kind++)
                exprs[kind * n + i] = expr_add(pool, exprs[kind * n + i], parts[kind]);
        }
    }
    return expr_pool_status(pool, err);
}

Status section_residual(const SectionProblem *c, const Expr *mu, Expr *ret, Error *err)
{
    Expr *exprs = ARENA_NEW(c->context->scratch, KINDS * c->n, Expr);
    if (!exprs)
        return arena_status(c->context->scratch, err);
    Status status = residuals(c, mu, exprs, err);
    memcpy(ret, exprs + STRONG * c->n, c->n * sizeof *ret);
    return status;
}

static double relative(double residual, double size)
{
    return residual == 0 ? 0 : residual / size;
}

/* Adds a state to the tallies. values[KINDS][n]. */
static void count_state(Gauge *g, double *values, double *along, Tally *weak, Tally *strong)
{
    const size_t n = g->n;

    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < n; i++)
            values[kind * n + i] /= g->weight[i];
    const double lacking = relative(vector_length(values + STRONG * n, n),
                                    vector_length(values + STRONG_SIZE * n, n) + g->force);
    if (!gauge_split(g, values + WEAK * n, along))
        return;
    const double turning = relative(vector_length(values + WEAK * n, n),
                                    vector_length(values + WEAK_SIZE * n, n) + g->force);
    if (!isfinite(turning) || !isfinite(lacking))
        return;
    tally_add(weak, turning);
    tally_add(strong, lacking);
}

static Status prove_all(const SectionProblem *c, const Expr *residuals, size_t n, Predicted *ret,
                        Proof *ret_proof, Error *err)
{
    Verdict all = {0};
    Status status = verdict_predict_each(c->context, residuals, n, NULL, &all, err);
    if (status == OK) {
        *ret = all.predicted;
        *ret_proof = all.proof;
        if (all.evidence == EVIDENCE_IDENTITY)
            ret_proof->method = PROOF_IDENTITY;
    }
    return status;
}

/* The part of mu C outside of the rows of A: sigma with A^T sigma = mu C on the dependent
 * coordinates, then mu C - A^T sigma. */
static void outside_rows(const SectionProblem *c, const Expr *turn, Expr *system, Expr *ret)
{
    const size_t n = c->n, r = c->r, *dependent = c->context->dependent;
    Expr *right = system + r * r, *sigma = right + r;

    for (size_t i = 0; i < r; i++) {
        right[i] = turn[dependent[i]];
        for (size_t a = 0; a < r; a++)
            system[i * r + a] = c->A[a * n + dependent[i]];
    }
    expr_solve(c->pool, expr_factor(c->pool, r, system), r, right, sigma);
    for (size_t i = 0; i < n; i++) {
        ret[i] = turn[i];
        for (size_t a = 0; a < r; a++)
            ret[i] = expr_sub(c->pool, ret[i], expr_mul(c->pool, c->A[a * n + i], sigma[a]));
    }
}

static Status prove_section(const SectionProblem *c, const Expr *exprs, Arena *scratch,
                            SectionVerdict *ret, Error *err)
{
    const size_t n = c->n, r = c->r;
    Expr *outside = ARENA_NEW(scratch, n, Expr), *system = ARENA_NEW(scratch, r * (r + 2), Expr);
    Proof of_weak;
    Status status = arena_status(scratch, err);

    /* strong consistency implies the weak one */
    if (status == OK)
        status = prove_all(c, exprs + STRONG * n, n, &ret->strong, &ret->proof, err);
    if (status != OK || ret->strong == PREDICTED_YES) {
        ret->weak = PREDICTED_YES;
        return status;
    }
    ret->weak = PREDICTED_UNDECIDED;
    /* otherwise the weak one is about the part of mu C outside of the rows of A */
    if (!c->context->dependent)
        return OK;
    outside_rows(c, exprs + WEAK * n, system, outside);
    return prove_all(c, outside, n, &ret->weak, &of_weak, err);
}

Status section_judge(const SectionProblem *c, const Expr *mu, SectionVerdict *ret, Error *err)
{
    const Trajectory *states = c->context->states;
    const size_t n = c->n, width = KINDS * n;
    Tally weak = {0}, strong = {0};
    Gauge gauge;
    Arena scratch = {0};
    Expr *exprs = ARENA_NEW(&scratch, width, Expr);
    double *values = arena_doubles(&scratch, states->n_states * width);
    double *along = arena_doubles(&scratch, c->r);
    gauge_init(&gauge, c, &scratch);
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = residuals(c, mu, exprs, err);
    if (status == OK)
        status = analysis_evaluate(c->context, exprs, width, states, values, err);
    /* at each state, without the freedom of the multipliers */
    for (size_t s = 0; status == OK && s < states->n_states; s++) {
        gauge_set(&gauge, c, states->t[s], states->q + s * n, states->v + s * n,
                  states->vdot + s * n);
        count_state(&gauge, values + s * width, along, &weak, &strong);
    }
    if (status == OK)
        /* the states show what is likely; the exact tests decide */
        *ret = (SectionVerdict){.weak = tally_predict(&weak),
                                .strong = tally_predict(&strong),
                                .states = strong.states,
                                .weak_largest = weak.largest,
                                .strong_largest = strong.largest,
                                .proof = {.likely = tally_predict(&strong)}};
    if (status == OK)
        status = prove_section(c, exprs, &scratch, ret, err);
    arena_done(&scratch);
    return status;
}
