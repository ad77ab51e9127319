#include "core/invariants/discovery_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum {
    MOST_PARAMETERS = 32, /* more are not asked one by one */
    MOST_DENOMINATOR = 64,
    MOST_NUMERATOR = 10000,
    MOST_EXPONENT = 6,
    PROBE_BYTES = 1 << 28,
    PROBE_SEED = 2300
};

static const double SAME = 1e-8, STEP = 1.1875;

/* Probes --------------------------------------------------------------------------------------- */

/* States in a range at least 1 wide and long: near one place too many functions look alike. */
static Status make_states(Probe *p, double wider, size_t states, uint64_t seed, Error *err)
{
    AnalysisContext *c = &p->context;
    const size_t n = c->model->n;
    double *width = arena_alloc(p->arena, n, sizeof *width);
    const StateRange narrow = c->range;
    if (!width)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < n; i++)
        width[i] = wider * fmax(narrow.width[i], 1);
    c->range.width = width;
    c->range.t_to = fmax(narrow.t_to, narrow.t_from + 1);
    Status status = analysis_make_states(c, states, seed, err);
    if (status == OK && c->states->n_states < states) {
        c->range = narrow;
        status = analysis_make_states(c, states, seed, err);
    }
    return status;
}

Status probe_init(Probe *p, const AnalysisContext *context, const double *params, size_t states,
                  double wider, uint64_t seed, Error *err)
{
    const size_t n_params = context->model->n_params;
    Status status = OK;

    *p = (Probe){.context = *context,
                 .params = alloc_array(n_params, sizeof *p->params),
                 .arena = arena_new(PROBE_BYTES)};
    if (!p->params || !p->arena)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    p->context.arena = p->arena;
    if (params) {
        memcpy(p->params, params, n_params * sizeof *p->params);
        status = model_eval_new(context->programs, p->params, &p->eval, err);
        if (status == OK) {
            model_eval_set_metric(p->eval, model_eval_metric(context->eval));
            p->context.params = p->params;
            p->context.eval = p->eval;
        }
    }
    return status == OK ? make_states(p, wider, states, seed, err) : status;
}

void probe_done(Probe *p)
{
    model_eval_free(p->eval);
    arena_free(p->arena);
    free(p->params);
    *p = (Probe){0};
}

/* Names ---------------------------------------------------------------------------------------- */

typedef struct Naming {
    const AnalysisContext *context;
    const Numbers *numbers;
    const double *values;
    size_t n_params;
    double *params, *other; /* other values of the parameters, of the numbers */
    double *exponents;      /* [n][n_params] */
    double *factors;        /* n: what is left, and then its numerators over `denominator` */
    double denominator;     /* 0: factors are no fractions */
    bool powers;            /* all numbers are factors times powers of parameters */
} Naming;

static bool fraction(double x, double *ret_numerator, double *ret_denominator)
{
    for (int q = 1; q <= MOST_DENOMINATOR; q++) {
        double p = nearbyint(x * q);
        if (fabs(p) <= MOST_NUMERATOR && fabs(x * q - p) <= SAME * fabs(x * q)) {
            *ret_numerator = p;
            *ret_denominator = q;
            return true;
        }
    }
    return false;
}

static Status ask(Naming *w, uint64_t seed, bool *ret_found, Error *err)
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
    return fabs(nearest) <= MOST_EXPONENT && fabs(e - nearest) < SAME * 100 ? nearest : NAN;
}

/* How the numbers follow one parameter. */
static Status follow(Naming *w, size_t j, Error *err)
{
    bool found = true;
    Status status;

    memcpy(w->params, w->context->params, w->n_params * sizeof *w->params);
    if (w->params[j] == 0)
        return OK;
    w->params[j] *= STEP;
    status = ask(w, j, &found, err);
    w->powers = w->powers && found;
    for (size_t k = 0; k < w->numbers->n && w->powers; k++) {
        double e = exponent_of(w->other[k] / w->values[k]);
        w->powers = isfinite(e) && (w->params[j] > 0 || e == nearbyint(e));
        w->exponents[k * w->n_params + j] = e;
    }
    return status;
}

