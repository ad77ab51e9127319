/* Forces that the constraints do not balance, and the constraints, beside the terms of each row. */
#include "core/stability/find/balance.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/residuals.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"
#include "core/stability/find/drift.h"

void balance_done(Balance *b)
{
    function_done(&b->terms);
    *b = (Balance){0};
}

Status balance_init(Balance *b, const AnalysisContext *context, const size_t *fields, size_t s,
                    Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n, n_inputs = 1 + 2 * n + s;
    ExprPool *pool = expr_pool_clone(model->pool);
    Arena scratch = {0};
    Expr *inputs = ARENA_NEW(&scratch, n_inputs, Expr), *roots = ARENA_NEW(&scratch, 4 * n, Expr);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    *b = (Balance){.context = context, .s = s};
    if (status == OK) {
        /* inputs t, q, v, c */
        inputs[0] = model->sym.t;
        memcpy(inputs + 1, model->sym.q, n * sizeof *inputs);
        memcpy(inputs + 1 + n, model->sym.v, n * sizeof *inputs);
        for (size_t a = 0; a < s; a++)
            inputs[1 + 2 * n + a] = expr_symbol(pool, model->sym.first_free + (uint32_t)a);
        /* w of the state that moves along the fields */
        drift_build(pool, model, fields, s, inputs + 1 + 2 * n, roots + 2 * n);
        expr_substitute(pool, roots + 3 * n, n, model->sym.v, roots + 2 * n, n, roots + 3 * n);
        /* sizes of l - F and w, and their rounding errors */
        for (size_t i = 0; i < n; i++) {
            const Expr force = expr_sub(pool, model->l[i], model->F[i]);
            roots[i] = expr_residual_scale(pool, force);
            roots[n + i] = expr_rounding(pool, force);
            roots[2 * n + i] = expr_rounding(pool, roots[3 * n + i]);
        }
        expr_soften_norms(pool, roots, 3 * n, roots, NULL);
        const ProgramSpec spec = {.pool = pool,
                                  .params = model->sym.params,
                                  .n_params = model->n_params,
                                  .inputs = inputs,
                                  .n_inputs = n_inputs,
                                  .outputs = roots,
                                  .n_outputs = 3 * n};
        status = expr_pool_status(pool, err);
        if (status == OK)
            status = function_init(&b->terms, &spec, context->params, err);
    }
    expr_pool_free(pool);
    arena_done(&scratch);
    return status;
}

/* The rows of the balance. */
typedef struct Rows {
    /* n each: M w + l - F, then minus the reactions of the constraints */
    double *force, *scale, *rounding;
    double *held;                     /* n x r: A^T of the rows in use, as energies */
    double *lambda, *lambda_rounding; /* r each */
    Arena memory;
} Rows;

/* The multipliers that balance best; the work of all forces along their units has equal weight. */
static Status bear(const Balance *b, const ModelPoint *point, const BalanceState *at, Rows *rows,
                   Error *err)
{
    const size_t n = b->context->model->n, r = b->context->n_rows;
    double *size = arena_doubles(&rows->memory, r), *work = arena_doubles(&rows->memory, n);
    double largest = 0;
    Status status = arena_status(&rows->memory, err);

    /* the multipliers are as uncertain as the forces, even if these are only rounding noise */
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, rows->rounding[i] * at->unit[i]);
    /* columns of one size */
    for (size_t k = 0; status == OK && k < r; k++) {
        const double *A = point->A + b->context->rows[k] * n;
        for (size_t i = 0; i < n; i++)
            size[k] = fmax(size[k], fabs(A[i]) * at->unit[i]);
        for (size_t i = 0; i < n && size[k] > 0; i++)
            rows->held[i * r + k] = A[i] * at->unit[i] / size[k];
    }
    for (size_t i = 0; status == OK && i < n; i++)
        work[i] = rows->force[i] * at->unit[i];
    if (status == OK)
        status = dense_least_norm(rows->held, n, r, work, ACCURACY_ROUNDED, rows->lambda, err);
    largest = fmax(largest, vector_largest(rows->lambda, r));
    for (size_t k = 0; status == OK && k < r; k++) {
        rows->lambda[k] = size[k] > 0 ? rows->lambda[k] / size[k] : 0;
        rows->lambda_rounding[k] = size[k] > 0 ? largest / size[k] : 0;
    }
    return status;
}

