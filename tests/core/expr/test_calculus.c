/* Derivatives against extrapolated central differences of an independent evaluator. */
#include "core/expr/calculus/calculus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

typedef double Function(const void *self, const double *symbols);

enum { LEVELS = 6 };

/* Ridders' scheme: central differences with steps 0.02 / 1.4^i, extrapolated in h^2; the entry that
 * agrees best with its neighbours. */
static double numeric_derivative(Function *f, const void *self, const double *at, int symbol,
                                 double *ret_error)
{
    double table[LEVELS][LEVELS], x[FIXTURE_SYMBOLS], best = NAN, error = INFINITY, h = 0.02;

    for (int i = 0; i < FIXTURE_SYMBOLS; i++)
        x[i] = i < TREE_SYMBOLS ? at[i] : 0.0;
    for (int i = 0; i < LEVELS; i++, h /= 1.4) {
        x[symbol] = at[symbol] + h;
        double right = f(self, x);
        x[symbol] = at[symbol] - h;
        table[0][i] = (right - f(self, x)) / (2 * h);
        double factor = 1.4 * 1.4;
        for (int k = 1; k <= i; k++, factor *= 1.4 * 1.4) {
            table[k][i] = (table[k - 1][i] * factor - table[k - 1][i - 1]) / (factor - 1);
            double difference =
                fmax(fabs(table[k][i] - table[k - 1][i]), fabs(table[k][i] - table[k - 1][i - 1]));
            if (difference <= error) {
                error = difference;
                best = table[k][i];
            }
        }
    }
    *ret_error = error;
    return best;
}

typedef struct TreeFunction {
    const Trees *trees;
    int root;
    double *largest;
} TreeFunction;

static double tree_function(const void *self, const double *symbols)
{
    const TreeFunction *f = self;
    return tree_value(f->trees, f->root, symbols, f->largest);
}

typedef struct NodeFunction {
    const ExprPool *pool;
    Expr e;
} NodeFunction;

static double node_function(const void *self, const double *symbols)
{
    const NodeFunction *f = self;
    double value;
    ck_assert(expr_eval(f->pool, &f->e, 1, symbols, &value, NULL) == OK);
    return value;
}

static double value_of(const ExprPool *pool, Expr e, const double *symbols)
{
    return node_function(&(NodeFunction){pool, e}, symbols);
}

START_TEST(derivatives_equal_extrapolated_differences)
{
    const uint64_t seed = 7;
    bool smooth = _i == 0;
    Random random;
    Trees trees;
    int checked = 0;

    printf("seed %llu\n", (unsigned long long)seed);
    random_init(&random, seed);
    for (int i = 0; i < 3000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int root =
            smooth ? tree_random_smooth(&trees, &random, 4) : tree_random(&trees, &random, 4);
        int symbol = i % TREE_SYMBOLS;
        double at[TREE_SYMBOLS], largest = 0, error;
        random_point(&random, at);
        double expected = numeric_derivative(tree_function, &(TreeFunction){&trees, root, &largest},
                                             at, symbol, &error);
        Expr d =
            expr_diff(pool, tree_build(&trees, root, pool), expr_symbol(pool, (uint32_t)symbol));
        /* where the difference quotients disagree there is a corner or a pole nearby */
        if (largest < 1e3 && error < 1e-7 * (1 + largest)) {
            double value = value_of(pool, d, at);
            ck_assert_msg(fabs(value - expected) <= 2e-6 * (1 + largest),
                          "case %d: %.15g, by differences %.15g +- %.1g", i, value, expected,
                          error);
            checked++;
        }
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 2000);
}
END_TEST

