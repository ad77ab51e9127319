/* Intervals that contain the values and rates of an expression while its symbols move.
 *
 * Interval arithmetic with outward rounding (R. E. Moore, R. B. Kearfott, M. J. Cloud: Introduction
 * to Interval Analysis, SIAM 2009), and the chain rule in it. The intervals contain all values, but
 * may be too wide; they shrink with the symbols' intervals. */
#ifndef CORE_EXPR_RANGE_H
#define CORE_EXPR_RANGE_H

#include "core/expr/graph/expr.h"
#include "core/expr/interval/interval.h"

typedef struct RangeEval RangeEval;

/* For n_roots expressions over symbols below n_symbols. Borrows the pool. */
Status range_eval_new(const ExprPool *pool, const Expr *roots, size_t n_roots, size_t n_symbols,
                      RangeEval **ret_eval, Error *err) MUST_CHECK;
void range_eval_free(RangeEval *eval); /* NULL is fine */

/* Whether the symbol occurs in one of the expressions. */
bool range_eval_uses(const RangeEval *eval, size_t symbol);

/* symbols[n_symbols], of which only used ones are read; ret_ranges[n_roots]. */
void range_eval(RangeEval *eval, const Range *symbols, Range *ret_ranges);

/* True if all expressions of the last range_eval() are as smooth as their symbols. They have no
 * corner: sums and products of a moderate degree, sines, exponentials and the like whose argument
 * moves by at most 1, roots, norms and quotients within a factor of 2. False proves nothing. */
bool range_eval_calm(const RangeEval *eval);

#endif
