/* The builders of functions, powers, conditions and if, each with its canonical form. */
#include <math.h>

#include "core/base/decimal.h"
#include "core/expr/graph/build.h"
#include "core/expr/graph/function.h"

/* A rule gets the operands, none EXPR_NONE and not all constant, and may rewrite them in place. It
 * returns a simpler expression for the whole operation, or EXPR_NONE. */
typedef Expr Rule(ExprPool *pool, ExprOp op, Expr *args);

static Expr call1(ExprPool *pool, ExprOp op, Expr u)
{
    return expr_call(pool, op, &u, 1);
}

/* f(-u) = -f(u) */
static Expr odd_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    if (!sum_is_negative(pool, args[0]))
        return EXPR_NONE;
    return expr_neg(pool, call1(pool, op, expr_neg(pool, args[0])));
}

/* f(-u) = f(u) */
static Expr even_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    (void)op;
    if (sum_is_negative(pool, args[0]))
        args[0] = expr_neg(pool, args[0]);
    return EXPR_NONE;
}

static Expr abs_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    double factor;
    Expr rest = sum_split_content(pool, args[0], &factor);

    if (factor != 1.0)
        return expr_scale(pool, fabs(factor), call1(pool, op, rest));
    return pool_node(pool, args[0])->flags & NODE_NONNEGATIVE ? args[0] : EXPR_NONE;
}

/* True if the form of e shows that it is positive wherever it is finite. */
static bool is_positive(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    const bool above = node->op == EXPR_EXP || node->op == EXPR_COSH || node->value > 0;

    return above && (node->flags & NODE_NONNEGATIVE);
}

/* True if by their forms a is never negative and b never positive; *ret_differ: one is not 0. */
static bool known_order(ExprPool *pool, Expr a, Expr b, bool *ret_differ)
{
    const Expr opposite = expr_neg(pool, b);

    *ret_differ = false;
    if (expr_is_none(opposite) || !(pool_node(pool, a)->flags & NODE_NONNEGATIVE) ||
        !(pool_node(pool, opposite)->flags & NODE_NONNEGATIVE))
        return false;
    *ret_differ = is_positive(pool, a) || is_positive(pool, opposite);
    return true;
}

static Expr sign_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    double factor;
    Expr rest = sum_split_content(pool, args[0], &factor);

    if (factor != 1.0)
        return expr_scale(pool, factor < 0.0 ? -1.0 : 1.0, call1(pool, op, rest));
    if (pool_op(pool, args[0]) == EXPR_SIGN)
        return args[0];
    return is_positive(pool, args[0]) ? expr_const(pool, 1) : EXPR_NONE;
}

/* True if e is sin(u) or cos(u); *ret_other is the other one. */
static bool is_circular(ExprPool *pool, Expr e, Expr *ret_other)
{
    const ExprOp op = pool_op(pool, e);

    if (op != EXPR_SIN && op != EXPR_COS)
        return false;
    *ret_other = call1(pool, op == EXPR_SIN ? EXPR_COS : EXPR_SIN, pool_arg(pool, e, 0));
    return true;
}

/* asin(s) = atan2(s, abs(c)) for s = sin(u) and c = cos(u), or with both exchanged. This is a
 * triangle wave, whose corners are those of abs(c). */
static Expr asin_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    Expr other;

    if (is_circular(pool, args[0], &other))
        return expr_call(pool, EXPR_ATAN2, (const Expr[]){args[0], call1(pool, EXPR_ABS, other)},
                         2);
    return odd_rule(pool, op, args);
}

/* acos(u) = pi/2 - asin(u), not atan2(abs(s), c), which jumps behind the corner at c = -1. */
static Expr acos_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    Expr other;

    if (!is_circular(pool, args[0], &other))
        return EXPR_NONE;
    const Expr right_angle = call1(pool, op, expr_const(pool, 0.0));
    return expr_sub(pool, right_angle, call1(pool, EXPR_ASIN, args[0]));
}

