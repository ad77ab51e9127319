/* A number that depends on others, as a quotient of two polynomials in them with small fractions as
 * coefficients. */
#ifndef CORE_INVARIANTS_SEARCH_RATIO_H
#define CORE_INVARIANTS_SEARCH_RATIO_H

#include <stdbool.h>
#include <stddef.h>

#include "core/expr/graph/expr.h"

/* Variables of a quotient: the number of monomials grows fast. Convention. */
enum { RATIO_MAX_VARIABLES = 5 };

/* The number at samples of the variables: points[n_samples][n], values[n_samples]; variables[n]. */
typedef struct RatioSamples {
    size_t n, n_samples;
    const double *points, *values;
    const Expr *variables;
} RatioSamples;

/* The number of samples for polynomials of that degree. */
size_t ratio_samples(size_t n, unsigned degree);

/* Tries polynomials of up to `degree`, the simplest first; the variables are in `pool`. */
Status ratio_fit(const RatioSamples *samples, unsigned degree, ExprPool *pool, Expr *ret_numerator,
                 Expr *ret_denominator, bool *ret_found, Error *err) MUST_CHECK;

/* Multiplies x[n] by the smallest number that makes all of them whole, *ret_common, up to 10000;
 * *ret_shared: their greatest common divisor then. False: there is none, and nothing changed. */
bool ratio_make_whole(double *x, size_t n, double *ret_common, double *ret_shared);

#endif
