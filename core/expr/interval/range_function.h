/* Inside core/expr: what functions make of the intervals of their arguments and of the arguments'
 * rates. */
#ifndef CORE_EXPR_RANGE_FUNCTION_H
#define CORE_EXPR_RANGE_FUNCTION_H

#include "core/expr/graph/expr.h"
#include "core/expr/interval/interval.h"

Range range_unknown(void); /* anything, at any rate */
Range range_nowhere(void); /* nothing is defined */

Range range_product(const Range *a, const Range *b);
/* u^n; n is whole. */
Range range_integer_power(const Range *u, double n);
/* Of a function or a condition of up to three arguments; those that it has not are not read. */
Range range_function(ExprOp op, const Range *a, const Range *b, const Range *c);

#endif