/* exp(c log(u) + v) = u^c exp(v), which has derivatives at u = 0. */
static Expr exp_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    const uint32_t n = pool_op(pool, args[0]) == EXPR_SUM ? pool_node(pool, args[0])->n : 0;

    for (uint32_t k = 0; k < n; k++) {
        const Expr term = pool_arg(pool, args[0], k);
        const double c = pool_coef(pool, args[0], k);
        if (pool_op(pool, term) != EXPR_LOG)
            continue;
        const Expr rest = expr_sub(pool, args[0], expr_scale(pool, c, term));
        const Expr power[] = {pool_arg(pool, term, 0), expr_const(pool, c)};
        return expr_mul(pool, expr_call(pool, EXPR_POW, power, 2), call1(pool, op, rest));
    }
    return EXPR_NONE;
}

/* True if e is a single power u^n with an integer n: returns u and n. */
static bool is_power(const ExprPool *pool, Expr e, Expr *ret_base, double *ret_exponent)
{
    if (pool_op(pool, e) != EXPR_PRODUCT || pool_node(pool, e)->n != 1)
        return false;
    *ret_base = pool_arg(pool, e, 0);
    *ret_exponent = pool_coef(pool, e, 0);
    return true;
}

/* sqrt(u^2) = abs(u), and the same for every even power */
static Expr sqrt_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    Expr base;
    double exponent;

    (void)op;
    if (!is_power(pool, args[0], &base, &exponent) || fmod(exponent, 2.0) != 0.0)
        return EXPR_NONE;
    return product_power(pool, call1(pool, EXPR_ABS, base), exponent / 2.0);
}

/* cbrt(u^3) = u, and the same for every multiple of three */
static Expr cbrt_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    Expr base;
    double exponent;

    if (is_power(pool, args[0], &base, &exponent) && fmod(exponent, 3.0) == 0.0)
        return product_power(pool, base, exponent / 3.0);
    return odd_rule(pool, op, args);
}

static void sort_pair(const ExprPool *pool, Expr *args)
{
    if (pool_before(pool, args[1], args[0])) {
        Expr swap = args[0];
        args[0] = args[1];
        args[1] = swap;
    }
}

static Expr hypot_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    even_rule(pool, op, &args[0]);
    even_rule(pool, op, &args[1]);
    if (pool->status != OK)
        return EXPR_NONE;
    if (expr_is_zero(pool, args[0]))
        return call1(pool, EXPR_ABS, args[1]);
    if (expr_is_zero(pool, args[1]))
        return call1(pool, EXPR_ABS, args[0]);
    sort_pair(pool, args);
    return EXPR_NONE;
}

/* u^w with an integer or half-integer exponent becomes products and square roots. */
static Expr pow_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    double w, u;

    (void)op;
    if (expr_is_const(pool, args[0], &u) && u == 1.0)
        return args[0];
    if (!expr_is_const(pool, args[1], &w) || fabs(w) > PRODUCT_MAX_EXPONENT)
        return EXPR_NONE;
    if (w == floor(w))
        return product_power(pool, args[0], w);
    if (2.0 * w == floor(2.0 * w))
        return product_power(pool, call1(pool, EXPR_SQRT, args[0]), 2.0 * w);
    return EXPR_NONE;
}

static Expr min_max_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    bool differ;

    sort_pair(pool, args);
    if (expr_same(args[0], args[1]))
        return args[0];
    for (size_t k = 0; k < 2; k++)
        if (known_order(pool, args[k], args[1 - k], &differ))
            return op == EXPR_MAX ? args[k] : args[1 - k];
    return EXPR_NONE;
}

static Expr compare_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    bool differ;

    if (op == EXPR_EQ)
        sort_pair(pool, args);
    if (expr_same(args[0], args[1]))
        return expr_const(pool, op != EXPR_LT);
    /* a >= b: a < b is false, a <= b if they differ; a <= b is true, a < b if they differ */
    const bool above = known_order(pool, args[0], args[1], &differ);
    if (above && (differ || op == EXPR_LT))
        return expr_const(pool, 0);
    const bool below = !above && known_order(pool, args[1], args[0], &differ);
    if (below && (differ || op == EXPR_LE))
        return expr_const(pool, op != EXPR_EQ);
    return EXPR_NONE;
}

