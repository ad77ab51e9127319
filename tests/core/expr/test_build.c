/* The canonical form, and that it keeps the value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

/* Texts that must be one node. */
static const char *const SAME[][2] = {
    {"x + theta", "theta + x"},
    {"x*theta*m", "m*(theta*x)"},
    {"(x + m) + (g - x)", "g + m"},
    {"2*(x + m) - x", "x + 2*m"},
    {"3*x - 2*x", "x"},
    {"0.1*x + 0.2*x - 0.3*x", "0"},
    {"x/3 + x/6 - x/2", "0"},
    {"1e16*x + x - 1e16*x", "x"},
    {"1e14*x + 1e-14*x - 1e14*x", "1e-14*x"},
    {"0.7*(1.1*x - m)", "0.77*x - 0.7*m"},
    {"(0.3*x + 0.6*m)/0.3", "x + 2*m"},
    {"(4.28*x)^2", "18.3184*x^2"},
    {"x*x^2/x^3", "1"},
    {"x/x", "1"},
    {"0*log(x)", "0"},
    {"x^0", "1"},
    {"x^1", "x"},
    {"(x*m)^3", "x^3*m^3"},
    {"(x^2)^3", "x^6"},
    {"(2*x)^2", "4*x^2"},
    {"5*x/3", "(5/3)*x"},
    {"x/(2*m)", "0.5*x/m"},
    {"(2*x + 2*m)*g", "2*(x + m)*g"},
    {"(x - m)*g", "-(m - x)*g"},
    {"(x - m)^2", "(m - x)^2"},
    {"1/(3*x + 3*m)", "1/3/(x + m)"},
    {"sqrt(x)^2", "x"},
    {"sqrt(x)^3", "x*sqrt(x)"},
    {"1/sqrt(x)^2", "1/x"},
    {"(m - x)^2/sqrt(x - m)", "(x - m)*sqrt(x - m)"},
    {"(2*x - 2*m)/sqrt(2*x - 2*m)", "sqrt(2*x - 2*m)"},
    {"sqrt(3*x - 3*m)/(m - x)^3", "-3/((x - m)^2*sqrt(3*x - 3*m))"},
    {"sqrt(3*abs(x - m) - 3*x + 3*m)", "sqrt(6*max(0, m - x))"},
    {"sqrt(if(x < 0, -x, 0))", "sqrt(max(0, -x))"},
    {"if(x <= m, 0, 2*x - 2*m)^2.5", "(2*max(0, x - m))^2.5"},
    {"if(x < m, sqrt(2*m - 2*x)*(x - m), x)", "if(x < m, -sqrt(2*max(0, m - x))*max(0, m - x), x)"},
    {"x*(x^2 + m^2)/hypot(x, m)", "x*hypot(x, m)"},
    {"hypot(2*x, m)/(4*x^2 + m^2)^2", "1/(hypot(2*x, m)*(4*x^2 + m^2))"},
    {"sqrt(x^2)", "abs(x)"},
    {"cbrt(x)^3", "x"},
    {"cbrt(x^3)", "x"},
    {"abs(x)^2", "x^2"},
    {"abs(abs(x))", "abs(x)"},
    {"abs(-2*x)", "2*abs(x)"},
    {"abs(x^2 + 1)", "x^2 + 1"},
    {"sign(-3*x)", "-sign(x)"},
    {"sign(sign(x))", "sign(x)"},
    {"hypot(x, m)^2", "x^2 + m^2"},
    {"hypot(-x, m)", "hypot(m, x)"},
    {"hypot(x, 0)", "abs(x)"},
    {"x^0.5", "sqrt(x)"},
    {"x^-0.5", "1/sqrt(x)"},
    {"pow(x, 2)", "x^2"},
    {"exp(log(x))", "x"},
    {"exp(1.5*log(x) - m)", "x^1.5*exp(-m)"},
    {"exp(-3*log(x))", "1/x^3"},
    {"log(exp(x))", "x"},
    {"exp(x)^2", "exp(2*x)"},
    {"sin(asin(x))", "x"},
    {"asin(sin(x))", "atan2(sin(x), abs(cos(x)))"},
    {"asin(-cos(x))", "-atan2(cos(x), abs(sin(x)))"},
    {"acos(cos(x)) + asin(cos(x))", "pi/2"},
    {"sin(-x)", "-sin(x)"},
    {"cos(-x)", "cos(x)"},
    {"cos(m - x)", "cos(x - m)"},
    {"tan(x - m)", "-tan(m - x)"},
    {"sin(x)^2 + cos(x)^2", "1"},
    {"m*g*sin(x)^2 + m*g*cos(x)^2", "m*g"},
    {"m/2*(l*cos(x))^2 + m/2*(l*sin(x))^2", "m*l^2/2"},
    {"sin(x)^4 + sin(x)^2*cos(x)^2", "sin(x)^2"},
    {"(m + g)*sin(x)^2 + (m + g)*cos(x)^2 - m", "g"},
    {"sin(x)^2*sin(m)^2 + sin(x)^2*cos(m)^2 + cos(x)^2", "1"},
    {"min(x, x)", "x"},
    {"min(x, m)", "min(m, x)"},
    {"max(x, m, x)", "max(x, max(m, x))"},
    {"max(x^2, -1)", "x^2"},
    {"max(0, -abs(x))", "0"},
    {"min(x^2, -1 - x^4)", "-1 - x^4"},
    {"sign(exp(x)) + sign(1 + x^2) - sign(-2 - cosh(x))", "3"},
    {"if(x^2 < 0, m, g)", "g"},
    {"if(x^2 + 1 > 0, m, g)", "m"},
    {"if(0 <= hypot(x, m), m, g)", "m"},
    {"if(exp(x) <= -x^2, m, g)", "g"},
    {"if(exp(x) == -x^2, m, g)", "g"},
    {"if(1 < 2, x, m)", "x"},
    {"if(x < x, x, m)", "m"},
    {"if(x < m, g, g)", "g"},
    {"if(not x < m, g, l)", "if(x < m, l, g)"},
    {"if(x > m, g, l)", "if(m < x, g, l)"},
    {"if(x < m and 1 < 2, g, l)", "if(x < m, g, l)"},
    {"if(x < m or 2 < 1, g, l)", "if(x < m, g, l)"},
    {"if(x == m, g, l)", "if(m == x, g, l)"},
    {"cos(pi)", "-1"},
};

