/* The table of functions: names, operands, values for constants, derivatives. */
#include "core/expr/graph/function.h"

#include <math.h>
#include <string.h>

typedef double Unary(double u);
typedef double Binary(double u, double w);

static double sign_value(double u)
{
    return u > 0.0 ? 1.0 : u < 0.0 ? -1.0 : u; /* NaN stays NaN */
}

static double not_value(double u)
{
    return u == 0.0;
}

/* min and max keep a NaN, unlike fmin and fmax, so that it reaches the result. */
static double min_value(double u, double w)
{
    return u < w || isnan(u) ? u : w;
}

static double max_value(double u, double w)
{
    return u > w || isnan(u) ? u : w;
}

static double less_value(double u, double w)
{
    return u < w;
}

static double less_equal_value(double u, double w)
{
    return u <= w;
}

static double equal_value(double u, double w)
{
    return u == w;
}

static double and_value(double u, double w)
{
    return u != 0.0 && w != 0.0;
}

static double or_value(double u, double w)
{
    return u != 0.0 || w != 0.0;
}

typedef struct Function {
    Unary *unary; /* one of the two is set */
    Binary *binary;
    Slope slope; /* of a unary function */
} Function;

#define LOG_10 2.30258509299404568402
#define TWO_OVER_SQRT_PI 1.12837916709551257390

/* Derivatives: Abramowitz and Stegun, chapters 4 and 7. A slope is the factor, whether x is the
 * value, p, q, the outer function and the exponent. */
static const Function FUNCTIONS[] = {
    [EXPR_SIN] = {.unary = sin, .slope = {1, false, 0, 0, EXPR_COS, 1}},
    [EXPR_COS] = {.unary = cos, .slope = {-1, false, 0, 0, EXPR_SIN, 1}},
    [EXPR_TAN] = {.unary = tan, .slope = {1, true, 1, 1, EXPR_CONST, 1}},
    [EXPR_ASIN] = {.unary = asin, .slope = {1, false, 1, -1, EXPR_SQRT, -1}},
    [EXPR_ACOS] = {.unary = acos, .slope = {-1, false, 1, -1, EXPR_SQRT, -1}},
    [EXPR_ATAN] = {.unary = atan, .slope = {1, false, 1, 1, EXPR_CONST, -1}},
    [EXPR_SINH] = {.unary = sinh, .slope = {1, false, 0, 0, EXPR_COSH, 1}},
    [EXPR_COSH] = {.unary = cosh, .slope = {1, false, 0, 0, EXPR_SINH, 1}},
    [EXPR_TANH] = {.unary = tanh, .slope = {1, true, 1, -1, EXPR_CONST, 1}},
    [EXPR_ASINH] = {.unary = asinh, .slope = {1, false, 1, 1, EXPR_SQRT, -1}},
    [EXPR_ACOSH] = {.unary = acosh, .slope = {1, false, -1, 1, EXPR_SQRT, -1}},
    [EXPR_ATANH] = {.unary = atanh, .slope = {1, false, 1, -1, EXPR_CONST, -1}},
    [EXPR_EXP] = {.unary = exp, .slope = {1, true, 0, 0, EXPR_CONST, 1}},
    [EXPR_LOG] = {.unary = log, .slope = {1, false, 0, 0, EXPR_CONST, -1}},
    [EXPR_LOG10] = {.unary = log10, .slope = {1 / LOG_10, false, 0, 0, EXPR_CONST, -1}},
    [EXPR_SQRT] = {.unary = sqrt, .slope = {0.5, true, 0, 0, EXPR_CONST, -1}},
    [EXPR_CBRT] = {.unary = cbrt, .slope = {1.0 / 3, true, 0, 0, EXPR_CONST, -2}},
    [EXPR_ERF] = {.unary = erf, .slope = {TWO_OVER_SQRT_PI, false, 0, -1, EXPR_EXP, 1}},
    [EXPR_ABS] = {.unary = fabs, .slope = {1, false, 0, 0, EXPR_SIGN, 1}},
    [EXPR_SIGN] = {.unary = sign_value, .slope = {0}},
    [EXPR_ATAN2] = {.binary = atan2},
    [EXPR_POW] = {.binary = pow},
    [EXPR_HYPOT] = {.binary = hypot},
    [EXPR_MIN] = {.binary = min_value},
    [EXPR_MAX] = {.binary = max_value},
    [EXPR_LT] = {.binary = less_value},
    [EXPR_LE] = {.binary = less_equal_value},
    [EXPR_EQ] = {.binary = equal_value},
    [EXPR_NOT] = {.unary = not_value},
    [EXPR_AND] = {.binary = and_value},
    [EXPR_OR] = {.binary = or_value},
};

static const char *const NAMES[] = {
#define FUNCTION_NAME(op, name, operands, arguments, meaning) name,
    EXPR_FUNCTION_LIST(FUNCTION_NAME)
#undef FUNCTION_NAME
};

const char *function_name(ExprOp op)
{
    return op >= FUNCTION_FIRST && op <= FUNCTION_LAST ? NAMES[op - FUNCTION_FIRST] : NULL;
}

size_t function_operands(ExprOp op)
{
    if (op == EXPR_IF)
        return 3;
    if (op < FUNCTION_FIRST || op > EXPR_OR)
        return 0;
    return FUNCTIONS[op].unary ? 1 : 2;
}

bool function_is_condition(ExprOp op)
{
    return op >= EXPR_LT && op <= EXPR_OR;
}

bool function_find(const char *name, size_t length, ExprOp *ret_op)
{
    for (int op = FUNCTION_FIRST; op <= FUNCTION_LAST; op++) {
        const char *own = NAMES[op - FUNCTION_FIRST];
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            *ret_op = (ExprOp)op;
            return true;
        }
    }
    return false;
}

double function_value(ExprOp op, const double *args)
{
    if (op == EXPR_IF)
        return args[0] != 0.0 ? args[1] : args[2];
    if (FUNCTIONS[op].unary)
        return FUNCTIONS[op].unary(args[0]);
    return FUNCTIONS[op].binary(args[0], args[1]);
}

const Slope *function_slope(ExprOp op)
{
    return &FUNCTIONS[op].slope;
}

double function_integer_power(double base, double exponent)
{
    double result = 1.0, square = base;
    uint64_t left = (uint64_t)fabs(exponent);

    for (; left; left >>= 1) {
        if (left & 1)
            result *= square;
        if (left > 1)
            square *= square;
    }
    return exponent < 0.0 ? 1.0 / result : result;
}
