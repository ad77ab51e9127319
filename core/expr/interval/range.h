/* Intervals that contain the values of an expression, and those of its rate, while its symbols
 * move.
 *
 * Interval arithmetic with outward rounding (R. E. Moore, R. B. Kearfott, M. J. Cloud: Introduction
 * to Interval Analysis, SIAM 2009), and the chain rule in it: no value is missed, but the intervals
 * may be wider than need be; they close in as the symbols' do. */
#ifndef CORE_EXPR_RANGE_H
#define CORE_EXPR_RANGE_H

#include "core/expr/graph/expr.h"
#include "core/expr/interval/interval.h"

typedef struct RangeEval RangeEval;

/* Of n_roots expressions over symbols below n_symbols. Borrows the pool. */
Status range_eval_new(const ExprPool *pool, const Expr *roots, size_t n_roots, size_t n_symbols,
                      RangeEval **ret_eval, Error *err) MUST_CHECK;
void range_eval_free(RangeEval *eval); /* NULL is fine */

/* Is the symbol under one of the expressions? */
bool range_eval_uses(const RangeEval *eval, size_t symbol);

/* symbols[n_symbols], of which only those in use are read; ret_ranges[n_roots]. */
void range_eval(RangeEval *eval, const Range *symbols, Range *ret_ranges);

/* Of the symbols that range_eval() was given last: is all that is made of them as smooth as they
 * are? Sums and products of a moderate degree; sines, exponentials and the like of what moves by 1
 * at most; roots, norms and quotients of what stays within a factor of 2; no corner. False says
 * nothing. */
bool range_eval_calm(const RangeEval *eval);

#endif