static void gather_forces(Balance *b, const ModelPoint *point, const BalanceState *at, Rows *rows)
{
    const size_t n = b->context->model->n;
    double *in = b->terms.in;

    /* set the inputs of the compiled terms: t, q, v and c (0 for generators that are not used) */
    in[0] = at->t;
    memcpy(in + 1, at->q, n * sizeof *in);
    memcpy(in + 1 + n, at->v, n * sizeof *in);
    memset(in + 1 + 2 * n, 0, b->s * sizeof *in);
    if (at->s)
        memcpy(in + 1 + 2 * n, at->c, at->s * sizeof *in);
    const double *terms = function_eval(&b->terms), *turning = terms + 2 * n;
    /* add M w to l - F, with the size and the rounding error of each row */
    for (size_t i = 0; i < n; i++) {
        rows->force[i] = point->l[i] - point->F[i];
        rows->scale[i] = terms[i];
        rows->rounding[i] = terms[n + i];
        for (size_t j = 0; j < n; j++) {
            const double inertia = point->M[i * n + j] * at->w[j];
            rows->force[i] += inertia;
            rows->scale[i] += fabs(inertia);
            rows->rounding[i] += fabs(point->M[i * n + j]) * turning[j];
        }
    }
}

/* Subtracts the reactions of the constraints and adds the rounding error of the unknowns. */
static void add_reactions(const Balance *b, const ModelPoint *point, const BalanceState *at,
                          Rows *rows)
{
    const size_t n = b->context->model->n;

    for (size_t k = 0; k < b->context->n_rows; k++) {
        const size_t a = b->context->rows[k] * n;
        for (size_t i = 0; i < n; i++) {
            const double reaction = point->A[a + i] * rows->lambda[k];
            rows->force[i] -= reaction;
            rows->scale[i] += fabs(reaction);
            rows->rounding[i] += fabs(point->A[a + i]) * rows->lambda_rounding[k] +
                                 point->A_rounding[a + i] * fabs(rows->lambda[k]);
        }
    }
    /* add the effect of the error of each unknown */
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < at->m; c++) {
            double slope = 0;
            for (size_t j = 0; j < n; j++)
                slope += point->M[i * n + j] * at->slopes[j * at->m + c];
            rows->rounding[i] += fabs(slope) * at->known[c];
        }
}

/* The verdict so far. */
typedef struct Judged {
    double residual;
    bool holds;
} Judged;

static void judge(Judged *all, double value, double scale, double rounding)
{
    const double relative = value == 0 ? 0 : residual_relative(value, scale, rounding);

    /* a value that is not a number never holds */
    all->holds = all->holds && fabs(value) <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;
    all->residual = isnan(relative) ? INFINITY : fmax(all->residual, relative);
}

/* The change of a row that the rounding of the unknowns explains. */
static double reach(const BalanceState *at, const double *slopes)
{
    double sum = 0;

    for (size_t c = 0; c < at->m; c++)
        sum += fabs(slopes[c]) * at->known[c];
    return sum;
}

static void judge_constraints(const AnalysisContext *context, const ModelPoint *point,
                              const BalanceState *at, Judged *all)
{
    const double *slopes = at->slopes + context->model->n * at->m;

    for (size_t k = 0; k < context->n_rows; k++) {
        const size_t a = context->rows[k];
        if (context->model->constraints[a].kind != CONSTRAINT_HOLONOMIC)
            continue;
        judge(all, point->f[a], point->f_scale[a], point->f_rounding[a] + reach(at, slopes));
        slopes += at->m;
    }
    for (size_t k = 0; k < context->n_rows; k++, slopes += at->m) {
        const size_t a = context->rows[k];
        judge(all, point->phi[a], point->phi_scale[a], point->phi_rounding[a] + reach(at, slopes));
    }
}

Status balance_measure(Balance *b, const BalanceState *at, double *ret_residual, bool *ret_holds,
                       Error *err)
{
    const AnalysisContext *context = b->context;
    const size_t n = context->model->n, r = context->n_rows;
    Rows rows = {0};
    Judged all = {.holds = true};

    rows.force = arena_doubles(&rows.memory, 3 * n);
    rows.scale = rows.force + n;
    rows.rounding = rows.scale + n;
    rows.held = arena_doubles(&rows.memory, n * r);
    rows.lambda = arena_doubles(&rows.memory, 2 * r);
    rows.lambda_rounding = rows.lambda + r;
    Status status = arena_status(&rows.memory, err);
    if (status == OK) {
        /* balance the forces by multipliers, then judge each row by the size of its own terms */
        const ModelPoint point = model_point(context->eval, at->t, at->q, at->v);
        gather_forces(b, &point, at, &rows);
        status = r ? bear(b, &point, at, &rows, err) : OK;
        if (status == OK)
            add_reactions(b, &point, at, &rows);
        for (size_t i = 0; i < n; i++)
            judge(&all, rows.force[i], rows.scale[i], rows.rounding[i]);
        judge_constraints(context, &point, at, &all);
    }
    *ret_residual = all.residual;
    *ret_holds = status == OK && all.holds;
    arena_done(&rows.memory);
    return status;
}
