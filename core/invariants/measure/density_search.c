/* Formulas for preserved densities. ln N is a combination of logarithms of parts of the mass
 * matrix of the base velocities, and of monomials in the coordinates: least squares for its
 * slopes along the fields at random states. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/fraction.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/measure/density.h"
#include "core/numeric/dense.h"

/* Candidates; terms of a formula; and logarithms that are tried in pairs. Conventions. */
enum { MAX_CANDIDATES = 120, MAX_TERMS = 5, MAX_PAIRED = 20 };

/* Fraction of the residual's square that a useful candidate takes, at least. Convention: the
 * residual falls by the square of a part in a million. */
static const double LEAST_SHARE = 1e-12;

typedef struct Candidate {
    Expr base;     /* of a logarithm; or EXPR_NONE */
    Expr function; /* otherwise */
} Candidate;

/* Slopes of all candidates at the states, as columns of one length. */
typedef struct Fit {
    const Density *density;
    size_t rows; /* states times generators */
    size_t n;    /* candidates, logarithms first */
    size_t n_logarithms;
    Candidate candidates[MAX_CANDIDATES];
    double *columns;  /* [n][rows] */
    double *target;   /* [rows] */
    double *residual; /* [rows] */
    double *matrix;   /* [rows][MAX_TERMS] */
    double *unit;     /* [generators]: of slopes along them */
    double size;      /* largest of the target */
    size_t chosen[MAX_TERMS], n_chosen;
    double c[MAX_TERMS];
} Fit;

static void add_candidate(Fit *fit, Expr base, Expr function)
{
    const Density *density = fit->density;
    const Distribution *d = density->field->d;
    const ModelSymbols *sym = &d->context->model->sym;
    Expr e = expr_is_none(base) ? function : base;

    if (fit->n == MAX_CANDIDATES || expr_is_none(e))
        return;
    /* constants have no slopes */
    if (!expr_may_use(d->pool, &e, 1, sym->q, d->n) &&
        (density->autonomous || !expr_may_use(d->pool, &e, 1, &sym->t, 1)))
        return;
    for (size_t k = 0; k < fit->n; k++)
        if (expr_same(fit->candidates[k].base, base) &&
            expr_same(fit->candidates[k].function, function))
            return;
    fit->candidates[fit->n++] = (Candidate){base, function};
}

static void add_logarithms(Fit *fit)
{
    const ReducedField *field = fit->density->field;
    const Model *model = field->d->context->model;
    const Expr *q = model->sym.q;
    ExprPool *pool = field->d->pool;

    /* the simplest first: volumes in angles and radii; only angles have a sine */
    for (size_t i = 0; i < field->d->n; i++) {
        if (model->kinds.pure[i]) {
            add_candidate(fit, expr_call(pool, EXPR_SIN, &q[i], 1), EXPR_NONE);
            add_candidate(fit, expr_call(pool, EXPR_COS, &q[i], 1), EXPR_NONE);
        }
        add_candidate(fit, q[i], EXPR_NONE);
    }
    for (size_t i = 0; i < field->m; i++)
        add_candidate(fit, field->G[i * field->m + i], EXPR_NONE);
    add_candidate(fit, field->det, EXPR_NONE);
    add_candidate(fit, field->d->dependent.determined, EXPR_NONE);
}

static void add_monomials(Fit *fit)
{
    const Distribution *d = fit->density->field->d;
    const Expr *q = d->context->model->sym.q;
    ExprPool *pool = d->pool;

    for (size_t i = 0; i < d->n; i++) {
        add_candidate(fit, EXPR_NONE, q[i]);
        if (!d->context->model->kinds.pure[i])
            continue;
        add_candidate(fit, EXPR_NONE, expr_call(pool, EXPR_SIN, &q[i], 1));
        add_candidate(fit, EXPR_NONE, expr_call(pool, EXPR_COS, &q[i], 1));
    }
    add_candidate(fit, EXPR_NONE, d->context->model->sym.t);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j <= i; j++)
            add_candidate(fit, EXPR_NONE, expr_mul(pool, q[i], q[j]));
}

static void candidate_slopes(const Fit *fit, size_t k, Expr *ret)
{
    const Candidate *c = &fit->candidates[k];
    ExprPool *pool = fit->density->field->d->pool;

    density_slopes(fit->density, expr_is_none(c->base) ? c->function : c->base, ret);
    for (size_t g = 0; g < fit->density->n_generators && !expr_is_none(c->base); g++)
        ret[g] = expr_div(pool, ret[g], c->base);
}

/* Stores the row of state s and generator g. The displacement along a generator is the size of its
 * coordinate, or the time scale of the motion. Rows that are not finite become 0 = 0. */
static void store(Fit *fit, const double *values, size_t n_states)
{
    const size_t generators = fit->density->n_generators, width = (fit->n + 1) * generators;

    for (size_t s = 0; s < n_states; s++)
        for (size_t g = 0; g < generators; g++) {
            const size_t row = s * generators + g;
            bool finite = true;
            for (size_t k = 0; k <= fit->n; k++)
                finite = finite && isfinite(values[s * width + k * generators + g]);
            for (size_t k = 0; k < fit->n; k++)
                fit->columns[k * fit->rows + row] =
                    finite ? values[s * width + k * generators + g] * fit->unit[g] : 0;
            fit->target[row] =
                finite ? values[s * width + fit->n * generators + g] * fit->unit[g] : 0;
            fit->size = fmax(fit->size, fabs(fit->target[row]));
        }
}