START_TEST(second_derivatives_equal_differences_of_the_first)
{
    Random random;
    Trees trees;
    int checked = 0;

    random_init(&random, 8);
    for (int i = 0; i < 1500; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int root = tree_random_smooth(&trees, &random, 3);
        double at[TREE_SYMBOLS], error;
        random_point(&random, at);
        Expr e = tree_build(&trees, root, pool);
        if (expr_pool_status(pool, NULL) != OK) { /* such as exp(7^4) */
            expr_pool_free(pool);
            continue;
        }
        Expr first = expr_diff(pool, e, expr_symbol(pool, 0));
        Expr second = expr_diff(pool, first, expr_symbol(pool, (uint32_t)(i % 2)));
        Error status = {0};
        ck_assert_msg(expr_pool_status(pool, &status) == OK, "case %d: %s", i, status.message);
        double expected =
            numeric_derivative(node_function, &(NodeFunction){pool, first}, at, i % 2, &error);
        if (error < 1e-8 * (1 + fabs(expected))) {
            double value = value_of(pool, second, at);
            ck_assert_msg(fabs(value - expected) <= 1e-6 * (1 + fabs(expected)),
                          "case %d: %.15g, by differences %.15g", i, value, expected);
            checked++;
        }
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 1000);
}
END_TEST

static void check_close(double a, double b, double scale)
{
    ck_assert_msg((isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(scale)), "%.17g, %.17g",
                  a, b);
}

START_TEST(gradient_equals_each_derivative_and_directional_their_sum)
{
    Random random;
    Trees trees;
    int checked = 0;

    random_init(&random, 9);
    for (int i = 0; i < 2000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        Expr wrt[TREE_SYMBOLS], gradient[TREE_SYMBOLS], rates[TREE_SYMBOLS], along;
        double at[2 * TREE_SYMBOLS], sum = 0, scale = 0, largest = 0;
        int root = tree_random(&trees, &random, 5);
        Expr e = tree_build(&trees, root, pool);
        random_point(&random, at);
        random_point(&random, at + TREE_SYMBOLS);
        for (uint32_t k = 0; k < TREE_SYMBOLS; k++) {
            wrt[k] = expr_symbol(pool, k);
            rates[k] = expr_symbol(pool, TREE_SYMBOLS + k);
        }
        expr_gradient(pool, e, wrt, TREE_SYMBOLS, gradient);
        expr_directional(pool, &e, 1, wrt, rates, TREE_SYMBOLS, &along);
        tree_value(&trees, root, at, &largest);
        if (expr_pool_status(pool, NULL) == OK && largest < 1e3) {
            for (int k = 0; k < TREE_SYMBOLS; k++) {
                double one = value_of(pool, expr_diff(pool, e, wrt[k]), at);
                check_close(value_of(pool, gradient[k], at), one, one);
                sum += one * at[TREE_SYMBOLS + k];
                scale += fabs(one);
            }
            check_close(value_of(pool, along, at), sum, scale);
            checked++;
        }
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 1200);
}
END_TEST

/* Text, symbol, its derivative as one node. */
static const char *const DERIVATIVES[][3] = {
    {"m*x^3", "x", "3*m*x^2"},
    {"1/x", "x", "-1/x^2"},
    {"sin(x)^2 + cos(x)^2", "x", "0"},
    {"x^m", "x", "m*x^(m - 1)"},
    {"m^x", "x", "log(m)*m^x"},
    {"x^2.5", "x", "2.5*x*sqrt(x)"},
    {"pow(m, g)", "x", "0"},
    {"abs(x)", "x", "sign(x)"},
    {"sign(x)", "x", "0"},
    {"min(x, m)", "x", "if(x <= m, 1, 0)"},
    {"if(x < m, x^2, g*x)", "x", "if(x < m, 2*x, g)"},
    {"0^x", "x", "0"},
    {"tan(x)", "x", "1 + tan(x)^2"},
    {"acosh(x)", "x", "1/sqrt(x^2 - 1)"},
    {"log10(x)", "x", "1/(log(10)*x)"},
    {"atan2(x, m)", "m", "-x/(x^2 + m^2)"},
};

START_TEST(derivatives_are_as_simple_as_by_hand)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, DERIVATIVES[_i][0]);
    Expr symbol = fixture_read(&fixture, DERIVATIVES[_i][1]), gradient;
    Expr expected = fixture_read(&fixture, DERIVATIVES[_i][2]);
    Expr d = expr_diff(fixture.pool, e, symbol);
    ck_assert_msg(expr_same(d, expected), "%s' is %s", DERIVATIVES[_i][0],
                  fixture_print(&fixture, d, PRINT_TEXT));
    expr_gradient(fixture.pool, e, &symbol, 1, &gradient);
    if (!strstr(DERIVATIVES[_i][0], "if")) /* backwards, each branch has an if of its own */
        ck_assert_msg(expr_same(gradient, expected), "reverse: %s",
                      fixture_print(&fixture, gradient, PRINT_TEXT));
    fixture_done(&fixture);
}
END_TEST