static double power_of(const Naming *w, size_t k, const double *params)
{
    double product = 1;
    for (size_t j = 0; j < w->n_params; j++)
        if (w->exponents[k * w->n_params + j] != 0)
            product *= pow(params[j], w->exponents[k * w->n_params + j]);
    return product;
}

/* All parameters changed at once, as none of the questions had them. */
static Status confirm(Naming *w, Error *err)
{
    bool found = false;

    for (size_t j = 0; j < w->n_params; j++)
        w->params[j] =
            w->context->params[j] * (1.05 + 0.3 * fmod(0.61803398875 * (double)(j + 1), 1));
    Status status = ask(w, w->n_params, &found, err);
    w->powers = found;
    for (size_t k = 0; k < w->numbers->n && w->powers; k++) {
        double expected =
            w->values[k] * power_of(w, k, w->params) / power_of(w, k, w->context->params);
        w->powers = fabs(w->other[k] - expected) <= SAME * fabs(expected);
    }
    return status;
}

static Status find_powers(Naming *w, Error *err)
{
    Status status = OK;

    w->powers = w->n_params <= MOST_PARAMETERS;
    for (size_t j = 0; j < w->n_params && w->powers && status == OK; j++)
        status = follow(w, j, err);
    if (w->powers && status == OK && w->n_params)
        status = confirm(w, err);
    if (!w->powers)
        memset(w->exponents, 0, w->numbers->n * w->n_params * sizeof *w->exponents);
    for (size_t k = 0; k < w->numbers->n; k++)
        w->factors[k] = w->values[k] / power_of(w, k, w->context->params);
    return status;
}

/* Multiplies all numbers so that none has a parameter in its denominator, and no parameter is in
 * all of them. */
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

static double divisor(double a, double b)
{
    while (b != 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* Factors as fractions of one denominator, where they are. */
static void find_fractions(Naming *w)
{
    double common = 1, numerator, denominator, shared = 0;

    w->denominator = 0;
    for (size_t k = 0; k < w->numbers->n; k++) {
        if (!fraction(w->factors[k], &numerator, &denominator))
            return;
        common *= denominator / divisor(common, denominator);
        if (common > MOST_NUMERATOR)
            return;
    }
    for (size_t k = 0; k < w->numbers->n; k++) {
        w->factors[k] = nearbyint(w->factors[k] * common);
        shared = divisor(fabs(w->factors[k]), shared);
    }
    w->denominator = common;
    if (w->numbers->common_factor) {
        w->denominator = 1;
        for (size_t k = 0; k < w->numbers->n; k++)
            w->factors[k] /= shared;
    }
}

static Expr spell(const Naming *w, ExprPool *pool, size_t k)
{
    double factor = w->factors[k], numerator, denominator;
    if (w->denominator > 0)
        factor /= w->denominator;
    else if (fraction(factor, &numerator, &denominator))
        factor = numerator / denominator;
    Expr e = expr_const(pool, factor);

    for (size_t j = 0; j < w->n_params; j++) {
        double exponent = w->exponents[k * w->n_params + j];
        if (exponent != 0)
            e = expr_mul(pool, e,
                         expr_pow(pool, w->context->model->params[j], expr_const(pool, exponent)));
    }
    return e;
}

Status numbers_name(const AnalysisContext *context, const Numbers *numbers, const double *values,
                    ExprPool *pool, Expr *ret_exprs, bool *ret_general, Error *err)
{
    const size_t n = numbers->n, n_params = context->model->n_params;
    Naming w = {.context = context,
                .numbers = numbers,
                .values = values,
                .n_params = n_params,
                .params = alloc_array(n_params, sizeof *w.params),
                .other = alloc_array(n, sizeof *w.other),
                .exponents = alloc_array(n * n_params, sizeof *w.exponents),
                .factors = alloc_array(n, sizeof *w.factors)};
    Status status = OK;

    if (!w.params || !w.other || !w.exponents || !w.factors)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = find_powers(&w, err);
    if (status == OK) {
        find_fractions(&w);
        if (numbers->common_factor)
            clear_powers(&w);
        for (size_t k = 0; k < n; k++)
            ret_exprs[k] = spell(&w, pool, k);
        if (ret_general)
            *ret_general = w.powers;
    }
    free(w.params);
    free(w.other);
    free(w.exponents);
    free(w.factors);
    return status;
}