static Status fit_init(Fit *fit, const Expr *target, Error *err)
{
    const Distribution *d = fit->density->field->d;
    const Trajectory *states = d->context->states;
    const size_t generators = fit->density->n_generators, width = (fit->n + 1) * generators;
    Arena *scratch = d->context->scratch;
    Expr *exprs = ARENA_NEW(scratch, width, Expr);
    double *values = arena_doubles(scratch, states->n_states * width);

    fit->rows = states->n_states * generators;
    fit->columns = arena_doubles(scratch, fit->n * fit->rows);
    fit->target = arena_doubles(scratch, fit->rows);
    fit->residual = arena_doubles(scratch, fit->rows);
    fit->matrix = arena_doubles(scratch, fit->rows * MAX_TERMS);
    fit->unit = arena_doubles(scratch, generators);
    Status status = arena_status(scratch, err);
    if (status == OK) {
        for (size_t g = 0; g < generators; g++)
            fit->unit[g] =
                g < d->m ? d->context->range.size[d->dependent.base[g]] : analysis_time(d->context);
        /* all slopes in one program: candidates and target share terms */
        for (size_t k = 0; k < fit->n; k++)
            candidate_slopes(fit, k, exprs + k * generators);
        memcpy(exprs + fit->n * generators, target, generators * sizeof *exprs);
        status = analysis_evaluate(d->context, exprs, width, states, values, err);
    }
    if (status == OK)
        store(fit, values, states->n_states);
    return status;
}

/* Coefficients of the chosen candidates and their residual; *ret_fits: the residual counts as 0. */
static Status fit_solve(Fit *fit, bool *ret_fits, Error *err)
{
    double largest = 0;
    const size_t n = fit->n_chosen;

    for (size_t row = 0; row < fit->rows; row++)
        for (size_t k = 0; k < n; k++)
            fit->matrix[row * n + k] = fit->columns[fit->chosen[k] * fit->rows + row];
    /* if no candidate is chosen, the residual is the target itself */
    Status status =
        n ? dense_least_norm(fit->matrix, fit->rows, n, fit->target, ACCURACY_SOLVED, fit->c, err)
          : OK;
    for (size_t row = 0; row < fit->rows; row++) {
        fit->residual[row] = fit->target[row];
        for (size_t k = 0; k < n; k++)
            fit->residual[row] -= fit->c[k] * fit->columns[fit->chosen[k] * fit->rows + row];
        largest = fmax(largest, fabs(fit->residual[row]));
    }
    *ret_fits = status == OK && largest <= ACCURACY_COMPARED * fit->size;
    return status;
}

/* The candidate that takes the largest part of the residual; n: none does. */
static size_t best_candidate(const Fit *fit)
{
    size_t best = fit->n;
    double best_share = LEAST_SHARE;

    for (size_t k = 0; k < fit->n; k++) {
        const double *column = fit->columns + k * fit->rows;
        double product = 0, square = 0;
        bool taken = false;
        for (size_t j = 0; j < fit->n_chosen; j++)
            taken = taken || fit->chosen[j] == k;
        for (size_t row = 0; row < fit->rows && !taken; row++) {
            product += column[row] * fit->residual[row];
            square += column[row] * column[row];
        }
        /* the part of the residual's square along the column */
        const double share = square > 0 ? product * product / square : 0;
        /* a later candidate wins only by more than rounding */
        if (share > best_share * (1 + ACCURACY_COMPARED)) {
            best_share = share;
            best = k;
        }
    }
    return best;
}

/* Each candidate alone, then pairs of logarithms. */
static Status choose_few(Fit *fit, bool *ret_fits, Error *err)
{
    Status status = fit_solve(fit, ret_fits, err);

    for (size_t k = 0; k < fit->n && status == OK && !*ret_fits; k++) {
        fit->chosen[0] = k;
        fit->n_chosen = 1;
        status = fit_solve(fit, ret_fits, err);
    }
    for (size_t k = 0; k < fit->n_logarithms && k < MAX_PAIRED; k++)
        for (size_t j = 0; j < k && status == OK && !*ret_fits; j++) {
            fit->chosen[0] = j;
            fit->chosen[1] = k;
            fit->n_chosen = 2;
            status = fit_solve(fit, ret_fits, err);
        }
    return status;
}

/* One or two candidates if they suffice, else several, chosen greedily. */
static Status fit_choose(Fit *fit, bool *ret_fits, Error *err)
{
    Status status = choose_few(fit, ret_fits, err);

    if (status != OK || *ret_fits)
        return status;
    fit->n_chosen = 0;
    status = fit_solve(fit, ret_fits, err);
    while (status == OK && !*ret_fits && fit->n_chosen < MAX_TERMS) {
        const size_t best = best_candidate(fit);
        if (best == fit->n)
            break;
        fit->chosen[fit->n_chosen++] = best;
        status = fit_solve(fit, ret_fits, err);
    }
    return status;
}