/* Of a branch that is not taken, where x and theta are positive, nothing is left, whatever it is
 * there. */
static const char *const BRANCHES[] = {
    "if(x < 0, theta*log(-x)^2, 0)",
    "m*if(x > 0, m, exp(3*log(-x)))",
    "m - 2*if(x < 0, sqrt(-x)*asin(x - 1), 0)*if(theta > 0, 1, log(-theta))",
    "if(x < 0, if(theta < 0, log(theta*x)/log(-x), acosh(-x)), 0)",
    "log(if(x < 0, log(-x), m))",
};

START_TEST(a_branch_that_is_not_taken_leaves_nothing)
{
    const size_t X = 1;
    double values[FIXTURE_SYMBOLS], out[2];
    Expr gradient[2];
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, BRANCHES[_i]);
    for (size_t s = 0; s < FIXTURE_SYMBOLS; s++)
        values[s] = 0.7;
    expr_gradient(fixture.pool, e, &fixture.symbols[X], 2, gradient);
    ck_assert_int_eq(expr_eval(fixture.pool, gradient, 2, values, out, NULL), OK);
    ck_assert_msg(out[0] == 0 && out[1] == 0, "%s: %g, %g", BRANCHES[_i], out[0], out[1]);
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_direction_without_effect_gives_structural_zeros)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, "m*dot(x)^2/2 + m*l*cos(theta)*dot(theta)^2 - m*g*x");
    Expr p = expr_diff(fixture.pool, e, fixture.symbols[3]);
    ck_assert(expr_is_zero(fixture.pool, expr_diff(fixture.pool, p, fixture.symbols[4])));
    ck_assert(expr_same(expr_diff(fixture.pool, p, fixture.symbols[3]), fixture.symbols[7]));
    fixture_done(&fixture);
}
END_TEST

START_TEST(substitution_simplifies_on_the_way)
{
    Fixture fixture;
    Expr ret[2];
    fixture_init(&fixture, false);
    Expr roots[] = {fixture_read(&fixture, "m*(x + theta)^2 + sin(x)"),
                    fixture_read(&fixture, "g*l")};
    Expr symbols[] = {fixture.symbols[1], fixture.symbols[2]};
    Expr to[] = {fixture_read(&fixture, "-theta"), fixture_read(&fixture, "theta")};
    expr_substitute(fixture.pool, roots, 2, symbols, to, 2, ret);
    ck_assert(expr_same(ret[0], fixture_read(&fixture, "-sin(theta)")));
    ck_assert(expr_same(ret[1], roots[1]));
    fixture_done(&fixture);
}
END_TEST

START_TEST(substitution_is_simultaneous)
{
    Fixture fixture;
    Expr ret;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, "x - 2*theta");
    Expr symbols[] = {fixture.symbols[1], fixture.symbols[2]};
    Expr to[] = {fixture.symbols[2], fixture.symbols[1]};
    expr_substitute(fixture.pool, &e, 1, symbols, to, 2, &ret);
    ck_assert(expr_same(ret, fixture_read(&fixture, "theta - 2*x")));
    fixture_done(&fixture);
}
END_TEST

START_TEST(without_replacements_symbols_become_zero)
{
    Fixture fixture;
    Expr ret;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, "g + m*x^2 + cos(theta)*l + theta/m");
    Expr symbols[] = {fixture.symbols[1], fixture.symbols[2]};
    expr_substitute(fixture.pool, &e, 1, symbols, NULL, 2, &ret);
    ck_assert(expr_same(ret, fixture_read(&fixture, "g + l")));
    fixture_done(&fixture);
}
END_TEST

