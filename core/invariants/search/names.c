/* How coefficients follow the parameters of a model. The search runs again with one parameter
 * after the other changed by a factor: powers show as exponents. Other coefficients are sampled
 * at random values of the parameters and fitted by quotients of polynomials. In the end all
 * parameters change at once, and the formulas must agree with the coefficients then. */
#include "core/invariants/search/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/fraction.h"
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/invariants/search/probe.h"

/* Parameters that are changed one by one; the largest exponent; the degree of polynomials; seed
 * of the states. Conventions. */
enum { MAX_PARAMETERS = 32, MAX_EXPONENT = 6, MAX_RATIO_DEGREE = 3, PROBE_SEED = 2300 };

/* Factor of a parameter: exact in binary, and no power of simple numbers. Convention. */
static const double STEP = 1.1875;
/* Random values of parameters are within the factors exp(-+ this). No unit; convention. */
static const double SPREAD = 0.6;
/* Factors of parameters in the last test: from the first on, in a range of this width, by
 * multiples of the golden ratio, so that no two change alike. Conventions. */
static const double FIRST_FACTOR = 1.05, FACTOR_RANGE = 0.3, GOLDEN_RATIO = 0.61803398875;
/* Product of numerator and denominator, no unit, up to which a fraction is no accident.
 * Convention. */
static const double MAX_FRACTION = 1e10;

typedef struct Naming {
    const AnalysisContext *context;
    const Numbers *numbers;
    ExprPool *pool;
    const double *values;
    size_t n_params;
    double *params, *other; /* other values of the parameters, of the numbers */
    double *symbols;        /* by symbol of the model: values for formulas of parameters */
    double *exponents;      /* [n][n_params]; NAN if the number is no power of the parameter */
    double *factors;        /* n: numbers without powers, later whole numbers over `denominator` */
    double denominator;     /* 0: factors are no fractions */
    Expr *above, *below;    /* n: of numbers that are quotients, else 1 */
    size_t n_variables;     /* of the quotients */
    Expr variables[RATIO_MAX_VARIABLES];
    Arena scratch; /* owns the arrays */
} Naming;

/* The numbers at w->params, in w->other. */
static Status find_again(Naming *w, uint64_t seed, bool *ret_found, Error *err)
{
    Probe probe;
    Status status =
        probe_init(&probe, w->context, w->params, w->numbers->states, 1, PROBE_SEED + seed, err);

    *ret_found = false;
    if (status == OK && probe.context.states->n_states == w->numbers->states)
        status = w->numbers->find(w->numbers->self, &probe.context, w->other, ret_found, err);
    probe_done(&probe);
    return status;
}

static double exponent_of(double ratio)
{
    double e = ratio > 0 ? log(ratio) / log(STEP) : NAN;
    double nearest = nearbyint(2 * e) / 2;
    /* the error of a coefficient over log STEP */
    return fabs(nearest) <= MAX_EXPONENT && fabs(e - nearest) < ACCURACY_CLEAR ? nearest : NAN;
}

/* How the numbers follow each parameter. Not found: they belong to these values alone. */
static Status follow_parameters(Naming *w, bool *ret_found, Error *err)
{
    Status status = OK;

    *ret_found = w->n_params <= MAX_PARAMETERS;
    /* multiply one parameter after the other by STEP: a number that grows by STEP^e has the
     * power e */
    for (size_t j = 0; j < w->n_params && *ret_found && status == OK; j++) {
        memcpy(w->params, w->context->params, w->n_params * sizeof *w->params);
        if (w->params[j] == 0)
            continue;
        w->params[j] *= STEP;
        status = find_again(w, j, ret_found, err);
        for (size_t k = 0; k < w->numbers->n && *ret_found; k++) {
            double e = exponent_of(w->other[k] / w->values[k]);
            bool real = w->params[j] > 0 || e == nearbyint(e);
            w->exponents[k * w->n_params + j] = real ? e : NAN;
        }
    }
    return status;
}

