/* Ranges hold what they promise: every value and every rate of the expression while x and theta
 * move along lines, by points inside and finite differences. */
#include "core/expr/interval/range.h"

#include <math.h>

#include "core/base/random.h"
#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

enum { X = 1, THETA = 2, ROUNDS = SUITE_DRAWS(400), INSIDE = 40 };

static const char *const TEXTS[] = {"sin(3*x)",
                                    "cos(x*theta)",
                                    "tan(x)",
                                    "asin(x/3)",
                                    "acos(x/3)",
                                    "atan(x)",
                                    "sinh(x)",
                                    "cosh(x - 1)",
                                    "tanh(x)",
                                    "asinh(x)",
                                    "acosh(x)",
                                    "atanh(x/4)",
                                    "exp(-x^2)",
                                    "log(x + 2)",
                                    "log10(x)",
                                    "sqrt(x)",
                                    "cbrt(x)",
                                    "erf(x)",
                                    "abs(x)*theta",
                                    "sign(x)",
                                    "atan2(x, theta)",
                                    "hypot(x, theta)",
                                    "min(x, theta^2)",
                                    "max(sin(x), theta)",
                                    "x^3 - 2*x^2",
                                    "1/x",
                                    "x/(theta + 2)",
                                    "1/x^2",
                                    "(x + 3)^2.5",
                                    "(x^2 + 1)^theta",
                                    "if(x < 1, x, 2)",
                                    "if(x >= 0 and theta < 1, x*theta, sin(theta))",
                                    "x^0.5",
                                    "x^1.5",
                                    "2^x",
                                    "cos(x)^2000000",
                                    "sin(x)^2000001",
                                    "cos(x*theta)^(-400000)",
                                    "abs(sin(x))^123456.5",
                                    "if(not x > 1, 1, 0)"};

/* One stretch: the values and rates at points inside are in the range. */
static void check_stretch(const Fixture *fixture, Expr e, RangeEval *eval, Random *random,
                          const char *text)
{
    double from[2], rate[2], symbols[FIXTURE_SYMBOLS] = {0}, h = 1e-6;
    const double width = pow(10, random_uniform(random, -4, 0.5));
    Range ranges[FIXTURE_SYMBOLS] = {0};

    for (int i = 0; i < 2; i++) {
        from[i] = random_uniform(random, -3, 3);
        rate[i] = random_uniform(random, -1, 1);
        const double to = from[i] + width * rate[i];
        ranges[X + i] = (Range){.value = {fmin(from[i], to), fmax(from[i], to)},
                                .rate = {rate[i], rate[i]},
                                .whole = true};
    }
    Range range;
    range_eval(eval, ranges, &range);
    for (int k = 0; k <= INSIDE; k++) {
        double value[3];
        for (int d = -1; d <= 1; d++) {
            for (int i = 0; i < 2; i++)
                symbols[X + i] = from[i] + rate[i] * (width * k / INSIDE + d * h);
            ck_assert_int_eq(expr_eval(fixture->pool, &e, 1, symbols, &value[d + 1], NULL), OK);
        }
        if (!isfinite(value[1])) {
            ck_assert_msg(!range.whole, "%s is not defined everywhere", text);
            continue;
        }
        const double slack = 1e-9 * (1 + fabs(value[1]));
        ck_assert_msg(value[1] >= range.value.low - 1e-12 * fabs(value[1]) &&
                          value[1] <= range.value.high + 1e-12 * fabs(value[1]),
                      "%s: %.17g is not within %.17g and %.17g", text, value[1], range.value.low,
                      range.value.high);
        const double slope = (value[2] - value[0]) / (2 * h);
        const double doubt = slack / h + 10 * fabs(value[2] + value[0] - 2 * value[1]) / h;
        if (range.whole && k > 0 && k < INSIDE && isfinite(slope))
            ck_assert_msg(slope >= range.rate.low - doubt && slope <= range.rate.high + doubt,
                          "%s: the rate %g is not within %g and %g", text, slope, range.rate.low,
                          range.rate.high);
    }
}