static const struct {
    const char *force;
    bool soft; /* its derivatives have limits where x = theta = 0 */
} NORMS[] = {
    {"-g*hypot(x, theta)*x", true},
    {"-g*sqrt(x^2 + theta^2)*theta", true},
    {"m*hypot(2*x, theta)*(x - theta)^3", true},
    {"(m + x)*hypot(x - g, theta)*(x - g)", true},
    {"hypot(hypot(x, theta), 2*x)*x", true},
    {"m*hypot(3*theta, hypot(hypot(x, theta), x))^2*hypot(x, theta)*theta", true},
    {"hypot(hypot(x, theta), 2*x)", false},
    {"hypot(x, theta)", false}, /* a cone */
    {"hypot(x, theta)*m", false},
    {"hypot(x, theta)*dot(x)", false},
    {"x^2/hypot(x, theta)", false},
    {"hypot(x, theta)*(x + 1)", false},
    {"hypot(x, theta)*cos(x)", false},
    {"hypot(x, theta)*x + hypot(x, m)", true}, /* the other is never 0 there */
};

/* Values stay what they are; in the middle what is a limit is 0, and the rest what it was. */
START_TEST(derivatives_of_norms_have_their_limits)
{
    const size_t X = 1, THETA = 2, G = 8;
    double values[FIXTURE_SYMBOLS], old[2], new[2];
    Random random;
    Fixture fixture;
    Expr roots[2], soft[2];
    random_init(&random, 40 + (uint64_t)_i);
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, NORMS[_i].force);
    expr_gradient(fixture.pool, e, &fixture.symbols[X], 2, roots);
    expr_soften_norms(fixture.pool, roots, 2, soft, NULL);
    ck_assert_int_eq(expr_pool_status(fixture.pool, NULL), OK);
    ck_assert_int_eq(!expr_same(roots[0], soft[0]) || !expr_same(roots[1], soft[1]),
                     NORMS[_i].soft);
    for (int k = 0; k < 200; k++) {
        for (size_t s = 0; s < FIXTURE_SYMBOLS; s++)
            values[s] = random_uniform(&random, -2, 2);
        values[X] *= pow(10, random_uniform(&random, -100, 100));
        values[THETA] *= pow(10, random_uniform(&random, -100, 100));
        ck_assert_int_eq(expr_eval(fixture.pool, roots, 2, values, old, NULL), OK);
        ck_assert_int_eq(expr_eval(fixture.pool, soft, 2, values, new, NULL), OK);
        for (size_t i = 0; i < 2; i++)
            ck_assert_msg(!isfinite(old[i]) || fabs(new[i] - old[i]) <= 4e-16 * fabs(old[i]),
                          "%s: %.17g, not %.17g", NORMS[_i].force, new[i], old[i]);
    }
    values[X] = strstr(NORMS[_i].force, "x - g") ? values[G] : 0;
    values[THETA] = 0;
    ck_assert_int_eq(expr_eval(fixture.pool, roots, 2, values, old, NULL), OK);
    ck_assert_int_eq(expr_eval(fixture.pool, soft, 2, values, new, NULL), OK);
    ck_assert(isnan(old[0]));
    ck_assert_int_eq(new[0] == 0 && new[1] == 0, NORMS[_i].soft);
    fixture_done(&fixture);
}
END_TEST

static const struct {
    const char *e, *by_x; /* its derivative where theta = 0, x = g */
} MIDDLES[] = {
    {"-m*hypot(x - g, theta)*(x - g) + m*x^2", "2*m*g"},
    {"hypot(x - g, theta)*(x - g) + hypot(x, theta + m)", "g/hypot(g, m)"},
    {"hypot(hypot(x - g, theta), 0)^3*(x - g) + m*x", "m"},
};

/* Limits are exact: nothing is left of what stands in for a norm that is 0. */
START_TEST(limits_take_the_place_of_norms_that_vanish)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    const Expr at[] = {fixture.symbols[1], fixture.symbols[2]};
    const Expr values[] = {fixture.symbols[8], expr_const(fixture.pool, 0)};
    const Expr expected = fixture_read(&fixture, MIDDLES[_i].by_x);
    Expr slope = expr_diff(fixture.pool, fixture_read(&fixture, MIDDLES[_i].e), at[0]);

    expr_substitute_limits(fixture.pool, &slope, 1, at, values, 2, &slope);
    ck_assert_int_eq(expr_pool_status(fixture.pool, NULL), OK);
    ck_assert(expr_same(slope, expected));
    fixture_done(&fixture);
}
END_TEST

