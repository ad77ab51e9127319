/* Functions over intervals of their arguments: values, and rates by the chain rule.
 *
 * Functions are evaluated over the part of the interval in their domain. Jumps have any rate. */
#include "core/expr/interval/interval.h"

/* The range of f(u) from the values of f and f', and from u. */
static Range chain(Interval value, Interval slope, const Range *u)
{
    return (Range){value, interval_multiply(slope, u->rate), u->whole};
}

Range range_product(const Range *a, const Range *b)
{
    return (Range){
        interval_multiply(a->value, b->value),
        interval_add(interval_multiply(a->rate, b->value), interval_multiply(a->value, b->rate)),
        a->whole && b->whole};
}

Range range_integer_power(const Range *u, double n)
{
    const double size = fabs(n);
    Range up = chain(interval_power(u->value, size),
                     interval_scale(size, interval_power(u->value, size - 1)), u);
    if (n > 0)
        return up;
    const Interval value = interval_reciprocal(up.value);
    if (interval_empty(value))
        return RANGE_NOWHERE;
    Range down = chain(value, interval_scale(-1, interval_power(value, 2)), &up);
    if (interval_holds_zero(up.value)) {
        down.whole = false;
        down.rate = INTERVAL_ALL;
        if (fmod(size, 2) == 0)
            down.value.low = fmax(down.value.low, 0);
    }
    return down;
}

static Interval cosh_values(Interval u)
{
    const Interval size = interval_absolute(u);
    return interval_outward(cosh(size.low), cosh(size.high));
}

/* The values of the function around the base of a slope. */
static Interval outer_values(ExprOp op, Interval base)
{
    if (op == EXPR_SQRT)
        return interval_root(base);
    if (op == EXPR_EXP)
        return interval_outward(exp(base.low), exp(fmin(base.high, 0)));
    return op == EXPR_COSH ? cosh_values(base) : base;
}

/* The slope of a monotonic function or of tan, from its argument and its own values. */
static Interval slope_of(ExprOp op, Interval u, Interval value)
{
    const Slope *slope = function_slope(op);
    Interval base = slope->of_value ? value : u;

    if (slope->p != 0 || slope->q != 0) {
        const Interval square = interval_power(base, 2);
        base = interval_add((Interval){slope->p, slope->p},
                            slope->q == 1 ? square : interval_scale(slope->q, square));
    }
    base = outer_values(slope->outer, base);
    if (slope->exponent < 0)
        base = interval_reciprocal(interval_power(base, -slope->exponent));
    return slope->factor == 1 ? base : interval_scale(slope->factor, base);
}

static Range tangent(const Range *u)
{
    if (interval_holds_zero(interval_sine(u->value, 0.5)))
        return RANGE_UNKNOWN;
    const Interval value = interval_outward(tan(u->value.low), tan(u->value.high));
    return chain(value, slope_of(EXPR_TAN, u->value, value), u);
}

/* Cuts u to the domain of the function; false if nothing is left. */
static bool cut(Range *u, double low, double high)
{
    if (u->value.low >= low && u->value.high <= high)
        return true;
    u->whole = false;
    u->value = (Interval){fmax(u->value.low, low), fmin(u->value.high, high)};
    return !interval_empty(u->value);
}

/* The domains and values of monotonic functions; {0, 0}: all numbers. */
static const struct {
    Interval domain, values;
} MONOTONIC[] = {
    [EXPR_ASIN] = {.domain = {-1, 1}},
    [EXPR_ACOS] = {.domain = {-1, 1}},
    [EXPR_TANH] = {.values = {-1, 1}},
    [EXPR_ACOSH] = {{1, INFINITY}, {0, INFINITY}},
    [EXPR_ATANH] = {.domain = {-1, 1}},
    [EXPR_EXP] = {.values = {0, INFINITY}},
    [EXPR_LOG] = {.domain = {0, INFINITY}},
    [EXPR_LOG10] = {.domain = {0, INFINITY}},
    [EXPR_SQRT] = {{0, INFINITY}, {0, INFINITY}},
    [EXPR_ERF] = {.values = {-1, 1}},
};

static Interval bounds(Interval limits)
{
    return limits.low == limits.high ? INTERVAL_ALL : limits;
}

