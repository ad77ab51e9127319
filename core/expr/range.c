/* Values and rates of an expression over intervals of its symbols, by interval arithmetic
 * (R. E. Moore, R. B. Kearfott, M. J. Cloud: Introduction to Interval Analysis, SIAM 2009).
 *
 * Bounds are rounded outward by some units in the last place, which covers + - * / and the C
 * library's functions. A function with a domain is taken over the part of the interval inside it;
 * what jumps has any rate. */
#include "core/expr/range.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/patience.h"
#include "core/expr/function.h"
#include "core/expr/reach.h"

enum { NODE_WORK = 16 }; /* of patience, for the interval of a node and its rate */
/* See range_eval_calm(): of arguments, of what is divided by, of polynomials; powers from HIGH_POWER on are as quotients. */
static const double CALM_WIDTH = 1, CALM_FACTOR = 1, CALM_DEGREE = 20, HIGH_POWER = 8;

static const Interval ALL = {-INFINITY, INFINITY}, NONE = {INFINITY, -INFINITY};
static const double PI = 3.14159265358979323846;

struct RangeEval {
    const ExprPool *pool;
    Reach reach;
    Expr *roots;
    size_t n_roots, n_symbols;
    Range *ranges;   /* by slot */
    double *degrees; /* by slot: of polynomials in symbols and functions */
};

static Interval outward(double low, double high)
{
    const double ulps = 4 * DBL_EPSILON;
    if (isnan(low) || isnan(high))
        return ALL;
    /* what overflows is a large number, not none */
    return (Interval){low == INFINITY ? DBL_MAX : low - ulps * fabs(low) - DBL_MIN,
                      high == -INFINITY ? -DBL_MAX : high + ulps * fabs(high) + DBL_MIN};
}

static bool empty(Interval a)
{
    return a.low > a.high;
}

static bool holds_zero(Interval a)
{
    return a.low <= 0 && a.high >= 0;
}