static Expr not_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    return pool_op(pool, args[0]) == op ? pool_arg(pool, args[0], 0) : EXPR_NONE;
}

static Expr and_or_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    double value;

    sort_pair(pool, args);
    for (size_t k = 0; k < 2; k++)
        if (expr_is_const(pool, args[k], &value)) /* the other operand, or this one */
            return (value != 0.0) == (op == EXPR_AND) ? args[1 - k] : args[k];
    return expr_same(args[0], args[1]) ? args[0] : EXPR_NONE;
}

static Expr if_rule(ExprPool *pool, ExprOp op, Expr *args)
{
    double value;

    (void)op;
    if (pool_op(pool, args[0]) == EXPR_NOT) {
        Expr swap = args[1];
        args[0] = pool_arg(pool, args[0], 0);
        args[1] = args[2];
        args[2] = swap;
    }
    if (expr_is_const(pool, args[0], &value))
        return value != 0.0 ? args[1] : args[2];
    return expr_same(args[1], args[2]) ? args[1] : EXPR_NONE;
}

/* The inverse operation, and further rules. */
static const struct {
    ExprOp undoes; /* f(g(u)) = u wherever it is finite; EXPR_CONST: none */
    Rule *rule;
} RULES[] = {
    [EXPR_SIN] = {EXPR_ASIN, odd_rule},      [EXPR_COS] = {EXPR_ACOS, even_rule},
    [EXPR_TAN] = {EXPR_ATAN, odd_rule},      [EXPR_ASIN] = {EXPR_CONST, asin_rule},
    [EXPR_ACOS] = {EXPR_CONST, acos_rule},   [EXPR_ATAN] = {EXPR_CONST, odd_rule},
    [EXPR_SINH] = {EXPR_ASINH, odd_rule},    [EXPR_COSH] = {EXPR_ACOSH, even_rule},
    [EXPR_TANH] = {EXPR_ATANH, odd_rule},    [EXPR_ASINH] = {EXPR_SINH, odd_rule},
    [EXPR_ATANH] = {EXPR_TANH, odd_rule},    [EXPR_EXP] = {EXPR_LOG, exp_rule},
    [EXPR_LOG] = {EXPR_EXP, NULL},           [EXPR_SQRT] = {EXPR_CONST, sqrt_rule},
    [EXPR_CBRT] = {EXPR_CONST, cbrt_rule},   [EXPR_ERF] = {EXPR_CONST, odd_rule},
    [EXPR_ABS] = {EXPR_CONST, abs_rule},     [EXPR_SIGN] = {EXPR_CONST, sign_rule},
    [EXPR_POW] = {EXPR_CONST, pow_rule},     [EXPR_HYPOT] = {EXPR_CONST, hypot_rule},
    [EXPR_MIN] = {EXPR_CONST, min_max_rule}, [EXPR_MAX] = {EXPR_CONST, min_max_rule},
    [EXPR_LT] = {EXPR_CONST, compare_rule},  [EXPR_LE] = {EXPR_CONST, compare_rule},
    [EXPR_EQ] = {EXPR_CONST, compare_rule},  [EXPR_NOT] = {EXPR_CONST, not_rule},
    [EXPR_AND] = {EXPR_CONST, and_or_rule},  [EXPR_OR] = {EXPR_CONST, and_or_rule},
    [EXPR_IF] = {EXPR_CONST, if_rule},
};

