/* Bounds are rounded outward by some units in the last place, which covers + - * / and the C
 * library's functions. The functions are inline, because each is a few operations. */
#ifndef CORE_EXPR_INTERVAL_H
#define CORE_EXPR_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "core/expr/graph/function.h"

/* Exponent (no unit) from which a power turns a smooth function into a narrow ridge. Convention. */
static const double HIGH_POWER = 8;

/* Empty if low > high: not defined anywhere. */
typedef struct Interval {
    double low, high;
} Interval;

/* Values and rates of a moving expression. */
typedef struct Range {
    Interval value, rate;
    bool whole; /* defined everywhere, and the rate is that of a continuous function */
} Range;

/* Any value and any rate; not defined anywhere. */
static const Range RANGE_UNKNOWN = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, false};
static const Range RANGE_NOWHERE = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, false};

#define INTERVAL_ALL ((Interval){-INFINITY, INFINITY})
#define INTERVAL_NONE ((Interval){INFINITY, -INFINITY})

static const double INTERVAL_PI = 3.14159265358979323846;

static inline Interval interval_outward(double low, double high)
{
    const double ulps = 4 * DBL_EPSILON;
    if (isnan(low) || isnan(high))
        return INTERVAL_ALL;
    /* a value that overflows is a large number, not an undefined one */
    return (Interval){low == INFINITY ? DBL_MAX : low - ulps * fabs(low) - DBL_MIN,
                      high == -INFINITY ? -DBL_MAX : high + ulps * fabs(high) + DBL_MIN};
}

static inline bool interval_empty(Interval a)
{
    return a.low > a.high;
}

static inline bool interval_holds_zero(Interval a)
{
    return a.low <= 0 && a.high >= 0;
}

static inline Interval interval_hull(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static inline Interval interval_add(Interval a, Interval b)
{
    return interval_outward(a.low + b.low, a.high + b.high);
}

/* 0 times infinity is 0, because the bounds of an interval are not its members. */
static inline double interval_times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static inline Interval interval_multiply(Interval a, Interval b)
{
    const double p = interval_times(a.low, b.low), q = interval_times(a.low, b.high);
    const double r = interval_times(a.high, b.low), s = interval_times(a.high, b.high);
    if ((a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0))
        return (Interval){0, 0};
    return interval_outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static inline Interval interval_scale(double factor, Interval a)
{
    return interval_multiply((Interval){factor, factor}, a);
}

static inline Interval interval_reciprocal(Interval a)
{
    if (a.low == 0 && a.high == 0)
        return INTERVAL_NONE;
    if (a.low < 0 && a.high > 0)
        return INTERVAL_ALL;
    return interval_outward(a.high == 0 ? -INFINITY : 1 / a.high,
                            a.low == 0 ? INFINITY : 1 / a.low);
}

static inline Interval interval_absolute(Interval a)
{
    if (interval_holds_zero(a))
        return (Interval){0, fmax(-a.low, a.high)};
    return a.low > 0 ? a : (Interval){-a.high, -a.low};
}

/* a^n, n >= 0. */
static inline Interval interval_power(Interval a, double n)
{
    const Interval b = fmod(n, 2) == 0 ? interval_absolute(a) : a;
    if (n == 0)
        return (Interval){1, 1};
    if (n == 1)
        return a;
    Interval all =
        interval_outward(function_integer_power(b.low, n), function_integer_power(b.high, n));
    const double more = n * DBL_EPSILON;
    all.low -= more * fabs(all.low);
    all.high += more * fabs(all.high);
    return all;
}

/* Rounding outward keeps a root nonnegative, so that 1/hypot(u, w) at rest has a sign. */
static inline Interval interval_root(Interval a)
{
    Interval all = interval_outward(a.low > 0 ? sqrt(a.low) : 0, sqrt(a.high));

    all.low = fmax(all.low, 0);
    return all;
}

/* The values of sin(u) for quarter = 0, or of cos(u) = sin(u + pi/2) for quarter = 0.5. */
static inline Interval interval_sine(Interval u, double quarter)
{
    double (*const f)(double) = quarter == 0 ? sin : cos;
    const double slack = 4 * DBL_EPSILON * (1 + fmax(fabs(u.low), fabs(u.high)) / INTERVAL_PI);
    const double from = u.low / INTERVAL_PI + quarter - 0.5 - slack,
                 to = u.high / INTERVAL_PI + quarter - 0.5 + slack;
    if (!(to - from < 2) || !(fabs(from) < 0x1p50))
        return (Interval){-1, 1};
    Interval value = interval_outward(fmin(f(u.low), f(u.high)), fmax(f(u.low), f(u.high)));
    /* extrema at half turns: maxima at even ones, minima at odd ones */
    for (double k = ceil(from); k <= to; k++) {
        if (fmod(k, 2) == 0)
            value.high = 1;
        else
            value.low = -1;
    }
    return (Interval){fmax(value.low, -1), fmin(value.high, 1)};
}

/* Private to core/expr: ranges of functions from those of their arguments (range_function.c). */

Range range_product(const Range *a, const Range *b);
/* u^n; n is an integer. */
Range range_integer_power(const Range *u, double n);
/* A function or a condition of up to three arguments; unused arguments are not read. */
Range range_function(ExprOp op, const Range *a, const Range *b, const Range *c);

#endif