static Expr formula(const Fit *fit)
{
    ExprPool *pool = fit->density->field->d->pool;
    Expr product = expr_const(pool, 1), exponent = expr_const(pool, 0);

    /* monomials go into the exponent, logarithms become powers */
    for (size_t k = 0; k < fit->n_chosen; k++) {
        const Candidate *c = &fit->candidates[fit->chosen[k]];
        const double power = fraction_round(fit->c[k]);
        if (expr_is_none(c->base)) {
            exponent = expr_add(pool, exponent, expr_scale(pool, power, c->function));
        } else if (fabs(power) == 0.5) {
            Expr root = expr_call(pool, EXPR_SQRT, &c->base, 1);
            product = power > 0 ? expr_mul(pool, product, root) : expr_div(pool, product, root);
        } else {
            product = expr_mul(pool, product, expr_pow(pool, c->base, expr_const(pool, power)));
        }
    }
    if (!expr_is_zero(pool, exponent))
        product = expr_mul(pool, product, expr_call(pool, EXPR_EXP, &exponent, 1));
    return product;
}

/* N with X_k ln N = target[k]; EXPR_NONE: none was found. */
static Status search_formula(const Density *density, const Expr *target, Expr *ret, Error *err)
{
    Arena *scratch = density->field->d->context->scratch;
    Fit *fit = ARENA_NEW(scratch, 1, Fit);
    bool fits = false;
    if (!fit)
        return arena_status(scratch, err);

    *ret = EXPR_NONE;
    fit->density = density;
    /* logarithms come first: choose_few() takes its pairs from the front of the list */
    add_logarithms(fit);
    fit->n_logarithms = fit->n;
    add_monomials(fit);
    Status status = expr_pool_status(density->field->d->pool, err);
    if (status == OK)
        status = fit_init(fit, target, err);
    if (status == OK)
        status = fit_choose(fit, &fits, err);
    if (status == OK && fits)
        *ret = formula(fit);
    return status;
}

/* X_k ln det G. */
static Status slopes_of_det(const Density *density, Expr *ret, Error *err)
{
    const size_t m = density->field->m, g = density->n_generators;
    Arena *scratch = density->field->d->context->scratch;
    Expr *slopes = ARENA_NEW(scratch, m * m * g, Expr), *K = ARENA_NEW(scratch, m * m, Expr);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < m * m; k++)
        density_slopes(density, density->field->G[k], slopes + k * g);
    for (size_t x = 0; x < g; x++) {
        for (size_t k = 0; k < m * m; k++)
            K[k] = slopes[k * g + x];
        ret[x] = reduced_field_trace(density->field, K);
    }
    return expr_pool_status(density->field->d->pool, err);
}

/* D/Dt ln N + div vanishes at the states. */
static Status density_confirm(Density *density, Error *err)
{
    const ReducedField *field = density->field;
    const Distribution *d = field->d;
    const AnalysisContext *context = d->context;
    ExprPool *pool = d->pool;
    const size_t g = density->n_generators;
    Verdict verdict = {0};
    Expr *terms = ARENA_NEW(context->scratch, g + field->n_terms, Expr);
    if (!terms)
        return arena_status(context->scratch, err);

    density_slopes(density, density->qv, terms);
    for (size_t k = 0; k < g; k++) {
        terms[k] = expr_div(pool, terms[k], density->qv);
        if (k < d->m)
            terms[k] = expr_mul(pool, terms[k], context->model->sym.v[d->dependent.base[k]]);
    }
    memcpy(terms + g, field->div, field->n_terms * sizeof *terms);
    const TermSum sum = {.terms = terms,
                         .n = g + field->n_terms,
                         .scale = expr_const(pool, analysis_frequency(context))};
    Status status = verdict_predict(context, &sum, &verdict, NULL, err);
    /* a formula counts only if it is proved */
    density->found = status == OK && verdict.predicted == PREDICTED_YES;
    if (!density->found) {
        density->qv = EXPR_NONE;
        return status;
    }
    density_take(density, &verdict);
    return status;
}

Status density_search(Density *density, Error *err)
{
    const size_t g = density->n_generators;
    ExprPool *pool = density->field->d->pool;
    const Distribution *d = density->field->d;
    Arena *scratch = d->context->scratch;
    Expr *target = ARENA_NEW(scratch, g, Expr);
    Status status = target ? search_formula(density, density->theta, &density->qv, err)
                           : arena_status(scratch, err);

    density->found = false;
    if (status == OK && !expr_is_none(density->qv))
        status = density_confirm(density, err);
    /* if the mass matrix is free of velocities dp = det G du at every q */
    if (status == OK && density->found &&
        !analysis_has_velocities(d->context->model, pool, density->field->G, d->m * d->m)) {
        status = slopes_of_det(density, target, err);
        for (size_t k = 0; status == OK && k < g; k++)
            target[k] = expr_sub(pool, density->theta[k], target[k]);
        if (status == OK)
            status = search_formula(density, target, &density->qp, err);
    }
    return status;
}