START_TEST(every_value_and_rate_is_within)
{
    Fixture fixture;
    RangeEval *eval;
    Random random;

    fixture_init(&fixture, false);
    random_init(&random, 5 + (uint64_t)_i);
    Expr e = fixture_read(&fixture, TEXTS[_i]);
    ck_assert_int_eq(range_eval_new(fixture.pool, &e, 1, FIXTURE_SYMBOLS, &eval, NULL), OK);
    ck_assert(range_eval_uses(eval, X));
    ck_assert(!range_eval_uses(eval, 0));
    for (int k = 0; k < ROUNDS; k++)
        check_stretch(&fixture, e, eval, &random, TEXTS[_i]);
    range_eval_free(eval);
    fixture_done(&fixture);
}
END_TEST

/* Of e what is not defined everywhere: the kind-th of some functions. */
static Expr outside_domain(ExprPool *pool, Expr e, int kind)
{
    static const ExprOp OPS[] = {EXPR_LOG, EXPR_SQRT, EXPR_ASIN, EXPR_ACOSH, EXPR_ATANH, EXPR_TAN};
    const double powers[] = {-1, -2, -3, 2.5, 0.5, -0.3, 150001, 150002};
    enum { N_OPS = sizeof OPS / sizeof *OPS, N_POWERS = sizeof powers / sizeof *powers };

    if (kind < N_OPS)
        return expr_call(pool, OPS[kind], &e, 1);
    if (kind == N_OPS + N_POWERS - 1 || kind == N_OPS + N_POWERS - 2)
        e = expr_call(pool, EXPR_SIN, &e, 1); /* does not overflow */
    if (kind < N_OPS + N_POWERS)
        return expr_pow(pool, e, expr_const(pool, powers[kind - N_OPS]));
    return e;
}

/* d e/d theta while the symbols move at these rates. */
static Expr rate_of(ExprPool *pool, Expr e, const double *rates)
{
    Expr sum = expr_const(pool, 0);
    for (uint32_t i = 0; i < TREE_SYMBOLS; i++) {
        const Expr slope = expr_diff(pool, e, expr_symbol(pool, i));
        sum = expr_add(pool, sum, expr_scale(pool, rates[i], slope));
    }
    return sum;
}

/* Values and rates of e and its exact derivative, at points of a random line. */
static void check_line(ExprPool *pool, Expr e, const Trees *trees, int root, Random *random,
                       int number)
{
    double from[TREE_SYMBOLS], rates[TREE_SYMBOLS], symbols[TREE_SYMBOLS], values[2];
    const double width = pow(10, random_uniform(random, -3, 0.3));
    Range ranges[TREE_SYMBOLS], range;
    RangeEval *eval;

    random_point(random, from);
    random_point(random, rates);
    for (int i = 0; i < TREE_SYMBOLS; i++) {
        const double to = from[i] + width * rates[i];
        ranges[i] = (Range){.value = {fmin(from[i], to), fmax(from[i], to)},
                            .rate = {rates[i], rates[i]},
                            .whole = true};
    }
    const Expr both[] = {e, rate_of(pool, e, rates)};
    if (expr_pool_status(pool, NULL) != OK)
        return; /* a constant part that is not finite */
    ck_assert_int_eq(range_eval_new(pool, &e, 1, TREE_SYMBOLS, &eval, NULL), OK);
    range_eval(eval, ranges, &range);
    range_eval_free(eval);
    for (int k = 0; k <= INSIDE; k++) {
        for (int i = 0; i < TREE_SYMBOLS; i++)
            symbols[i] = from[i] + rates[i] * (width * k / INSIDE);
        ck_assert_int_eq(expr_eval(pool, both, 2, symbols, values, NULL), OK);
        const double slack = 1e-9 * fabs(values[0]) + 1e-12;
        double largest = 0;
        tree_value(trees, root, symbols, &largest);
        if (!(largest < 1e200)) /* what overflows counts as a large number */
            continue;
        if (isnan(values[0]))
            ck_assert_msg(!range.whole, "case %d is not defined everywhere", number);
        else if (isfinite(values[0]))
            ck_assert_msg(values[0] >= range.value.low - slack &&
                              values[0] <= range.value.high + slack,
                          "case %d: %.17g is not within %.17g and %.17g", number, values[0],
                          range.value.low, range.value.high);
        const double doubt = 1e-7 * fabs(values[1]) + 1e-9;
        if (range.whole && isfinite(values[0]) && isfinite(values[1]))
            ck_assert_msg(values[1] >= range.rate.low - doubt &&
                              values[1] <= range.rate.high + doubt,
                          "case %d: the rate %.17g is not within %.17g and %.17g", number,
                          values[1], range.rate.low, range.rate.high);
    }
}

