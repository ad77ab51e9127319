/* A number that depends on others, as a quotient of two polynomials in them with small fractions as
 * coefficients. */
#ifndef CORE_INVARIANTS_SEARCH_RATIO_H
#define CORE_INVARIANTS_SEARCH_RATIO_H

#include <stdbool.h>
#include <stddef.h>

#include "core/expr/expr.h"

enum { RATIO_MAX_VARIABLES = 5 };

/* The number at samples of the variables: points[n_samples][n], values[n_samples]. */
typedef struct RatioSamples {
    size_t n, n_samples;
    const double *points, *values;
} RatioSamples;

/* How many samples it takes for polynomials of that degree. */
size_t ratio_samples(size_t n, unsigned degree);

/* Tries polynomials of up to `degree`, the simplest first; variables[n] are in `pool`. */
Status ratio_fit(const RatioSamples *samples, unsigned degree, const Expr *variables,
                 ExprPool *pool, Expr *ret_numerator, Expr *ret_denominator, bool *ret_found,
                 Error *err) MUST_CHECK;

/* x as numerator/denominator with a denominator up to 64, to 8 digits; false where it is none. */
bool ratio_fraction(double x, double *ret_numerator, double *ret_denominator);

/* The greatest common divisor of two whole numbers. */
double ratio_divisor(double a, double b);

#endif