/* An integer power of a number, exactly; false if it would be rounded. */
static bool exact_power(ExprPool *pool, double base, double exponent, double parts[DECIMAL_PARTS],
                        size_t *ret_n)
{
    Rational power, one = rational_of(false, 1, 0, 1);

    if (exponent != floor(exponent) || fabs(exponent) > PRODUCT_MAX_EXPONENT ||
        !real_rational(pool, base, &power) || !rational_power(&power, (uint64_t)fabs(exponent)))
        return false;
    if (exponent < 0.0 && !rational_divide(&one, &power))
        return false;
    return real_write(pool, exponent < 0.0 ? &one : &power, parts, ret_n);
}

/* Folds a power of constants; value is the power as a double. */
static Expr fold_power(ExprPool *pool, double base, double exponent, double value)
{
    const bool whole = exponent == floor(exponent) && fabs(exponent) <= PRODUCT_MAX_EXPONENT;
    double parts[DECIMAL_PARTS];
    size_t n;

    if (exact_power(pool, base, exponent, parts, &n))
        return sum_multiples(pool, parts, n, expr_const(pool, 1.0));
    const uint32_t number = real_of(pool, base);
    return expr_const(
        pool, real_stand(pool, value,
                         whole ? real_power(pool, number, exponent)
                               : real_call(pool, EXPR_POW, number, real_of(pool, exponent))));
}

/* The value is one of the operands, its absolute value, a sign or a truth value. */
static bool is_choice(ExprOp op)
{
    return op == EXPR_ABS || op == EXPR_SIGN || op == EXPR_MIN || op == EXPR_MAX || op >= EXPR_LT;
}

static Expr fold(ExprPool *pool, ExprOp op, const double *values)
{
    const size_t n = function_operands(op);
    const double value = function_value(op, values);

    /* the double stands for the exact power, choice or function value */
    if (isfinite(value) && op == EXPR_POW)
        return fold_power(pool, values[0], values[1], value);
    if (isfinite(value) && is_choice(op)) {
        if (n == 2)
            real_compare(pool, values[0], values[1]);
        return expr_const(pool, value);
    }
    if (isfinite(value))
        return expr_const(pool, real_stand(pool, value,
                                           real_call(pool, op, real_of(pool, values[0]),
                                                     n > 1 ? real_of(pool, values[1]) : 0)));
    if (op == EXPR_POW && values[0] == 0.0)
        return pool_fail(pool, ERR_INVALID, "division by zero");
    if (op == EXPR_POW)
        return pool_fail(pool, ERR_INVALID, "this power is not a finite number");
    return pool_fail(pool, ERR_INVALID, "%s of %s is not a finite number", function_name(op),
                     n == 1 ? "this constant" : "these constants");
}

enum { MAX_OPERANDS = 3 };

Expr expr_call(ExprPool *pool, ExprOp op, const Expr *args, size_t n)
{
    Expr own[MAX_OPERANDS];
    double values[MAX_OPERANDS];
    bool constant = true;

    if (n == 0 || n != function_operands(op))
        return pool_fail(pool, ERR_INTERNAL, "operation %d with %zu operands", (int)op, n);
    for (size_t k = 0; k < n; k++) {
        if (expr_is_none(args[k]) || pool->status != OK)
            return EXPR_NONE;
        own[k] = args[k];
        constant = constant && expr_is_const(pool, own[k], &values[k]);
    }
    /* constants are folded, inverse functions cancel, rules simplify */
    if (constant)
        return fold(pool, op, values);
    if (RULES[op].undoes != EXPR_CONST && pool_op(pool, own[0]) == RULES[op].undoes)
        return pool_arg(pool, own[0], 0);
    if (RULES[op].rule) {
        Expr simpler = RULES[op].rule(pool, op, own);
        if (!expr_is_none(simpler))
            return simpler;
    }
    if (pool->status != OK)
        return EXPR_NONE;
    return pool_intern(pool, &(Shape){.op = op, .n = (uint32_t)n, .args = own});
}

Expr expr_pow(ExprPool *pool, Expr a, Expr b)
{
    return expr_call(pool, EXPR_POW, (const Expr[]){a, b}, 2);
}

Expr expr_abs(ExprPool *pool, Expr a)
{
    return expr_call(pool, EXPR_ABS, &a, 1);
}