static const struct {
    const char *e;
    bool never_negative;
    double power; /* of x and theta */
} FORMS[] = {
    {"x^2 + 3*theta^2", true, 2},
    {"x^2 - theta^2", false, 2},
    {"m^2*hypot(x, theta)*x^2 + exp(g)", true, 0},
    {"m*x^2", false, 2},
    {"hypot(x, theta)*x*theta", false, 3},
    {"hypot(x, theta)*x", false, 2},
    {"sqrt(x^2 + theta^2)*theta + x^2*m/g", false, 2},
    {"x^3/theta", false, -INFINITY},
    {"x^2*theta^4/g^2 + 2", true, 0},
    {"sin(x)*theta", false, 1},
};

START_TEST(signs_and_powers_are_told_by_the_form)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    const Expr e = fixture_read(&fixture, FORMS[_i].e);

    ck_assert_int_eq(expr_never_negative(fixture.pool, e), FORMS[_i].never_negative);
    ck_assert(expr_least_power(fixture.pool, e, &fixture.symbols[1], 2) == FORMS[_i].power);
    fixture_done(&fixture);
}
END_TEST

START_TEST(what_is_analytic_is_told_by_the_form)
{
    static const struct {
        const char *e;
        bool analytic;
        size_t guards;
    } CASES[] = {
        {"x^3*sin(theta) - exp(x*m)", true, 0},  {"sqrt(1 + x)*theta/g", true, 2},
        {"hypot(x, theta)^3 + log(m)", true, 2}, {"abs(x)*x", false, 0},
        {"if(x > 0, x^4, 0)", false, 0},         {"asin(x)", false, 0},
    };
    Fixture fixture;
    Expr guards[2];
    size_t n = 0;
    fixture_init(&fixture, false);
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        const Expr e = fixture_read(&fixture, CASES[k].e);
        ck_assert_int_eq(expr_is_analytic(fixture.pool, e, guards, 2, &n), CASES[k].analytic);
        ck_assert(!CASES[k].analytic || n == CASES[k].guards);
    }
    const Expr e = fixture_read(&fixture, "sqrt(1 + x)*theta/g");
    ck_assert(!expr_is_analytic(fixture.pool, e, guards, 1, &n));
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_substitution_that_is_not_finite_spoils_nothing)
{
    Fixture fixture;
    Expr ret[2];
    fixture_init(&fixture, false);
    Expr roots[] = {fixture_read(&fixture, "theta + x"), fixture_read(&fixture, "theta/x")};
    Expr zero = expr_const(fixture.pool, 0);
    Expr x = fixture.symbols[1];
    ck_assert(!expr_substitute_finite(fixture.pool, roots, 2, &x, &zero, 1, ret));
    ck_assert(expr_is_none(ret[0]) && expr_is_none(ret[1]));
    ck_assert_int_eq(expr_pool_status(fixture.pool, NULL), OK);
    ck_assert(expr_substitute_finite(fixture.pool, roots, 1, &x, &zero, 1, ret));
    ck_assert(expr_same(ret[0], fixture_read(&fixture, "theta")));
    fixture_done(&fixture);
}
END_TEST

START_TEST(the_scale_of_an_equation_is_that_of_what_cancels_in_it)
{
    static const char *const PAIRS[][2] = {
        {"2*x - 3*sin(theta)*m - 4", "2*abs(x) + 3*abs(m) + 4"},
        {"x", "abs(x)"},
        {"m*(x^2 - theta)", "abs(m)*(x^2 + abs(theta))"},
        {"1e-10*m*(x - theta)/(2 + x)", "1e-10*abs(m)*(abs(x) + abs(theta))/abs(2 + x)"},
        {"(x - theta)^2 - l^2", "(x - theta)^2 + l^2"},
        {"(x - theta)*(m - l)",
         "(abs(x) + abs(theta))*abs(m - l) + abs(x - theta)*(abs(m) + abs(l))"},
        {"sqrt(x^2 + m^2) - l", "sqrt(x^2 + m^2) + abs(l)"},
        {"exp(x - m) - 1", "exp(x - m) + 1"},
        {"sin(x - m)", "1"},
        {"if(x < 0, x - m, theta)", "if(x < 0, abs(x) + abs(m), abs(theta))"},
    };
    Fixture fixture;

    fixture_init(&fixture, false);
    for (size_t k = 0; k < sizeof PAIRS / sizeof PAIRS[0]; k++) {
        Expr scale = expr_residual_scale(fixture.pool, fixture_read(&fixture, PAIRS[k][0]));
        Expr expected = fixture_read(&fixture, PAIRS[k][1]);
        const double values[FIXTURE_SYMBOLS] = {0.3,   -1.25, 0.5, -2,    0.75, 1.5,
                                                -0.25, 0.625, 9.5, -1.75, 0.375};
        double found[2];
        ck_assert_int_eq(expr_eval(fixture.pool, (Expr[]){scale, expected}, 2, values, found, NULL),
                         OK);
        ck_assert_msg(fabs(found[0] - found[1]) < 1e-15 * found[1], "%s: %.17g not %.17g",
                      PAIRS[k][0], found[0], found[1]);
    }
    fixture_done(&fixture);
}
END_TEST

