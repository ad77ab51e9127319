/* The builders of numbers, symbols and arithmetic. */
#include "core/expr/graph/build.h"

#include <math.h>

#include "core/base/decimal.h"

Expr expr_const(ExprPool *pool, double value)
{
    if (!isfinite(value))
        return pool_fail(pool, ERR_INVALID, "a constant is not a finite number");
    return pool_intern(pool, &(Shape){.op = EXPR_CONST, .value = value + 0.0}); /* -0 becomes 0 */
}

/* The number of significant digits. */
static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;

    for (size_t k = 0; k < length && text[k] != 'e' && text[k] != 'E'; k++)
        n += text[k] >= '0' && text[k] <= '9' && (n > 0 || text[k] != '0');
    return n;
}

/* A number of more digits than the decimal that a double stands for. If it is the double's shortest
 * decimal, as expressions are printed, it is the double's own number, even a fraction. */
static Expr long_decimal(ExprPool *pool, double value, const char *text, size_t length)
{
    Rational written, shortest;
    uint64_t digits;
    int exponent;

    if (!rational_read(text, length, &written))
        return expr_const(pool, real_stand(pool, value, 0));
    decimal_read(value, &digits, &exponent);
    shortest = rational_of(true, digits, exponent, 1);
    if (rational_add(&shortest, &written) && rational_is_zero(&shortest)) {
        real_result(pool, value);
        return expr_const(pool, value);
    }
    return expr_const(pool, real_stand(pool, value, real_of_rational(pool, &written)));
}

Expr expr_decimal(ExprPool *pool, double value, const char *text, size_t length)
{
    enum { SHORT = 15 };
    uint64_t digits, denominator;
    int exponent;
    double parts[DECIMAL_PARTS];
    size_t n;

    if (isfinite(value) && count_digits(text, length) > SHORT)
        return long_decimal(pool, value, text, length);
    if (isfinite(value))
        real_result(pool, value);
    /* the double means its decimal, not a fraction */
    if (!isfinite(value) || !decimal_is_short(value) ||
        !decimal_meaning(value, &digits, &denominator, &exponent) || denominator == 1)
        return expr_const(pool, value);
    decimal_read(value, &digits, &exponent);
    const Rational written = rational_of(value < 0, digits, exponent, 1);
    if (!decimal_write(&written, parts, &n))
        return expr_const(pool, value);
    /* else the written decimal is a sum of several doubles */
    return sum_multiples(pool, parts, n, expr_const(pool, 1.0));
}

Expr expr_given(ExprPool *pool, double value)
{
    uint64_t digits;
    int exponent;

    if (!isfinite(value))
        return expr_const(pool, value);
    decimal_read(value, &digits, &exponent);
    const Rational shortest = rational_of(value < 0, digits, exponent, 1);
    return expr_const(pool, real_stand(pool, value, real_of_rational(pool, &shortest)));
}

Expr expr_pi(ExprPool *pool)
{
    const double minus_one = -1, value = 3.14159265358979323846;

    return expr_const(
        pool, real_stand(pool, value, real_call(pool, EXPR_ACOS, real_of(pool, minus_one), 0)));
}

double expr_inverse(ExprPool *pool, double value)
{
    if (fabs(value) == 1)
        return value;
    return real_stand(pool, 1 / value, real_power(pool, real_of(pool, value), -1));
}

Expr expr_symbol(ExprPool *pool, uint32_t symbol)
{
    return pool_intern(pool, &(Shape){.op = EXPR_SYMBOL, .symbol = symbol});
}

Expr expr_sum(ExprPool *pool, size_t n, const double *coefs, const Expr *terms)
{
    SumBuild sum = sum_begin(pool);
    for (size_t k = 0; k < n; k++)
        sum_push(pool, &sum, coefs ? coefs[k] : 1.0, terms[k]);
    return sum_end(pool, &sum);
}

/* a + q b. */
static Expr sum_of_two(ExprPool *pool, Expr a, double q, Expr b)
{
    SumBuild sum = sum_begin(pool);
    sum_push(pool, &sum, 1.0, a);
    sum_push(pool, &sum, q, b);
    return sum_end(pool, &sum);
}

Expr expr_add(ExprPool *pool, Expr a, Expr b)
{
    return sum_of_two(pool, a, 1.0, b);
}

Expr expr_sub(ExprPool *pool, Expr a, Expr b)
{
    return sum_of_two(pool, a, -1.0, b);
}

Expr expr_neg(ExprPool *pool, Expr a)
{
    return expr_scale(pool, -1.0, a);
}

Expr expr_scale(ExprPool *pool, double factor, Expr a)
{
    SumBuild sum = sum_begin(pool);
    sum_push(pool, &sum, factor, a);
    return sum_end(pool, &sum);
}

/* a b^exponent. */
static Expr product_of_two(ExprPool *pool, Expr a, Expr b, double exponent)
{
    ProductBuild product = product_begin(pool);
    product_push(pool, &product, a, 1.0);
    product_push(pool, &product, b, exponent);
    return product_end(pool, &product);
}

Expr expr_mul(ExprPool *pool, Expr a, Expr b)
{
    return product_of_two(pool, a, b, 1.0);
}

Expr expr_div(ExprPool *pool, Expr a, Expr b)
{
    return product_of_two(pool, a, b, -1.0);
}

Expr expr_dot(ExprPool *pool, size_t n, const Expr *a, const Expr *b)
{
    SumBuild sum = sum_begin(pool);
    for (size_t k = 0; k < n && pool->status == OK; k++)
        sum_push(pool, &sum, 1.0, expr_mul(pool, a[k], b[k]));
    return sum_end(pool, &sum);
}

bool expr_is_const(const ExprPool *pool, Expr e, double *ret_value)
{
    if (expr_is_none(e) || pool_op(pool, e) != EXPR_CONST)
        return false;
    if (ret_value)
        *ret_value = pool_node(pool, e)->value;
    return true;
}

bool expr_is_zero(const ExprPool *pool, Expr e)
{
    double value;
    return expr_is_const(pool, e, &value) && value == 0.0;
}

bool expr_vanishes(const ExprPool *pool, Expr e)
{
    return !pool->rounded && expr_is_zero(pool, e);
}