START_TEST(random_expressions_stay_within)
{
    Random random;
    Trees trees;

    random_init(&random, 40 + (uint64_t)_i);
    for (int i = 0; i < SUITE_DRAWS(2000); i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        const int root = tree_random(&trees, &random, 1 + i % 5);
        const Expr e = outside_domain(pool, tree_build(&trees, root, pool), i % 28);
        if (expr_pool_status(pool, NULL) == OK)
            check_line(pool, e, &trees, root, &random, i);
        expr_pool_free(pool);
    }
}
END_TEST

/* A point is known to rounding, so that halving ends. */
START_TEST(a_point_is_narrow)
{
    Fixture fixture;
    RangeEval *eval;
    Range ranges[FIXTURE_SYMBOLS] = {0};

    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, "sin(x)*exp(theta) - sqrt(x^2 + 1)/theta");
    ck_assert_int_eq(range_eval_new(fixture.pool, &e, 1, FIXTURE_SYMBOLS, &eval, NULL), OK);
    for (int i = X; i <= THETA; i++)
        ranges[i] = (Range){.value = {1.25, 1.25}, .rate = {1, 1}, .whole = true};
    Range range;
    range_eval(eval, ranges, &range);
    ck_assert(range.whole);
    ck_assert_double_lt(range.value.high - range.value.low, 1e-13);
    ck_assert_double_lt(range.rate.high - range.rate.low, 1e-12);
    range_eval_free(eval);
    fixture_done(&fixture);
}
END_TEST

/* Over x in [0.5, 0.6] and theta in [-0.05, 0.05]. */
static const struct {
    const char *text;
    bool calm;
} CALM[] = {
    {"x^2*sin(9*x) + exp(theta)/sqrt(x)", true},
    {"sin(x)^4*cos(theta)^6/(2 + theta)^2", true},
    {"abs(x)*theta + hypot(x, theta) + log(x)", true},
    {"1/hypot(x, 1)^3 + (x + 1)^2.5/(1 + theta^2)", true},
    {"sin(90*x)", false}, /* moves by 9 */
    {"exp(-1000*theta^2)", false},
    {"tanh(40*theta)", false},
    {"1/(1e-6 + theta^2)", false}, /* Lorentz's line */
    {"1/theta", false},
    {"sqrt(theta + 0.051)", false},
    {"hypot(theta, 1e-3)", false},
    {"abs(theta)", false},
    {"max(x, theta)", false}, /* a corner, wherever it is */
    {"if(x > 0.55, 1, 0)", false},
    {"((2*x^2 - 1)^4 - 1)^4", false},
    {"(1 - theta)^400", false},
};

START_TEST(what_is_as_smooth_as_its_symbols_is_told)
{
    Fixture fixture;
    RangeEval *eval;
    Range ranges[FIXTURE_SYMBOLS] = {0}, range;

    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, CALM[_i].text);
    ck_assert_int_eq(range_eval_new(fixture.pool, &e, 1, FIXTURE_SYMBOLS, &eval, NULL), OK);
    ranges[X] = (Range){.value = {0.5, 0.6}, .rate = {0.1, 0.1}, .whole = true};
    ranges[THETA] = (Range){.value = {-0.05, 0.05}, .rate = {0.1, 0.1}, .whole = true};
    range_eval(eval, ranges, &range);
    ck_assert_msg(range_eval_calm(eval) == CALM[_i].calm, "%s", CALM[_i].text);
    range_eval_free(eval);
    fixture_done(&fixture);
}
END_TEST

SUITE(range)
{
    TCase *tc = suite_case(suite, "range");
    tcase_add_loop_test(tc, every_value_and_rate_is_within, 0, sizeof TEXTS / sizeof *TEXTS);
    tcase_add_loop_test(tc, random_expressions_stay_within, 0, SUITE_DRAWS(4));
    tcase_add_test(tc, a_point_is_narrow);
    tcase_add_loop_test(tc, what_is_as_smooth_as_its_symbols_is_told, 0,
                        sizeof CALM / sizeof *CALM);
}