static bool is_power(const Naming *w, size_t k)
{
    for (size_t j = 0; j < w->n_params; j++)
        if (isnan(w->exponents[k * w->n_params + j]))
            return false;
    return true;
}

static bool add_variable(Naming *w, Expr e)
{
    if (exprs_contain(w->variables, w->n_variables, e))
        return true;
    if (w->n_variables == RATIO_MAX_VARIABLES)
        return false;
    w->variables[w->n_variables++] = e;
    return true;
}

/* Adds a parameter, or its sine, cosine or other function if the model contains only these. */
static bool add_parameter(Naming *w, size_t j)
{
    const Model *m = w->context->model;
    const uint32_t size = expr_pool_size(m->pool);
    bool hidden = false, added = true;

    for (uint32_t id = 1; id <= size && added; id++) {
        ExprNode node = expr_node(m->pool, (Expr){id});
        if (node.op >= EXPR_SIN && node.op <= EXPR_ERF &&
            expr_same(node.args[0], m->sym.params[j])) {
            hidden = true;
            added = add_variable(w, (Expr){id});
        }
    }
    return added && (hidden || add_variable(w, m->sym.params[j]));
}

static Status evaluate_formulas(Naming *w, const double *params, const Expr *exprs, size_t n,
                                double *ret, Error *err)
{
    const Model *m = w->context->model;

    for (size_t j = 0; j < w->n_params; j++)
        w->symbols[expr_node(m->pool, m->sym.params[j]).symbol] = params[j];
    return expr_eval(w->pool, exprs, n, w->symbols, ret, err);
}

static double power_of(const Naming *w, size_t k, const double *params)
{
    double product = 1;
    for (size_t j = 0; j < w->n_params; j++) {
        double e = w->exponents[k * w->n_params + j];
        if (isfinite(e) && e != 0)
            product *= pow(params[j], e);
    }
    return product;
}

/* The numbers, divided by the powers of parameters in them, at random values of the parameters:
 * points[samples][n_variables], values[n][samples]. */
static Status sample_numbers(Naming *w, size_t samples, double *points, double *values,
                             bool *ret_found, Error *err)
{
    Random random;
    Status status = OK;

    random_init(&random, PROBE_SEED);
    *ret_found = true;
    for (size_t i = 0; i < samples && *ret_found && status == OK; i++) {
        for (size_t j = 0; j < w->n_params; j++)
            w->params[j] = w->context->params[j] * exp(random_uniform(&random, -SPREAD, SPREAD));
        status = find_again(w, 100 + i, ret_found, err);
        /* the variables there, and the numbers without their powers */
        if (status == OK && *ret_found)
            status = evaluate_formulas(w, w->params, w->variables, w->n_variables,
                                       points + i * w->n_variables, err);
        for (size_t k = 0; k < w->numbers->n; k++)
            values[k * samples + i] = w->other[k] / power_of(w, k, w->params);
        if (status == OK)
            status = analysis_poll(w->context, err);
    }
    return status;
}

/* Tries one degree for all numbers that are no powers; *ret_found: all of them are quotients. */
static Status fit_quotients(Naming *w, unsigned degree, bool *ret_found, Error *err)
{
    const size_t samples = ratio_samples(w->n_variables, degree), n = w->numbers->n;
    double *points = arena_doubles(&w->scratch, samples * w->n_variables);
    double *values = arena_doubles(&w->scratch, samples * n);
    Status status = arena_status(&w->scratch, err);

    *ret_found = false;
    if (status == OK)
        status = sample_numbers(w, samples, points, values, ret_found, err);
    for (size_t k = 0; k < n && *ret_found && status == OK; k++) {
        const RatioSamples of_k = {.n = w->n_variables,
                                   .n_samples = samples,
                                   .points = points,
                                   .values = values + k * samples,
                                   .variables = w->variables};
        /* pure powers have their exponents already */
        if (!is_power(w, k))
            status = ratio_fit(&of_k, degree, w->pool, &w->above[k], &w->below[k], ret_found, err);
    }
    return status;
}

