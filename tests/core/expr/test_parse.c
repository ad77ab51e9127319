/* What texts mean. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

/* Constants, against C's own arithmetic. */
static const struct {
    const char *text;
    double value;
} CONSTANTS[] = {
    {"1e16 + 1", 1e16},
    {"1.23456789*9.87654321", 12.193263111263526},
    {"1 + 2*3", 7},
    {"(1 + 2)*3", 9},
    {"2^3^2", 512},
    {"(2^3)^2", 64},
    {"-3^2", -9},
    {"2^-1", 0.5},
    {"2^-2^2", 0.0625},
    {"-2^-2", -0.25},
    {"2*-3", -6},
    {"1 - 2 - 3", -4},
    {"12/2/3", 2},
    {"12/2*3", 18},
    {"- - 3", 3},
    {"1 - -1", 2},
    {"+4", 4},
    {".5", 0.5},
    {"2.", 2},
    {"1e-3", 1e-3},
    {"1.5E+2", 150},
    {"  7\t\n", 7},
    {"pi/3", 1.0471975511965976},
    {"sqrt(2)", 1.4142135623730951},
    {"min(3, 1, 2)", 1},
    {"max(3, 1, 2)", 3},
    {"atan2(1, -1)", 2.3561944901923448},
    {"pow(2, 0.5)", 1.4142135623730951},
    {"hypot(3, 4)", 5},
    {"log(2.718281828459045)", 1},
    {"log10(1000)", 3},
    {"sign(-2)", -1},
    {"sign(0)", 0},
    {"abs(-2)", 2},
    {"erf(0)", 0},
    {"if(1 < 2, 3, 4)", 3},
    {"if(2 <= 1, 3, 4)", 4},
    {"if(1 > 2, 3, 4)", 4},
    {"if(2 >= 2, 3, 4)", 3},
    {"if(1 == 1, 3, 4)", 3},
    {"if(1 != 1, 3, 4)", 4},
    {"if(not 1 < 2, 3, 4)", 4},
    {"if(1 < 2 or 1 < 2 and 2 < 1, 3, 4)", 3},
    {"if((1 < 2 or 1 < 2) and 2 < 1, 3, 4)", 4},
    {"if(not 2 < 1 and 1 < 2, 3, 4)", 3},
    {"0^0", 1},
    {"-0", 0},
};

START_TEST(constants_follow_the_precedence)
{
    Arena *arena = arena_new(1 << 16);
    static Diagnostics diag;
    double value;
    diagnostics_init(&diag, arena);
    ck_assert_msg(expr_parse_constant(CONSTANTS[_i].text, "", &diag, &value), "%s: %s",
                  CONSTANTS[_i].text, diag.count ? diag.items[0].message : "");
    ck_assert(fabs(value - CONSTANTS[_i].value) <= 1e-15 * fabs(CONSTANTS[_i].value));
    arena_free(arena);
}
END_TEST

START_TEST(dot_is_the_total_derivative)
{
    Fixture fixture;
    fixture_init(&fixture, true);
    fixture_same(&fixture, "dot(l*cos(theta))", "-l*sin(theta)*dot(theta)");
    fixture_same(&fixture, "der(x)", "dot(x)");
    fixture_same(&fixture, "dot(t*x)", "x + t*dot(x)");
    fixture_same(&fixture, "dot(t)", "1");
    fixture_same(&fixture, "dot(x^2)", "2*x*dot(x)");
    fixture_same(&fixture, "dot(dot(x)*x)", "ddot(x)*x + dot(x)^2");
    fixture_same(&fixture, "ddot(x) + 0", "dot(dot(x))");
    fixture_same(&fixture, "dot(energy())", "2*m*dot(x)*ddot(x)");
    ck_assert(expr_same(fixture_read(&fixture, "dot(x)"), fixture.symbols[3]));
    ck_assert(expr_same(fixture_read(&fixture, "ddot(theta)"), fixture.symbols[6]));
    fixture_done(&fixture);
}
END_TEST

START_TEST(forms_stand_for_their_values)
{
    Fixture fixture;
    fixture_init(&fixture, true);
    fixture_same(&fixture, "reaction(x)", "2*multiplier( c1 )");
    fixture_same(&fixture, "energy ( )", "m*dot(x)^2");
    fixture_same(&fixture, "momentum(x) - m", "0");
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_form_that_is_a_parameter_leaves_it_constant)
{
    Fixture fixture;
    fixture_init(&fixture, true);
    fixture_same(&fixture, "dot(m*x)", "m*dot(x)");
    fixture_done(&fixture);
}
END_TEST

