/* Functions over intervals of their arguments: values, and rates by the chain rule.
 *
 * A function with a domain is evaluated over the part of the interval inside it. The rate of a
 * function that jumps is unbounded. */
#include "core/expr/interval/range_function.h"

#include "core/expr/graph/function.h"

Range range_unknown(void)
{
    return (Range){INTERVAL_ALL, INTERVAL_ALL, false};
}

Range range_nowhere(void)
{
    return (Range){INTERVAL_NONE, INTERVAL_NONE, false};
}

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
        return range_nowhere();
    Range down = chain(value, interval_scale(-1, interval_power(value, 2)), &up);
    if (interval_holds_zero(up.value)) {
        down.whole = false;
        down.rate = INTERVAL_ALL;
        if (fmod(size, 2) == 0)
            down.value.low = fmax(down.value.low, 0);
    }
    return down;
}

static Range tangent(const Range *u)
{
    const Interval c = interval_sine(u->value, 0.5);
    if (interval_holds_zero(c))
        return range_unknown();
    const Interval value = interval_outward(tan(u->value.low), tan(u->value.high));
    return chain(value, interval_add((Interval){1, 1}, interval_power(value, 2)), u);
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

/* Monotonic functions: their domains, and their slopes from their arguments' and their own
 * values. */
typedef Interval Slope(Interval u, Interval value);

static const Interval ONE = {1, 1};

static Interval one_less_square(Interval u)
{
    return interval_add(ONE, interval_scale(-1, interval_power(u, 2)));
}

static Interval one_and_square(Interval u)
{
    return interval_add(ONE, interval_power(u, 2));
}

static Interval asin_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(interval_root(one_less_square(u)));
}

static Interval acos_slope(Interval u, Interval value)
{
    return interval_scale(-1, asin_slope(u, value));
}

static Interval atan_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(one_and_square(u));
}

static Interval sinh_slope(Interval u, Interval value)
{
    (void)u;
    return interval_root(one_and_square(value));
}

static Interval tanh_slope(Interval u, Interval value)
{
    (void)u;
    return one_less_square(value);
}

static Interval asinh_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(interval_root(one_and_square(u)));
}

static Interval acosh_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(
        interval_root(interval_add(interval_power(u, 2), (Interval){-1, -1})));
}

static Interval atanh_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(one_less_square(u));
}

static Interval exp_slope(Interval u, Interval value)
{
    (void)u;
    return value;
}

static Interval log_slope(Interval u, Interval value)
{
    (void)value;
    return interval_reciprocal(u);
}

static Interval log10_slope(Interval u, Interval value)
{
    return interval_scale(1 / log(10), log_slope(u, value));
}

static Interval sqrt_slope(Interval u, Interval value)
{
    (void)u;
    return interval_scale(0.5, interval_reciprocal(value));
}

static Interval cbrt_slope(Interval u, Interval value)
{
    (void)u;
    return interval_scale(1.0 / 3, interval_reciprocal(interval_power(value, 2)));
}

static Interval erf_slope(Interval u, Interval value)
{
    const Interval square = interval_power(u, 2);
    (void)value;
    return interval_scale(2 / sqrt(INTERVAL_PI),
                          interval_outward(exp(-square.high), exp(-fmax(square.low, 0))));
}

typedef struct Monotonic {
    Slope *slope;
    Interval domain, values;
} Monotonic;

#define EVERYWHERE          \
    {                       \
        -INFINITY, INFINITY \
    }
#define ABOVE_ZERO  \
    {               \
        0, INFINITY \
    }

static const Monotonic MONOTONIC[] = {
    [EXPR_ASIN] = {asin_slope, {-1, 1}, EVERYWHERE},
    [EXPR_ACOS] = {acos_slope, {-1, 1}, EVERYWHERE},
    [EXPR_ATAN] = {atan_slope, EVERYWHERE, EVERYWHERE},
    [EXPR_SINH] = {sinh_slope, EVERYWHERE, EVERYWHERE},
    [EXPR_TANH] = {tanh_slope, EVERYWHERE, {-1, 1}},
    [EXPR_ASINH] = {asinh_slope, EVERYWHERE, EVERYWHERE},
    [EXPR_ACOSH] = {acosh_slope, {1, INFINITY}, ABOVE_ZERO},
    [EXPR_ATANH] = {atanh_slope, {-1, 1}, EVERYWHERE},
    [EXPR_EXP] = {exp_slope, EVERYWHERE, ABOVE_ZERO},
    [EXPR_LOG] = {log_slope, ABOVE_ZERO, EVERYWHERE},
    [EXPR_LOG10] = {log10_slope, ABOVE_ZERO, EVERYWHERE},
    [EXPR_SQRT] = {sqrt_slope, ABOVE_ZERO, ABOVE_ZERO},
    [EXPR_CBRT] = {cbrt_slope, EVERYWHERE, EVERYWHERE},
    [EXPR_ERF] = {erf_slope, EVERYWHERE, {-1, 1}},
};

static Range monotonic(ExprOp op, Range u)
{
    const Monotonic *f = &MONOTONIC[op];
    if (!cut(&u, f->domain.low, f->domain.high))
        return range_nowhere();
    const double a = function_value(op, &u.value.low), b = function_value(op, &u.value.high);
    Interval value = interval_outward(fmin(a, b), fmax(a, b));
    value = (Interval){fmax(value.low, f->values.low), fmin(value.high, f->values.high)};
    const Interval slope = f->slope(u.value, value);
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
        return range_unknown();
    /* a may be 0: a constant exponent above 0 */
    if (!(a->value.low > 0)) {
        Range inside = *a;
        cut(&inside, 0, INFINITY);
        if (!constant || n < 0 || interval_empty(inside.value))
            return range_unknown();
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
    const Interval size = interval_absolute(a->value);
    return chain(interval_outward(cosh(size.low), cosh(size.high)),
                 interval_outward(sinh(a->value.low), sinh(a->value.high)), a);
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