static Status find_quotients(Naming *w, bool *ret_found, Error *err)
{
    Status status = OK;
    bool few = true;

    for (size_t j = 0; j < w->n_params; j++)
        for (size_t k = 0; k < w->numbers->n; k++)
            if (isnan(w->exponents[k * w->n_params + j])) {
                few = few && add_parameter(w, j);
                break;
            }
    *ret_found = w->n_variables == 0;
    for (unsigned degree = 1; few && !*ret_found && degree <= MAX_RATIO_DEGREE && status == OK;
         degree++)
        status = fit_quotients(w, degree, ret_found, err);
    return status;
}

/* Makes all numbers free of denominators, and of parameters that all of them contain. */
static void clear_powers(Naming *w)
{
    for (size_t j = 0; j < w->n_params; j++) {
        double least = w->exponents[j];
        for (size_t k = 1; k < w->numbers->n; k++)
            least = fmin(least, w->exponents[k * w->n_params + j]);
        for (size_t k = 0; k < w->numbers->n; k++)
            w->exponents[k * w->n_params + j] -= least;
    }
}

/* The same for quotients. */
static void clear_quotients(Naming *w)
{
    for (size_t k = 0; k < w->numbers->n; k++) {
        Expr below = w->below[k];
        if (expr_is_const(w->pool, below, NULL))
            continue;
        for (size_t i = 0; i < w->numbers->n; i++) {
            w->above[i] = expr_mul(w->pool, w->above[i], below);
            if (i >= k && expr_same(w->below[i], below)) {
                w->above[i] = expr_div(w->pool, w->above[i], below);
                w->below[i] = expr_const(w->pool, 1);
            }
        }
    }
}

/* Writes factors as fractions of one denominator, if possible. */
static void find_fractions(Naming *w)
{
    double shared;

    w->denominator = 0;
    if (!ratio_make_whole(w->factors, w->numbers->n, &w->denominator, &shared))
        return;
    if (w->numbers->common_factor) {
        w->denominator = 1;
        for (size_t k = 0; k < w->numbers->n; k++)
            w->factors[k] /= shared;
    }
}

/* A fraction of larger numbers, or the decimal number of 12 digits nearest to x if it equals x up
 * to rounding; exact tests will confirm it or not. Twelve digits come near one number in ten by
 * accident. A fraction does so only if numerator and denominator have as many digits. */
static double plain_number(double x)
{
    char text[40];
    double decimal = x;
    Fraction fraction;
    const bool found = fraction_convergent(x, ACCURACY_COMPUTED, &fraction);
    const double quotient = found ? fraction.numerator / fraction.denominator : x;

    if (found && fabs(fraction.numerator) * fraction.denominator <= MAX_FRACTION)
        return quotient;
    snprintf(text, sizeof text, "%.11e", x);
    number_parse(text, strlen(text), &decimal);
    return decimal != x && fabs(decimal - x) <= ACCURACY_SUMMED * fabs(x) ? decimal : quotient;
}

static Expr spell(const Naming *w, size_t k)
{
    const double factor =
        w->denominator > 0 ? w->factors[k] / w->denominator : fraction_round(w->factors[k]);
    Expr e = expr_const(w->pool, plain_number(factor));

    for (size_t j = 0; j < w->n_params; j++) {
        double exponent = w->exponents[k * w->n_params + j];
        if (exponent != 0)
            e = expr_mul(
                w->pool, e,
                expr_pow(w->pool, w->context->model->sym.params[j], expr_const(w->pool, exponent)));
    }
    return expr_div(w->pool, expr_mul(w->pool, e, w->above[k]), w->below[k]);
}

static void forget_parameters(Naming *w)
{
    memset(w->exponents, 0, w->numbers->n * w->n_params * sizeof *w->exponents);
    for (size_t k = 0; k < w->numbers->n; k++)
        w->above[k] = w->below[k] = expr_const(w->pool, 1);
}

