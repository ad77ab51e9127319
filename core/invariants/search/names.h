/* Names of numbers: fractions, powers of the model's parameters, and quotients of polynomials in
 * them.
 *
 * A further search with other parameter values shows the parameters that a coefficient depends
 * on, and how: a number alone would tell 3/2 from m only by luck. */
#ifndef CORE_INVARIANTS_SEARCH_NAMES_H
#define CORE_INVARIANTS_SEARCH_NAMES_H

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

#endif