static Range monotonic(ExprOp op, Range u)
{
    const Interval domain = bounds(MONOTONIC[op].domain), most = bounds(MONOTONIC[op].values);
    if (!cut(&u, domain.low, domain.high))
        return RANGE_NOWHERE;
    const double a = function_value(op, &u.value.low), b = function_value(op, &u.value.high);
    Interval value = interval_outward(fmin(a, b), fmax(a, b));
    value = (Interval){fmax(value.low, most.low), fmin(value.high, most.high)};
    const Interval slope = slope_of(op, u.value, value);
    return chain(value, interval_empty(slope) ? INTERVAL_ALL : slope, &u);
}

static Range sign_range(const Range *u)
{
    const Interval value = {u->value.low > 0   ? 1
                            : u->value.low < 0 ? -1
                                               : 0,
                            u->value.high > 0   ? 1
                            : u->value.high < 0 ? -1
                                                : 0};
    const bool jumps = value.low != value.high;
    return (Range){value, jumps ? INTERVAL_ALL : (Interval){0, 0}, u->whole && !jumps};
}

static Range absolute_range(const Range *u)
{
    const Interval slope = {u->value.low >= 0 ? 1 : -1, u->value.high <= 0 ? -1 : 1};
    return chain(interval_absolute(u->value), slope, u);
}

/* The smaller of a and b (side -1), or the larger (side 1). */
static Range extreme(const Range *a, const Range *b, int side)
{
    const bool first = side < 0 ? a->value.high < b->value.low : a->value.low > b->value.high;
    const bool second = side < 0 ? b->value.high < a->value.low : b->value.low > a->value.high;
    if (first && a->whole && b->whole)
        return *a;
    if (second && a->whole && b->whole)
        return *b;
    Range both = {.rate = interval_hull(a->rate, b->rate), .whole = a->whole && b->whole};
    both.value =
        side < 0 ? (Interval){fmin(a->value.low, b->value.low), fmin(a->value.high, b->value.high)}
                 : (Interval){fmax(a->value.low, b->value.low), fmax(a->value.high, b->value.high)};
    return both;
}

static Range angle(const Range *y, const Range *x)
{
    const Interval square = interval_add(interval_power(x->value, 2), interval_power(y->value, 2));
    const Interval u = x->value, w = y->value;
    if (interval_holds_zero(w) && u.low <= 0)
        return (Range){interval_outward(-INTERVAL_PI, INTERVAL_PI), INTERVAL_ALL, false};
    const double a = atan2(w.low, u.low), b = atan2(w.low, u.high);
    const double c = atan2(w.high, u.low), d = atan2(w.high, u.high);
    const Interval turn = interval_add(interval_multiply(u, y->rate),
                                       interval_scale(-1, interval_multiply(w, x->rate)));
    return (Range){interval_outward(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))),
                   interval_multiply(turn, interval_reciprocal(square)), x->whole && y->whole};
}

static Range length(const Range *a, const Range *b)
{
    const Interval value =
        interval_root(interval_add(interval_power(a->value, 2), interval_power(b->value, 2)));
    const Interval grow =
        interval_add(interval_multiply(a->value, a->rate), interval_multiply(b->value, b->rate));
    if (value.low <= 0) /* the slope in each part is between -1 and 1 */
        return (Range){value,
                       interval_add(interval_multiply((Interval){-1, 1}, a->rate),
                                    interval_multiply((Interval){-1, 1}, b->rate)),
                       a->whole && b->whole};
    return (Range){value, interval_multiply(grow, interval_reciprocal(value)),
                   a->whole && b->whole};
}

/* a^b = exp(b log a) for a > 0. Otherwise the exponent must be constant. Integer exponents that are
 * too high for a product allow negative a, too. */