START_TEST(the_magnitude_does_not_know_cancellation)
{
    static const char *const PAIRS[][2] = {
        {"m*(x - theta)", "abs(m)*(abs(x) + abs(theta))"},
        {"1/(x - theta)", "(abs(x) + abs(theta))/abs(x - theta)^2"},
        {"exp(x - theta)", "exp(x - theta)*(1 + abs(x) + abs(theta))"},
        {"min(x - theta, m)", "if(x - theta <= m, abs(x) + abs(theta), abs(m))"},
        {"-3", "3"},
    };
    Fixture fixture;
    fixture_init(&fixture, false);
    for (size_t k = 0; k < sizeof PAIRS / sizeof PAIRS[0]; k++) {
        Expr size = expr_magnitude(fixture.pool, fixture_read(&fixture, PAIRS[k][0]));
        Expr expected = fixture_read(&fixture, PAIRS[k][1]);
        const double values[] = {0.3, -1.25, 0.5, -2, 0.75, 1.5, -0.25, 0.625};
        double found[2];
        ck_assert_int_eq(expr_eval(fixture.pool, (Expr[]){size, expected}, 2, values, found, NULL),
                         OK);
        ck_assert_msg(fabs(found[0] - found[1]) < 1e-15 * found[1], "%s: %.17g", PAIRS[k][0],
                      found[0]);
    }
    fixture_done(&fixture);
}
END_TEST

START_TEST(multiplying_out_lets_hidden_terms_meet)
{
    static const char *const PAIRS[][2] = {
        {"(x + theta)*(x - theta)", "x^2 - theta^2"},
        {"m*(x + theta)^2 - m*x^2 - 2*m*x*theta - m*theta^2", "0"},
        {"(cos(x)*m + sin(x)*l)^2 + (sin(x)*m - cos(x)*l)^2", "m^2 + l^2"},
        {"sin((x + 1)*(x - 1))/((x + 1)*g)", "sin(x^2 - 1)/(g*(x + 1))"},
    };
    Fixture fixture;
    fixture_init(&fixture, false);
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        Expr e[2] = {fixture_read(&fixture, PAIRS[i][0]), fixture_read(&fixture, PAIRS[i][1])};
        expr_expand(fixture.pool, e, 1, e);
        ck_assert_msg(expr_same(e[0], e[1]), "%s is %s", PAIRS[i][0],
                      fixture_print(&fixture, e[0], PRINT_TEXT));
    }
    Expr hidden = fixture_read(&fixture, "g/((x + 1)^2 - x^2 - 2*x - 1)");
    expr_expand(fixture.pool, &hidden, 1, &hidden); /* divides by zero at every state */
    ck_assert(expr_is_none(hidden));
    ck_assert(expr_pool_status(fixture.pool, NULL) != OK);
    fixture_done(&fixture);
}
END_TEST

