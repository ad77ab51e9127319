/* Names, values and derivatives of operations. Private to core/expr. */
#ifndef CORE_EXPR_FUNCTION_H
#define CORE_EXPR_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/expr/graph/expr.h"

/* The functions of EXPR_FUNCTION_LIST are the operations from FUNCTION_FIRST to FUNCTION_LAST. */
#define FUNCTION_FIRST EXPR_SIN
#define FUNCTION_LAST EXPR_MAX

const char *function_name(ExprOp op);  /* NULL for other operations */
size_t function_operands(ExprOp op);   /* of functions, comparisons, connectives, if; else 0 */
bool function_is_condition(ExprOp op); /* comparisons and connectives */
bool function_find(const char *name, size_t length, ExprOp *ret_op);

/* The value by the C library. Defined for all operations that have function_operands(). */
double function_value(ExprOp op, const double *args);

/* The derivative of a function of one operand u, with the value f:
 *
 *     factor outer(base)^exponent,   base = p + q x^2,   x = u or f */
typedef struct Slope {
    double factor;
    bool of_value; /* x is f, not u */
    double p, q;   /* both 0: the base is x itself */
    ExprOp outer;  /* EXPR_CONST: none */
    double exponent;
} Slope;

const Slope *function_slope(ExprOp op);

/* base ^ exponent for an integer exponent, by repeated squaring. */
double function_integer_power(double base, double exponent);

#endif