START_TEST(equal_meanings_are_one_node)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    fixture_same(&fixture, SAME[_i][0], SAME[_i][1]);
    fixture_done(&fixture);
}
END_TEST

/* Texts that must stay apart: the identity does not hold. */
static const char *const DIFFERENT[][2] = {
    {"sqrt(x^2)", "x"},
    {"2*sin(x)^2 + cos(x)^2", "1"},
    {"sin(x)^2 + cos(m)^2", "1"},
    {"sin(x)^2 - cos(x)^2", "1"},
    {"asin(sin(x))", "x"},
    {"abs(x)", "x"},
    {"sign(x)^2", "1"},
    {"x^(1/3)", "cbrt(x)"},
    {"atan2(x, m)", "atan2(m, x)"},
    {"if(x < m, g, l)", "if(m < x, g, l)"},
    {"if(x^2 > 0, g, l)", "g"},
    {"if(x^2 <= 0, g, l)", "l"},
    {"sign(x^2)", "1"},
};

START_TEST(different_meanings_are_different_nodes)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr a = fixture_read(&fixture, DIFFERENT[_i][0]), b = fixture_read(&fixture, DIFFERENT[_i][1]);
    ck_assert(!expr_same(a, b));
    fixture_done(&fixture);
}
END_TEST

static void check_sum_shape(const ExprPool *pool, const ExprNode *node)
{
    for (uint32_t k = 0; k < node->n; k++) {
        const ExprNode arg = expr_node(pool, node->args[k]);
        ck_assert(arg.op != EXPR_SUM && node->coefs[k] != 0.0);
        ck_assert(arg.op != EXPR_CONST || (arg.value == 1.0 && node->value != 0.0));
    }
}

static void check_product_shape(const ExprPool *pool, const ExprNode *node)
{
    for (uint32_t k = 0; k < node->n; k++) {
        ExprOp op = expr_node(pool, node->args[k]).op;
        ck_assert(op != EXPR_PRODUCT && op != EXPR_CONST);
        ck_assert(node->coefs[k] != 0.0 && node->coefs[k] == floor(node->coefs[k]));
    }
}

/* What expr.h promises of every node of a pool. */
static void check_pool_shape(const ExprPool *pool)
{
    for (uint32_t id = 1; id <= expr_pool_size(pool); id++) {
        ExprNode node = expr_node(pool, (Expr){id});
        for (uint32_t k = 0; k < node.n; k++)
            ck_assert_uint_lt(node.args[k].id, id);
        if (node.op == EXPR_SUM)
            check_sum_shape(pool, &node);
        if (node.op == EXPR_PRODUCT)
            check_product_shape(pool, &node);
    }
}