static Range general_power(const Range *a, const Range *b)
{
    const double n = b->value.low;
    const bool constant = n == b->value.high;
    if (constant && n == rint(n) && fabs(n) < 0x1p53)
        return range_integer_power(a, n);
    if (a->value.high < 0 || (a->value.low < 0 && (!constant || fabs(n) >= 0x1p53)))
        return RANGE_UNKNOWN;
    /* a may be 0: a constant exponent above 0 */
    if (!(a->value.low > 0)) {
        Range inside = *a;
        cut(&inside, 0, INFINITY);
        if (!constant || n < 0 || interval_empty(inside.value))
            return RANGE_UNKNOWN;
        const Interval slope =
            n >= 1 ? interval_scale(n, interval_outward(0, pow(inside.value.high, n - 1)))
                   : (Interval){0, INFINITY};
        return chain(interval_outward(0, pow(inside.value.high, n)), slope, &inside);
    }
    const Range exponent = monotonic(EXPR_LOG, *a), all = range_product(b, &exponent);
    return monotonic(EXPR_EXP, all);
}

/* 1 if the condition holds, 0 if not. */
static Range truth(bool may_hold, bool may_fail, bool whole)
{
    const Interval value = {may_fail ? 0 : 1, may_hold ? 1 : 0};
    return (Range){value, may_hold && may_fail ? INTERVAL_ALL : (Interval){0, 0},
                   whole && !(may_hold && may_fail)};
}

static Range condition(ExprOp op, const Range *a, const Range *b)
{
    const Interval u = a->value, w = b->value;
    const bool whole = a->whole && b->whole;

    if (op == EXPR_LT)
        return truth(u.low < w.high, u.high >= w.low, whole);
    if (op == EXPR_LE)
        return truth(u.low <= w.high, u.high > w.low, whole);
    if (op == EXPR_EQ)
        return truth(u.low <= w.high && w.low <= u.high,
                     u.low != u.high || w.low != w.high || u.low != w.low, whole);
    if (op == EXPR_AND)
        return truth(u.high != 0 && w.high != 0, interval_holds_zero(u) || interval_holds_zero(w),
                     whole);
    return truth(u.high != 0 || w.high != 0, interval_holds_zero(u) && interval_holds_zero(w),
                 whole);
}

static Range choice(const Range *c, const Range *a, const Range *b)
{
    if (c->value.low > 0)
        return *a;
    if (c->value.high == 0)
        return *b;
    return (Range){interval_hull(a->value, b->value), INTERVAL_ALL, false};
}

static Range sine_range(const Range *a)
{
    return chain(interval_sine(a->value, 0), interval_sine(a->value, 0.5), a);
}

static Range cosine_range(const Range *a)
{
    return chain(interval_sine(a->value, 0.5), interval_scale(-1, interval_sine(a->value, 0)), a);
}

static Range cosh_range(const Range *a)
{
    const Interval slope = interval_outward(sinh(a->value.low), sinh(a->value.high));
    return chain(cosh_values(a->value), slope, a);
}

static Range smaller(const Range *a, const Range *b)
{
    return extreme(a, b, -1);
}

static Range larger(const Range *a, const Range *b)
{
    return extreme(a, b, 1);
}

static Range negation(const Range *a)
{
    return truth(interval_holds_zero(a->value), a->value.low != 0 || a->value.high != 0, a->whole);
}

/* Functions that are neither monotonic nor conditions. */
typedef struct Rule {
    Range (*unary)(const Range *a); /* one of the two is set */
    Range (*binary)(const Range *a, const Range *b);
} Rule;

static const Rule RULES[] = {
    [EXPR_SIN] = {.unary = sine_range},
    [EXPR_COS] = {.unary = cosine_range},
    [EXPR_TAN] = {.unary = tangent},
    [EXPR_COSH] = {.unary = cosh_range},
    [EXPR_ABS] = {.unary = absolute_range},
    [EXPR_SIGN] = {.unary = sign_range},
    [EXPR_ATAN2] = {.binary = angle},
    [EXPR_POW] = {.binary = general_power},
    [EXPR_HYPOT] = {.binary = length},
    [EXPR_MIN] = {.binary = smaller},
    [EXPR_MAX] = {.binary = larger},
    [EXPR_NOT] = {.unary = negation},
    [EXPR_IF] = {0},
};

Range range_function(ExprOp op, const Range *a, const Range *b, const Range *c)
{
    if (op == EXPR_IF)
        return choice(a, b, c);
    if (RULES[op].unary)
        return RULES[op].unary(a);
    if (RULES[op].binary)
        return RULES[op].binary(a, b);
    if (op < EXPR_LT)
        return monotonic(op, *a);
    return condition(op, a, b);
}
