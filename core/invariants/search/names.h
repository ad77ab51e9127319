/* Names of numbers: fractions, powers of the model's parameters, and quotients of polynomials in
 * them.
 *
 * A further search with other parameter values shows the parameters that a coefficient depends
 * on, and how: a number alone would tell 3/2 from m only by luck. */
#ifndef CORE_INVARIANTS_SEARCH_NAMES_H
#define CORE_INVARIANTS_SEARCH_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/expr/graph/expr.h"
#include "core/invariants/analysis.h"

/* Coefficients for the parameters and the states of a context. */
typedef struct Numbers {
    void *self;
    size_t n, states; /* their number; states that are needed to find them */
    Status (*find)(void *self, const AnalysisContext *context, double *ret_values, bool *ret_found,
                   Error *err);
    bool common_factor; /* they may be multiplied by one, to get rid of denominators */
} Numbers;

/* ret_exprs[n] for values[n], which numbers->find gave in this context: formulas that also hold
 * for other parameters, or else the numbers themselves. *ret_rounded: some are no simple
 * fractions, so that their last digits may be wrong; may be NULL. */
Status numbers_name(const AnalysisContext *context, const Numbers *numbers, const double *values,
                    Expr *ret_exprs, bool *ret_rounded, Error *err) MUST_CHECK;

/* A number that depends on others, as a quotient of two polynomials in them with small fractions as
 * coefficients. */

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
