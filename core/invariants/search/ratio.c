/* Rational interpolation by the first dependence P - value Q = 0 among monomials at samples. */
#include "core/invariants/search/names.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/fraction.h"
#include "core/invariants/search/columns.h"
#include "core/numeric/vectors.h"

/* The largest common denominator, monomials, and samples beyond the unknowns. Conventions. */
enum { MAX_DENOMINATOR = 10000, MAX_MONOMIALS = 128, SPARE_SAMPLES = 12 };

bool ratio_make_whole(double *x, size_t n, double *ret_common, double *ret_shared)
{
    double common = 1, shared = 0;
    Fraction fraction;

    for (size_t k = 0; k < n; k++) {
        if (!fraction_near(x[k], &fraction))
            return false;
        common *= fraction.denominator / fraction_divisor(common, fraction.denominator);
        if (common > MAX_DENOMINATOR)
            return false;
    }
    /* whole numbers and their divisor */
    for (size_t k = 0; k < n; k++) {
        x[k] = nearbyint(x[k] * common);
        shared = fraction_divisor(shared, x[k]);
    }
    *ret_common = common;
    *ret_shared = shared;
    return true;
}

/* Products of variables, by degree, as exponents of each variable. */
typedef struct Monomials {
    size_t n;
    unsigned char exponents[MAX_MONOMIALS][RATIO_MAX_VARIABLES];
} Monomials;

static unsigned degree_of(const unsigned char *exponents)
{
    unsigned sum = 0;
    for (size_t i = 0; i < RATIO_MAX_VARIABLES; i++)
        sum += exponents[i];
    return sum;
}

/* Each monomial once: a factor follows only if no later variable is there already. */
static void list_monomials(Monomials *m, size_t n, unsigned degree)
{
    memset(m, 0, sizeof *m);
    m->n = 1;
    for (size_t k = 0; k < m->n && degree_of(m->exponents[k]) < degree; k++) {
        size_t last = 0;
        for (size_t i = 0; i < n; i++)
            if (m->exponents[k][i])
                last = i;
        for (size_t i = last; i < n && m->n < MAX_MONOMIALS; i++) {
            memcpy(m->exponents[m->n], m->exponents[k], RATIO_MAX_VARIABLES);
            m->exponents[m->n++][i]++;
        }
    }
}

size_t ratio_samples(size_t n, unsigned degree)
{
    Monomials m;
    list_monomials(&m, n, degree);
    return 2 * m.n + SPARE_SAMPLES;
}

static double monomial_at(const Monomials *m, size_t k, const double *point, size_t n)
{
    double product = 1;
    for (size_t i = 0; i < n; i++)
        for (unsigned e = 0; e < m->exponents[k][i]; e++)
            product *= point[i];
    return product;
}

/* Of every second coefficient. */
static Expr polynomial(ExprPool *pool, const Monomials *m, const Expr *variables, size_t n,
                       const double *coefs)
{
    Expr sum = expr_const(pool, 0);

    for (size_t k = 0; k < m->n; k++) {
        if (coefs[2 * k] == 0)
            continue;
        Expr term = expr_const(pool, coefs[2 * k]);
        for (size_t i = 0; i < n; i++)
            for (unsigned e = 0; e < m->exponents[k][i]; e++)
                term = expr_mul(pool, term, variables[i]);
        sum = expr_add(pool, sum, term);
    }
    return sum;
}

/* Makes whole numbers without a common factor in place; false: they are no fractions. */
static bool make_primitive(double *coefs, size_t n)
{
    const double largest = vector_largest(coefs, n);
    double common, shared, smallest = INFINITY;

    /* drop coefficients that are rounding */
    for (size_t k = 0; k < n; k++) {
        if (fabs(coefs[k]) <= ACCURACY_DIFFERENCED * largest)
            coefs[k] = 0;
        else
            smallest = fmin(smallest, fabs(coefs[k]));
    }
    for (size_t k = 0; k < n; k++)
        coefs[k] /= smallest;
    if (!ratio_make_whole(coefs, n, &common, &shared))
        return false;
    for (size_t k = 0; k < n; k++)
        coefs[k] /= shared;
    return true;
}

typedef struct RatioSource {
    const RatioSamples *samples;
    const Monomials *monomials;
} RatioSource;

/* P_k = monomial, Q_k = -value * monomial, one after the other. */
static double fill_product(const void *self, size_t k, double *column)
{
    const RatioSource *s = self;
    const RatioSamples *samples = s->samples;

    for (size_t i = 0; i < samples->n_samples; i++) {
        column[i] = monomial_at(s->monomials, k / 2, samples->points + i * samples->n, samples->n);
        column[i] *= k % 2 ? -samples->values[i] : 1;
    }
    return vector_length(column, samples->n_samples);
}

/* The first column that depends on those before it: coefs[2 k], coefs[2 k + 1]. */
static Status first_relation(const RatioSamples *samples, const Monomials *m, double *coefs,
                             bool *ret_found, Error *err)
{
    const RatioSource ratio = {.samples = samples, .monomials = m};
    const ColumnSource source = {.n = 2 * m->n,
                                 .rows = samples->n_samples,
                                 .tolerance = ACCURACY_SOLVED,
                                 .most = 1,
                                 .fill = fill_product,
                                 .self = &ratio};
    Arena scratch = {0};
    Columns columns;
    /* stop at the first combination, which has the lowest degree */
    Status status = columns_search(&source, &scratch, &columns, err);

    *ret_found = status == OK && columns.n_combinations > 0;
    if (*ret_found)
        memcpy(coefs, columns.combinations, 2 * m->n * sizeof *coefs);
    arena_done(&scratch);
    return status;
}

Status ratio_fit(const RatioSamples *s, unsigned degree, ExprPool *pool, Expr *ret_numerator,
                 Expr *ret_denominator, bool *ret_found, Error *err)
{
    Monomials m;
    double coefs[2 * MAX_MONOMIALS];
    bool found;

    *ret_found = false;
    list_monomials(&m, s->n, degree);
    if (s->n_samples < 2 * m.n + SPARE_SAMPLES / 2)
        return OK;
    Status status = first_relation(s, &m, coefs, &found, err);
    if (status != OK || !found || !make_primitive(coefs, 2 * m.n))
        return status;
    *ret_numerator = polynomial(pool, &m, s->variables, s->n, coefs);
    *ret_denominator = polynomial(pool, &m, s->variables, s->n, coefs + 1);
    *ret_found = !expr_is_zero(pool, *ret_denominator) && !expr_is_zero(pool, *ret_numerator);
    return OK;
}