/* Both forms, and the tree itself, differ by round-off, which the magnitudes measure. */
START_TEST(multiplying_out_keeps_the_value)
{
    const uint64_t seed = 20240715;
    Random random;
    Trees trees;
    int checked = 0;

    printf("seed %llu\n", (unsigned long long)seed);
    random_init(&random, seed);
    for (int i = 0; i < 2000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int root = tree_random(&trees, &random, 5);
        Expr e = tree_build(&trees, root, pool);
        double symbols[TREE_SYMBOLS], largest = 0, values[3];
        Expr roots[3] = {e, expr_magnitude(pool, e)};
        random_point(&random, symbols);
        double expected = tree_value(&trees, root, symbols, &largest);
        expr_expand(pool, &e, 1, roots);
        roots[2] = expr_magnitude(pool, roots[0]);
        if (expr_pool_status(pool, NULL) == OK && largest < 1e3) {
            ck_assert(expr_eval(pool, roots, 3, symbols, values, NULL) == OK);
            double size = values[1] + values[2]; /* infinite at a root's zero, say */
            ck_assert_msg(!(fabs(values[0] - expected) > 1e-14 * size), "case %d: %.17g not %.17g",
                          i, values[0], expected);
            checked += isfinite(size);
        }
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 1000);
}
END_TEST

START_TEST(missing_expressions_pass_through)
{
    Fixture fixture;
    Expr none = EXPR_NONE, ret[1];
    fixture_init(&fixture, false);
    ck_assert(expr_is_none(expr_diff(fixture.pool, none, fixture.symbols[0])));
    ck_assert(expr_is_none(expr_add(fixture.pool, none, fixture.symbols[0])));
    ck_assert(expr_is_none(expr_mul(fixture.pool, fixture.symbols[0], none)));
    ck_assert(expr_is_none(expr_call(fixture.pool, EXPR_SIN, &none, 1)));
    expr_gradient(fixture.pool, none, fixture.symbols, 1, ret);
    ck_assert(expr_is_none(ret[0]));
    expr_directional(fixture.pool, fixture.symbols, 1, fixture.symbols, &none, 1, ret);
    ck_assert(expr_is_none(ret[0]));
    expr_substitute(fixture.pool, fixture.symbols, 1, fixture.symbols, &none, 1, ret);
    ck_assert(expr_is_none(ret[0]));
    ck_assert(expr_pool_status(fixture.pool, NULL) == OK);
    fixture_done(&fixture);
}
END_TEST

SUITE(calculus)
{
    TCase *tc = suite_case(suite, "derivatives");
    tcase_add_loop_test(tc, derivatives_equal_extrapolated_differences, 0, 2);
    tcase_add_test(tc, second_derivatives_equal_differences_of_the_first);
    tcase_add_test(tc, gradient_equals_each_derivative_and_directional_their_sum);
    tcase_add_loop_test(tc, derivatives_are_as_simple_as_by_hand, 0,
                        sizeof DERIVATIVES / sizeof DERIVATIVES[0]);
    tcase_add_loop_test(tc, a_branch_that_is_not_taken_leaves_nothing, 0,
                        sizeof BRANCHES / sizeof *BRANCHES);
    tcase_add_test(tc, a_direction_without_effect_gives_structural_zeros);
    tcase_add_test(tc, missing_expressions_pass_through);
    tc = suite_case(suite, "rewriting");
    tcase_add_test(tc, substitution_simplifies_on_the_way);
    tcase_add_test(tc, substitution_is_simultaneous);
    tcase_add_test(tc, without_replacements_symbols_become_zero);
    tcase_add_loop_test(tc, derivatives_of_norms_have_their_limits, 0,
                        sizeof NORMS / sizeof NORMS[0]);
    tcase_add_loop_test(tc, limits_take_the_place_of_norms_that_vanish, 0,
                        sizeof MIDDLES / sizeof MIDDLES[0]);
    tcase_add_loop_test(tc, signs_and_powers_are_told_by_the_form, 0,
                        sizeof FORMS / sizeof FORMS[0]);
    tcase_add_test(tc, what_is_analytic_is_told_by_the_form);
    tcase_add_test(tc, a_substitution_that_is_not_finite_spoils_nothing);
    tcase_add_test(tc, the_scale_of_an_equation_is_that_of_what_cancels_in_it);
    tcase_add_test(tc, the_magnitude_does_not_know_cancellation);
    tcase_add_test(tc, multiplying_out_lets_hidden_terms_meet);
    tcase_add_test(tc, multiplying_out_keeps_the_value);
}