static Interval hull(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static Interval add(Interval a, Interval b)
{
    return outward(a.low + b.low, a.high + b.high);
}

/* 0 times infinity is 0: the bounds of an interval are not its members. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static Interval multiply(Interval a, Interval b)
{
    const double p = times(a.low, b.low), q = times(a.low, b.high);
    const double r = times(a.high, b.low), s = times(a.high, b.high);
    if ((a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0))
        return (Interval){0, 0};
    return outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static Interval scale(double factor, Interval a)
{
    return multiply((Interval){factor, factor}, a);
}

static Interval reciprocal(Interval a)
{
    if (a.low == 0 && a.high == 0)
        return NONE;
    if (a.low < 0 && a.high > 0)
        return ALL;
    return outward(a.high == 0 ? -INFINITY : 1 / a.high, a.low == 0 ? INFINITY : 1 / a.low);
}

static Interval absolute(Interval a)
{
    if (holds_zero(a))
        return (Interval){0, fmax(-a.low, a.high)};
    return a.low > 0 ? a : (Interval){-a.high, -a.low};
}

/* a^n, n >= 0. */
static Interval power(Interval a, double n)
{
    const Interval b = fmod(n, 2) == 0 ? absolute(a) : a;
    if (n == 0)
        return (Interval){1, 1};
    if (n == 1)
        return a;
    Interval all = outward(function_integer_power(b.low, n), function_integer_power(b.high, n));
    const double more = n * DBL_EPSILON;
    all.low -= more * fabs(all.low);
    all.high += more * fabs(all.high);
    return all;
}

/* Rounded outward no root is negative: 1/hypot(u, w) of what rests has a sign. */
static Interval root(Interval a)
{
    Interval all = outward(a.low > 0 ? sqrt(a.low) : 0, sqrt(a.high));

    all.low = fmax(all.low, 0);
    return all;
}

static Range constant(double value)
{
    return (Range){{value, value}, {0, 0}, true};
}

static Range unknown(void)
{
    return (Range){ALL, ALL, false};
}

static Range nowhere(void)
{
    return (Range){NONE, NONE, false};
}

/* f(u) from its values, the values of f' and u. */
static Range chain(Interval value, Interval slope, const Range *u)
{
    return (Range){value, multiply(slope, u->rate), u->whole};
}

static Range product(const Range *a, const Range *b)
{
    return (Range){multiply(a->value, b->value),
                   add(multiply(a->rate, b->value), multiply(a->value, b->rate)),
                   a->whole && b->whole};
}

static Range integer_power(const Range *u, double n)
{
    const double size = fabs(n);
    Range up = chain(power(u->value, size), scale(size, power(u->value, size - 1)), u);
    if (n > 0)
        return up;
    const Interval value = reciprocal(up.value);
    if (empty(value))
        return nowhere();
    Range down = chain(value, scale(-1, power(value, 2)), &up);
    if (holds_zero(up.value)) {
        down.whole = false;
        down.rate = ALL;
        if (fmod(size, 2) == 0)
            down.value.low = fmax(down.value.low, 0);
    }
    return down;
}

/* The values of sin(u), or of cos as sin(u + pi/2). */
static Interval sine(Interval u, double quarter)
{
    double (*const f)(double) = quarter == 0 ? sin : cos;
    const double slack = 4 * DBL_EPSILON * (1 + fmax(fabs(u.low), fabs(u.high)) / PI);
    const double from = u.low / PI + quarter - 0.5 - slack,
                 to = u.high / PI + quarter - 0.5 + slack;
    if (!(to - from < 2) || !(fabs(from) < 0x1p50))
        return (Interval){-1, 1};
    Interval value = outward(fmin(f(u.low), f(u.high)), fmax(f(u.low), f(u.high)));
    /* extrema at half turns: a maximum at each even one, a minimum at each odd one */
    for (double k = ceil(from); k <= to; k++) {
        if (fmod(k, 2) == 0)
            value.high = 1;
        else
            value.low = -1;
    }
    return (Interval){fmax(value.low, -1), fmin(value.high, 1)};
}

static Range tangent(const Range *u)
{
    const Interval c = sine(u->value, 0.5);
    if (holds_zero(c))
        return unknown();
    const Interval value = outward(tan(u->value.low), tan(u->value.high));
    return chain(value, add((Interval){1, 1}, power(value, 2)), u);
}

/* u cut to the domain of the function; false when nothing is left. */
static bool cut(Range *u, double low, double high)
{
    if (u->value.low >= low && u->value.high <= high)
        return true;
    u->whole = false;
    u->value = (Interval){fmax(u->value.low, low), fmin(u->value.high, high)};
    return !empty(u->value);
}

/* Functions that only rise or only fall: where they are defined, and their slopes from their
 * arguments' and their own values. */
typedef Interval Slope(Interval u, Interval value);

static const Interval ONE = {1, 1};

static Interval one_less_square(Interval u)
{
    return add(ONE, scale(-1, power(u, 2)));
}

static Interval one_and_square(Interval u)
{
    return add(ONE, power(u, 2));
}

static Interval asin_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(root(one_less_square(u)));
}

static Interval acos_slope(Interval u, Interval value)
{
    return scale(-1, asin_slope(u, value));
}

static Interval atan_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(one_and_square(u));
}

static Interval sinh_slope(Interval u, Interval value)
{
    (void)u;
    return root(one_and_square(value));
}

static Interval tanh_slope(Interval u, Interval value)
{
    (void)u;
    return one_less_square(value);
}

static Interval asinh_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(root(one_and_square(u)));
}

static Interval acosh_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(root(add(power(u, 2), (Interval){-1, -1})));
}

static Interval atanh_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(one_less_square(u));
}

static Interval exp_slope(Interval u, Interval value)
{
    (void)u;
    return value;
}

static Interval log_slope(Interval u, Interval value)
{
    (void)value;
    return reciprocal(u);
}

static Interval log10_slope(Interval u, Interval value)
{
    return scale(1 / log(10), log_slope(u, value));
}

static Interval sqrt_slope(Interval u, Interval value)
{
    (void)u;
    return scale(0.5, reciprocal(value));
}

static Interval cbrt_slope(Interval u, Interval value)
{
    (void)u;
    return scale(1.0 / 3, reciprocal(power(value, 2)));
}