/* Unlike energy, they are words only where they are called and there is a motion. */
START_TEST(momentum_kinetic_and_lagrangian_are_names_like_others)
{
    Fixture fixture;
    fixture_init(&fixture, true);
    ck_assert(!expr_name_reserved("momentum"));
    ck_assert(!expr_name_reserved("kinetic"));
    ck_assert(!expr_name_reserved("lagrangian"));
    ck_assert(expr_name_reserved("energy"));
    ck_assert(expr_scope_add(fixture.scope, "momentum", fixture.symbols[8]));
    fixture_same(&fixture, "momentum*momentum(x)", "g*m");
    fixture_done(&fixture);
}
END_TEST

START_TEST(an_equation_is_left_minus_right)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e =
        expr_parse(fixture.pool, fixture.scope, "dot(x) = -g*x", PARSE_EQUATION, "", &fixture.diag);
    ck_assert(expr_same(e, fixture_read(&fixture, "dot(x) + g*x")));
    e = expr_parse(fixture.pool, fixture.scope, "dot(x) + g*x", PARSE_EQUATION, "", &fixture.diag);
    ck_assert(expr_same(e, fixture_read(&fixture, "dot(x) + g*x")));
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_literal_power_is_a_product)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    ExprNode node = expr_node(fixture.pool, fixture_read(&fixture, "x^7"));
    ck_assert_int_eq(node.op, EXPR_PRODUCT);
    ck_assert_double_eq(node.coefs[0], 7);
    ck_assert_int_eq(expr_node(fixture.pool, fixture_read(&fixture, "x^1.7")).op, EXPR_POW);
    fixture_done(&fixture);
}
END_TEST

START_TEST(comparisons_with_nan_are_false)
{
    Fixture fixture;
    double symbols[FIXTURE_SYMBOLS] = {0, NAN, 1}, value;
    const char *texts[] = {"if(x < theta, 1, 0)",  "if(x <= theta, 1, 0)", "if(x > theta, 1, 0)",
                           "if(x >= theta, 1, 0)", "if(x == theta, 1, 0)", "if(x != theta, 1, 0)"};
    fixture_init(&fixture, false);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Expr e = fixture_read(&fixture, texts[i]);
        ck_assert(expr_eval(fixture.pool, &e, 1, symbols, &value, NULL) == OK);
        ck_assert_double_eq(value, 0);
    }
    fixture_done(&fixture);
}
END_TEST

START_TEST(names_are_recognised)
{
    ck_assert(expr_name_valid("x") && expr_name_valid("_a1") && expr_name_valid("Theta_2"));
    ck_assert(!expr_name_valid("") && !expr_name_valid("1x") && !expr_name_valid("a-b"));
    ck_assert(!expr_name_valid("a b") && !expr_name_valid("\xce\xb8"));
    ck_assert(expr_name_reserved("t") && expr_name_reserved("pi") && expr_name_reserved("hypot"));
    ck_assert(expr_name_reserved("multiplier") && expr_name_reserved("not"));
    ck_assert(!expr_name_reserved("x") && !expr_name_reserved("Sin"));
}
END_TEST

static void append_name(void *self, const char *name, size_t length)
{
    Text *text = self;
    text_append(text, name, length);
    text_putc(text, ' ');
}

START_TEST(scanning_finds_names_but_no_numbers)
{
    Text text = TEXT_INIT;
    expr_scan_names("1e5*u + sin(w_2) - 2e*not a and $ z", append_name, &text);
    ck_assert_str_eq(text_string(&text), "u sin w_2 e a ");
    text_done(&text);
}
END_TEST

SUITE(parse)
{
    TCase *tc = suite_case(suite, "language");
    tcase_add_loop_test(tc, constants_follow_the_precedence, 0,
                        sizeof CONSTANTS / sizeof CONSTANTS[0]);
    tcase_add_test(tc, dot_is_the_total_derivative);
    tcase_add_test(tc, forms_stand_for_their_values);
    tcase_add_test(tc, a_form_that_is_a_parameter_leaves_it_constant);
    tcase_add_test(tc, momentum_kinetic_and_lagrangian_are_names_like_others);
    tcase_add_test(tc, an_equation_is_left_minus_right);
    tcase_add_test(tc, a_literal_power_is_a_product);
    tcase_add_test(tc, comparisons_with_nan_are_false);
    tcase_add_test(tc, names_are_recognised);
    tcase_add_test(tc, scanning_finds_names_but_no_numbers);
}
