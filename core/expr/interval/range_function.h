/* Ranges of functions from the ranges of their arguments. Private to core/expr. */
#ifndef CORE_EXPR_RANGE_FUNCTION_H
#define CORE_EXPR_RANGE_FUNCTION_H

#include "core/expr/graph/expr.h"
#include "core/expr/interval/interval.h"

Range range_unknown(void); /* any value, any rate */
Range range_nowhere(void); /* not defined anywhere */

Range range_product(const Range *a, const Range *b);
/* u^n; n is an integer. */
Range range_integer_power(const Range *u, double n);
/* A function or a condition of up to three arguments; unused arguments are not read. */
Range range_function(ExprOp op, const Range *a, const Range *b, const Range *c);

#endif