static Interval erf_slope(Interval u, Interval value)
{
    const Interval square = power(u, 2);
    (void)value;
    return scale(2 / sqrt(PI), outward(exp(-square.high), exp(-fmax(square.low, 0))));
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
        return nowhere();
    const double a = function_value(op, &u.value.low), b = function_value(op, &u.value.high);
    Interval value = outward(fmin(a, b), fmax(a, b));
    value = (Interval){fmax(value.low, f->values.low), fmin(value.high, f->values.high)};
    const Interval slope = f->slope(u.value, value);
    return chain(value, empty(slope) ? ALL : slope, &u);
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
    return (Range){value, jumps ? ALL : (Interval){0, 0}, u->whole && !jumps};
}

static Range absolute_range(const Range *u)
{
    const Interval slope = {u->value.low >= 0 ? 1 : -1, u->value.high <= 0 ? -1 : 1};
    return chain(absolute(u->value), slope, u);
}

/* Of a and b the smaller: side -1, or the larger: side 1. */
static Range extreme(const Range *a, const Range *b, int side)
{
    const bool first = side < 0 ? a->value.high < b->value.low : a->value.low > b->value.high;
    const bool second = side < 0 ? b->value.high < a->value.low : b->value.low > a->value.high;
    if (first && a->whole && b->whole)
        return *a;
    if (second && a->whole && b->whole)
        return *b;
    Range both = {.rate = hull(a->rate, b->rate), .whole = a->whole && b->whole};
    both.value =
        side < 0 ? (Interval){fmin(a->value.low, b->value.low), fmin(a->value.high, b->value.high)}
                 : (Interval){fmax(a->value.low, b->value.low), fmax(a->value.high, b->value.high)};
    return both;
}

static Range angle(const Range *y, const Range *x)
{
    const Interval square = add(power(x->value, 2), power(y->value, 2));
    const Interval u = x->value, w = y->value;
    if (holds_zero(w) && u.low <= 0)
        return (Range){outward(-PI, PI), ALL, false};
    const double a = atan2(w.low, u.low), b = atan2(w.low, u.high);
    const double c = atan2(w.high, u.low), d = atan2(w.high, u.high);
    const Interval turn = add(multiply(u, y->rate), scale(-1, multiply(w, x->rate)));
    return (Range){outward(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))),
                   multiply(turn, reciprocal(square)), x->whole && y->whole};
}

static Range length(const Range *a, const Range *b)
{
    const Interval value = root(add(power(a->value, 2), power(b->value, 2)));
    const Interval grow = add(multiply(a->value, a->rate), multiply(b->value, b->rate));
    if (value.low <= 0) /* each part's slope is within -1 and 1 */
        return (Range){
            value, add(multiply((Interval){-1, 1}, a->rate), multiply((Interval){-1, 1}, b->rate)),
            a->whole && b->whole};
    return (Range){value, multiply(grow, reciprocal(value)), a->whole && b->whole};
}

/* a^b = exp(b log a), a > 0; elsewhere only what a constant exponent tells: whole ones, too high for
 * a product, take negative a too. */
static Range general_power(const Range *a, const Range *b)
{
    const double n = b->value.low;
    const bool constant = n == b->value.high;
    if (constant && n == rint(n) && fabs(n) < 0x1p53)
        return integer_power(a, n);
    if (a->value.high < 0 || (a->value.low < 0 && (!constant || fabs(n) >= 0x1p53)))
        return unknown();
    if (!(a->value.low > 0)) {
        Range inside = *a;
        cut(&inside, 0, INFINITY);
        if (!constant || n < 0 || empty(inside.value))
            return unknown();
        const Interval slope =
            n >= 1 ? scale(n, outward(0, pow(inside.value.high, n - 1))) : (Interval){0, INFINITY};
        return chain(outward(0, pow(inside.value.high, n)), slope, &inside);
    }
    const Range exponent = monotonic(EXPR_LOG, *a), all = product(b, &exponent);
    return monotonic(EXPR_EXP, all);
}