START_TEST(simplifying_keeps_the_value)
{
    const uint64_t seed = 20240601;
    Random random;
    Trees trees;
    int checked = 0;

    printf("seed %llu\n", (unsigned long long)seed);
    random_init(&random, seed);
    for (int i = 0; i < 6000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int root = tree_random(&trees, &random, 5);
        Expr e = tree_build(&trees, root, pool);
        double symbols[TREE_SYMBOLS], largest = 0, value;
        random_point(&random, symbols);
        double expected = tree_value(&trees, root, symbols, &largest);
        if (expr_pool_status(pool, NULL) == OK && largest < 1e3) {
            ck_assert(expr_eval(pool, &e, 1, symbols, &value, NULL) == OK);
            ck_assert_msg(fabs(value - expected) <= 1e-9 * (1 + largest),
                          "case %d: %.17g not %.17g", i, value, expected);
            check_pool_shape(pool);
            checked++;
        }
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 4000);
}
END_TEST

START_TEST(a_clone_has_the_same_ids_and_grows_on_its_own)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, "m*sin(x)^2/(1 + l) - g*x");
    ExprPool *clone = expr_pool_clone(fixture.pool);
    ck_assert_uint_eq(expr_pool_size(clone), expr_pool_size(fixture.pool));
    Expr again = expr_parse(clone, fixture.scope, "m*sin(x)^2/(1 + l) - g*x", PARSE_EXPRESSION, "",
                            &fixture.diag);
    ck_assert(expr_same(e, again));
    uint32_t before = expr_pool_size(fixture.pool);
    expr_call(clone, EXPR_TANH, &e, 1);
    ck_assert_uint_eq(expr_pool_size(fixture.pool), before);
    ck_assert_uint_gt(expr_pool_size(clone), before);
    expr_pool_free(clone);
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_value_does_not_depend_on_what_was_built_before)
{
    const char *text = "0.1*x*m + 0.3*sin(x)*l - 1.7*cos(m + l)*g + x/7 + exp(x)*m*l*g";
    double symbols[FIXTURE_SYMBOLS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, values[2];

    for (int k = 0; k < 2; k++) {
        Fixture fixture;
        fixture_init(&fixture, false);
        if (k == 1) /* the same operands, but born in another order */
            fixture_read(&fixture, "g*l*m*exp(x) + cos(l + m) + l*sin(x) + m*x");
        Expr e = fixture_read(&fixture, text);
        ck_assert(expr_eval(fixture.pool, &e, 1, symbols, &values[k], NULL) == OK);
        fixture_done(&fixture);
    }
    ck_assert_mem_eq(&values[0], &values[1], sizeof values[0]);
}
END_TEST

START_TEST(used_symbols_are_those_under_the_roots)
{
    Fixture fixture;
    bool used[FIXTURE_SYMBOLS] = {false};
    fixture_init(&fixture, false);
    Expr roots[] = {fixture_read(&fixture, "x*m"), fixture_read(&fixture, "if(g < 0, x, 1)")};
    fixture_read(&fixture, "theta");
    ck_assert(expr_used_symbols(fixture.pool, roots, 2, used, FIXTURE_SYMBOLS, NULL) == OK);
    for (int i = 0; i < FIXTURE_SYMBOLS; i++)
        ck_assert_int_eq(used[i], i == 1 || i == 7 || i == 8);
    fixture_done(&fixture);
}
END_TEST

START_TEST(sums_of_products_equal_their_parts)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr *s = fixture.symbols, a[] = {s[1], s[2], s[7]}, b[] = {s[8], s[9], s[1]};
    double coefs[] = {2, -1, 0};
    ck_assert(
        expr_same(expr_dot(fixture.pool, 3, a, b), fixture_read(&fixture, "x*g + theta*l + m*x")));
    ck_assert(
        expr_same(expr_sum(fixture.pool, 3, coefs, a), fixture_read(&fixture, "2*x - theta")));
    ck_assert(expr_is_zero(fixture.pool, expr_sum(fixture.pool, 0, NULL, NULL)));
    fixture_done(&fixture);
}
END_TEST

SUITE(build)
{
    TCase *tc = suite_case(suite, "canonical form");
    tcase_add_loop_test(tc, equal_meanings_are_one_node, 0, sizeof SAME / sizeof SAME[0]);
    tcase_add_loop_test(tc, different_meanings_are_different_nodes, 0,
                        sizeof DIFFERENT / sizeof DIFFERENT[0]);
    tcase_add_test(tc, simplifying_keeps_the_value);
    tcase_add_test(tc, a_clone_has_the_same_ids_and_grows_on_its_own);
    tcase_add_test(tc, a_value_does_not_depend_on_what_was_built_before);
    tcase_add_test(tc, used_symbols_are_those_under_the_roots);
    tcase_add_test(tc, sums_of_products_equal_their_parts);
}