static Status spell_all(Naming *w, Expr *ret_exprs, Error *err)
{
    const size_t n = w->numbers->n;
    double quotient[2];

    /* divide each number by its quotient and its powers */
    for (size_t k = 0; k < n; k++) {
        Expr parts[2] = {w->above[k], w->below[k]};
        Status status = evaluate_formulas(w, w->context->params, parts, 2, quotient, err);
        if (status != OK)
            return status;
        w->factors[k] =
            w->values[k] * quotient[1] / quotient[0] / power_of(w, k, w->context->params);
    }
    for (size_t i = 0; i < n * w->n_params; i++)
        if (isnan(w->exponents[i]))
            w->exponents[i] = 0; /* the quotient contains the parameter */
    /* the factors that are left as fractions, without common factors */
    find_fractions(w);
    if (w->numbers->common_factor) {
        clear_powers(w);
        clear_quotients(w);
    }
    for (size_t k = 0; k < n; k++)
        ret_exprs[k] = spell(w, k);
    return OK;
}

/* Changes all parameters at once, to values not used before: do the formulas agree with the
 * numbers, up to one factor if that is free? */
static Status confirm_names(Naming *w, const Expr *exprs, bool *ret_confirmed, Error *err)
{
    double *formulas = arena_doubles(&w->scratch, w->numbers->n), factor = 1;
    Status status = arena_status(&w->scratch, err);

    for (size_t j = 0; j < w->n_params; j++)
        w->params[j] = w->context->params[j] *
                       (FIRST_FACTOR + FACTOR_RANGE * fmod(GOLDEN_RATIO * (double)(j + 1), 1));
    if (status == OK)
        status = find_again(w, w->n_params, ret_confirmed, err);
    if (status == OK && *ret_confirmed)
        status = evaluate_formulas(w, w->params, exprs, w->numbers->n, formulas, err);
    if (status == OK && *ret_confirmed && w->numbers->common_factor)
        factor = formulas[0] / w->other[0];
    for (size_t k = 0; k < w->numbers->n && status == OK && *ret_confirmed; k++)
        *ret_confirmed =
            fabs(formulas[k] - factor * w->other[k]) <= ACCURACY_HALF * fabs(factor * w->other[k]);
    return status;
}

static Status name_all(Naming *w, Expr *ret_exprs, Error *err)
{
    bool known = false;
    Status status = OK;

    /* exponents of powers, quotients if these fail, formulas, and a test of the formulas */
    forget_parameters(w);
    if (w->n_params)
        status = follow_parameters(w, &known, err);
    if (status == OK && known)
        status = find_quotients(w, &known, err);
    if (status == OK && known)
        status = spell_all(w, ret_exprs, err);
    if (status == OK && known)
        status = confirm_names(w, ret_exprs, &known, err);
    /* without a formula that holds for other parameters: the numbers for these */
    if (status == OK && !known) {
        forget_parameters(w);
        status = spell_all(w, ret_exprs, err);
    }
    return status;
}

Status numbers_name(const AnalysisContext *context, const Numbers *numbers, const double *values,
                    Expr *ret_exprs, bool *ret_rounded, Error *err)
{
    const size_t n = numbers->n, n_params = context->model->n_params;
    Naming w = {.context = context,
                .numbers = numbers,
                .pool = context->pool,
                .values = values,
                .n_params = n_params};

    w.params = arena_doubles(&w.scratch, n_params);
    w.other = arena_doubles(&w.scratch, n);
    w.symbols = arena_doubles(&w.scratch, context->model->sym.first_free);
    w.exponents = arena_doubles(&w.scratch, n * n_params);
    w.factors = arena_doubles(&w.scratch, n);
    w.above = ARENA_NEW(&w.scratch, n, Expr);
    w.below = ARENA_NEW(&w.scratch, n, Expr);
    Status status = arena_status(&w.scratch, err);
    /* a number without a fraction is rounded */
    if (status == OK)
        status = name_all(&w, ret_exprs, err);
    if (ret_rounded)
        *ret_rounded = w.denominator == 0;
    arena_done(&w.scratch);
    return status;
}