/* 1 where it holds, 0 where not. */
static Range truth(bool may_hold, bool may_fail, bool whole)
{
    const Interval value = {may_fail ? 0 : 1, may_hold ? 1 : 0};
    return (Range){value, may_hold && may_fail ? ALL : (Interval){0, 0},
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
        return truth(u.high != 0 && w.high != 0, holds_zero(u) || holds_zero(w), whole);
    return truth(u.high != 0 || w.high != 0, holds_zero(u) && holds_zero(w), whole);
}

static Range choice(const Range *c, const Range *a, const Range *b)
{
    if (c->value.low > 0)
        return *a;
    if (c->value.high == 0)
        return *b;
    return (Range){hull(a->value, b->value), ALL, false};
}

static Range sine_range(const Range *a)
{
    return chain(sine(a->value, 0), sine(a->value, 0.5), a);
}

static Range cosine_range(const Range *a)
{
    return chain(sine(a->value, 0.5), scale(-1, sine(a->value, 0)), a);
}

static Range cosh_range(const Range *a)
{
    const Interval size = absolute(a->value);
    return chain(outward(cosh(size.low), cosh(size.high)),
                 outward(sinh(a->value.low), sinh(a->value.high)), a);
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
    return truth(holds_zero(a->value), a->value.low != 0 || a->value.high != 0, a->whole);
}

/* What is neither a monotonic function nor a condition. */
typedef struct Rule {
    Range (*unary)(const Range *a); /* one of the two */
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

static Range function_range(ExprOp op, const Range *a, const Range *b, const Range *c)
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

static const Range *range_of(const RangeEval *eval, Expr e)
{
    return &eval->ranges[eval->reach.slot[e.id]];
}

static Range sum_range(const RangeEval *eval, const ExprNode *node)
{
    Range sum = constant(node->value);
    for (uint32_t k = 0; k < node->n; k++) {
        const Range *term = range_of(eval, node->args[k]);
        sum.value = add(sum.value, scale(node->coefs[k], term->value));
        sum.rate = add(sum.rate, scale(node->coefs[k], term->rate));
        sum.whole = sum.whole && term->whole;
    }
    return sum;
}

static Range product_range(const RangeEval *eval, const ExprNode *node)
{
    Range all = constant(1);
    for (uint32_t k = 0; k < node->n; k++) {
        const Range factor = integer_power(range_of(eval, node->args[k]), node->coefs[k]);
        if (empty(factor.value))
            return nowhere();
        all = k == 0 ? factor : product(&all, &factor);
    }
    return all;
}

static Range node_range(const RangeEval *eval, Expr e, const Range *symbols)
{
    const ExprNode node = expr_node(eval->pool, e);

    if (node.op == EXPR_CONST)
        return constant(node.value);
    if (node.op == EXPR_SYMBOL)
        return node.symbol < eval->n_symbols ? symbols[node.symbol] : unknown();
    if (node.op >= EXPR_FACTOR)
        return unknown();
    if (node.op != EXPR_IF)
        for (uint32_t k = 0; k < node.n; k++)
            if (empty(range_of(eval, node.args[k])->value))
                return nowhere();
    if (node.op == EXPR_SUM)
        return sum_range(eval, &node);
    if (node.op == EXPR_PRODUCT)
        return product_range(eval, &node);
    return function_range(node.op, range_of(eval, node.args[0]),
                          range_of(eval, node.args[node.n > 1 ? 1 : 0]),
                          range_of(eval, node.args[node.n > 2 ? 2 : 0]));
}

static double degree_of(const RangeEval *eval, Expr e)
{
    const ExprNode node = expr_node(eval->pool, e);
    double degree = node.op == EXPR_CONST ? 0 : 1;

    if (node.op != EXPR_SUM && node.op != EXPR_PRODUCT)
        return degree;
    degree = 0;
    for (uint32_t k = 0; k < node.n; k++) {
        const double part = eval->degrees[eval->reach.slot[node.args[k].id]];
        /* a quotient is a function of its own */
        const double share = node.op == EXPR_SUM || node.coefs[k] < 0 ? 1 : node.coefs[k] * part;
        degree = node.op == EXPR_SUM ? fmax(degree, part) : degree + share;
    }
    return degree;
}

Status range_eval_new(const ExprPool *pool, const Expr *roots, size_t n_roots, size_t n_symbols,
                      RangeEval **ret_eval, Error *err)
{
    RangeEval *eval = alloc_array(1, sizeof *eval);
    if (!eval)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *eval = (RangeEval){.pool = pool, .n_roots = n_roots, .n_symbols = n_symbols};
    Status status = reach_init(pool, roots, n_roots, &eval->reach, err);
    if (status == OK) {
        eval->roots = alloc_array(n_roots, sizeof *eval->roots);
        eval->ranges = alloc_array(eval->reach.n, sizeof *eval->ranges);
        eval->degrees = alloc_array(eval->reach.n, sizeof *eval->degrees);
        if (!eval->ranges || !eval->roots || !eval->degrees)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; status == OK && i < eval->reach.n; i++)
        eval->degrees[i] = degree_of(eval, eval->reach.order[i]);
    if (status != OK) {
        range_eval_free(eval);
        return status;
    }
    memcpy(eval->roots, roots, n_roots * sizeof *roots);
    *ret_eval = eval;
    return OK;
}

void range_eval_free(RangeEval *eval)
{
    if (!eval)
        return;
    reach_done(&eval->reach);
    free(eval->roots);
    free(eval->ranges);
    free(eval->degrees);
    free(eval);
}

bool range_eval_uses(const RangeEval *eval, size_t symbol)
{
    for (uint32_t i = 0; i < eval->reach.n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->reach.order[i]);
        if (node.op == EXPR_SYMBOL && node.symbol == symbol)
            return true;
    }
    return false;
}

void range_eval(RangeEval *eval, const Range *symbols, Range *ret_ranges)
{
    (void)patience_spend((uint64_t)eval->reach.n * NODE_WORK, NULL);
    for (uint32_t i = 0; i < eval->reach.n; i++)
        eval->ranges[i] = node_range(eval, eval->reach.order[i], symbols);
    for (size_t k = 0; k < eval->n_roots; k++)
        ret_ranges[k] = *range_of(eval, eval->roots[k]);
}

/* By which factor it changes, less 1; infinite where it may vanish. */
static double spread(Interval a)
{
    const Interval size = absolute(a);
    return size.low > 0 ? size.high / size.low - 1 : INFINITY;
}

static double width(Interval a)
{
    return a.high - a.low;
}

static bool calm_product(const RangeEval *eval, const ExprNode *node)
{
    for (uint32_t k = 0; k < node->n; k++) {
        const double power = node->coefs[k];
        const Range *factor = range_of(eval, node->args[k]);
        if ((power < 0 || power >= HIGH_POWER) && fabs(power) * spread(factor->value) > CALM_FACTOR)
            return false;
    }
    return true;
}

static bool calm_function(ExprOp op, const Range *u, const Range *value)
{
    if (op == EXPR_SIN || op == EXPR_COS || op == EXPR_EXP || op == EXPR_TANH || op == EXPR_ATAN ||
        op == EXPR_ERF || op == EXPR_ASINH || op == EXPR_SINH || op == EXPR_COSH)
        return width(u->value) <= CALM_WIDTH;
    if (op == EXPR_TAN)
        return width(u->value) <= CALM_WIDTH && width(value->value) <= CALM_WIDTH;
    if (op == EXPR_SQRT || op == EXPR_CBRT || op == EXPR_LOG || op == EXPR_LOG10)
        return spread(u->value) <= CALM_FACTOR;
    if (op == EXPR_HYPOT)
        return spread(value->value) <= CALM_FACTOR;
    return op == EXPR_ABS && spread(u->value) < INFINITY;
}

bool range_eval_calm(const RangeEval *eval)
{
    bool calm = true;

    for (uint32_t i = 0; calm && i < eval->reach.n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->reach.order[i]);
        const Range *value = &eval->ranges[i];
        calm = value->whole && !empty(value->value) && eval->degrees[i] <= CALM_DEGREE;
        if (node.op == EXPR_PRODUCT)
            calm = calm && calm_product(eval, &node);
        else if (node.op != EXPR_CONST && node.op != EXPR_SYMBOL && node.op != EXPR_SUM)
            calm = calm && node.n > 0 && node.op < EXPR_FACTOR &&
                   calm_function(node.op, range_of(eval, node.args[0]), value);
    }
    return calm;
}
