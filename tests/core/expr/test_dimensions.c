/* Dimensions of expressions: what fits, what does not, and where that is said. */
#include <string.h>

#include "core/expr/parse/parse.h"
#include "core/units/unit.h"
#include "tests/suite.h"

/* x and its velocity in m, a in rad, m in kg, k in N/m, w in 1/s, energy() in J. */
typedef struct Setting {
    ExprPool *pool;
    ExprScope *scope;
    Arena *arena;
    Diagnostics diag;
} Setting;

static Dimension dimension(const char *text)
{
    Unit unit;
    UnitMistake mistake;
    ck_assert(unit_read(text, &unit, &mistake));
    return unit.dimension;
}

static Setting setting_new(bool measured)
{
    static const char *const PARAMETERS[][2] = {
        {"m", "kg"}, {"k", "N/m"}, {"w", "1/s"}, {"n", "1"}};
    Setting s = {expr_pool_new((ExprLimits){0}), expr_scope_new(), arena_new(1 << 20), {0}};
    uint32_t symbol = 0;

    diagnostics_init(&s.diag, s.arena);
    expr_scope_set_time(s.scope, expr_symbol(s.pool, symbol++));
    if (measured)
        expr_scope_measure_time(s.scope, dimension("s"));
    for (int i = 0; i < 2; i++, symbol += 3) {
        ck_assert(expr_scope_add_coordinate(s.scope, i ? "a" : "x", expr_symbol(s.pool, symbol),
                                            expr_symbol(s.pool, symbol + 1),
                                            expr_symbol(s.pool, symbol + 2)));
        if (measured)
            expr_scope_measure(s.scope, dimension(i ? "rad" : "m"));
    }
    for (size_t i = 0; i < sizeof PARAMETERS / sizeof *PARAMETERS; i++) {
        ck_assert(expr_scope_add(s.scope, PARAMETERS[i][0], expr_symbol(s.pool, symbol++)));
        if (measured)
            expr_scope_measure(s.scope, dimension(PARAMETERS[i][1]));
    }
    ck_assert(expr_scope_add_form(s.scope, "energy", NULL, expr_symbol(s.pool, symbol++)));
    if (measured)
        expr_scope_measure_form(s.scope, dimension("J"));
    return s;
}

static void setting_done(Setting *s)
{
    expr_scope_free(s->scope);
    expr_pool_free(s->pool);
    arena_free(s->arena);
}

START_TEST(an_expression_has_the_dimension_of_its_terms)
{
    static const char *const CASES[][2] = {
        {"m/2*dot(x)^2 - k*x^2/2", "J"},
        {"m*ddot(x) + k*x", "N"},
        {"sqrt(k/m) - w", "1/s"},
        {"sin(a)*x + cos(w*t)*x", "m"},
        {"cbrt(x^3)", "m"},
        {"x^1.5*x^(-1/2)", "m"},
        {"pow(x, 2)/t", "m^2/s"},
        {"atan2(dot(x), x*w)", "1"},
        {"hypot(x, dot(x)/w)", "m"},
        {"min(x, dot(x)*t, 0)", "m"},
        {"abs(x)*sign(dot(x))", "m"},
        {"if(x > 0 and dot(x) != 0, x, 0)", "m"},
        {"if(x == 0, 0, k)", "N/m"},
        {"dot(x*cos(a))", "m/s"},
        {"der(a)", "1/s"},
        {"ddot(a)", "1/s^2"},
        {"energy()/x", "N"},
        {"0*x + a", "1"},
        {"(x - x) + a", "1"},
        {"2*pi*a", "1"},
        {"exp(n)", "1"},
        {"n^a", "1"},
        {"-(x)", "m"},
        {"x^0", "1"},
        {"x = -dot(x)/w", "m"},
        {"x = 0", "m"},
        {"m^(1/3)*m^(2/3)", "kg"},
    };

    Setting s = setting_new(true);
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        const Dimension expected = dimension(CASES[c][1]);
        Dimension found;
        const Expr e = expr_parse_measured(s.pool, s.scope, CASES[c][0], PARSE_EQUATION, "/e",
                                           &s.diag, &found);
        ck_assert_msg(!expr_is_none(e), "%s: %s", CASES[c][0], s.diag.items[0].message);
        ck_assert_msg(found.known && dimension_agrees(&found, &expected), "%s", CASES[c][0]);
    }
    setting_done(&s);
}
END_TEST

static const struct {
    const char *text;
    long offset;
    const char *message, *hint;
} MISTAKES[] = {
    {"x + a", 4,
     "what is a number is added to what is in m, which has another dimension, at column 5",
     "a number written out"},
    {"m*dot(x)^2 - k*x", 13, "what is in N is added to what is in J,",
     "they differ by a factor in m"},
    {"x + 1", 4, "what is a number is added to what is in m", "a number written out"},
    {"2 - dot(x)", 4, "what is in m/s is added to what is a number", "a number written out"},
    {"x = t", 4, "what is in s is put equal to what is in m", "they differ by a factor in m/s"},
    {"sin(t)", 4, "the function is of a number, but this is in s", "divide it by"},
    {"exp(x)", 4, "the function is of a number, but this is in m", "divide it by"},
    {"x^t", 2, "an exponent is a number, but this is in s", NULL},
    {"x^n", 2, "the power of what is in m has a dimension only where", "divide the base"},
    {"x^0.123456789", 2, "the power of what is in m has a dimension only where", "divide the base"},
    {"pow(x, n)", 7, "the power of what is in m has a dimension only where", "divide the base"},
    {"max(x, m)", 7, "what is in kg stands beside what is in m", "they differ"},
    {"hypot(x, dot(x))", 9, "what is in m/s stands beside what is in m", "they differ"},
    {"atan2(x, t)", 9, "what is in s stands beside what is in m", "they differ"},
    {"if(x < m, 1, 2)", 7, "what is in kg is compared with what is in m", "they differ"},
    {"if(x > 0, x, t)", 13, "what is in s stands beside what is in m", "they differ"},
    {"x + (m + t)", 9, "what is in s is added to what is in kg", "they differ"},
    {"((x^100)^100)^10", 2, "the dimension of this power has too large exponents", NULL},
};

START_TEST(what_does_not_fit_is_told_once_at_its_place)
{
    for (size_t c = 0; c < sizeof MISTAKES / sizeof *MISTAKES; c++) {
        Setting s = setting_new(true);
        ck_assert(expr_is_none(
            expr_parse(s.pool, s.scope, MISTAKES[c].text, PARSE_EQUATION, "/e", &s.diag)));
        ck_assert_msg(s.diag.total == 1, "%s: %zu", MISTAKES[c].text, s.diag.total);
        const Diagnostic *told = &s.diag.items[0];
        ck_assert_msg(strncmp(told->message, MISTAKES[c].message, strlen(MISTAKES[c].message)) == 0,
                      "%s: %s", MISTAKES[c].text, told->message);
        ck_assert_msg(told->offset == MISTAKES[c].offset, "%s: %ld", MISTAKES[c].text,
                      told->offset);
        ck_assert_msg(!MISTAKES[c].hint ||
                          strncmp(told->hint, MISTAKES[c].hint, strlen(MISTAKES[c].hint)) == 0,
                      "%s: %s", MISTAKES[c].text, told->hint);
        setting_done(&s);
    }
}
END_TEST

START_TEST(names_without_units_fit_all)
{
    Setting s = setting_new(false);
    for (size_t c = 0; c < sizeof MISTAKES / sizeof *MISTAKES; c++)
        ck_assert_msg(!expr_is_none(expr_parse(s.pool, s.scope, MISTAKES[c].text, PARSE_EQUATION,
                                               "/e", &s.diag)),
                      "%s", MISTAKES[c].text);
    /* functions are numbers there too, but their rates may be */
    static const char *const RATES[] = {"dot(sin(a)) + 1", "dot(sin(a))^2 - cos(a)",
                                        "if(dot(exp(x)) > 2, 1, 0)", "sin(dot(log(x)))"};
    for (size_t c = 0; c < sizeof RATES / sizeof *RATES; c++)
        ck_assert_msg(
            !expr_is_none(expr_parse(s.pool, s.scope, RATES[c], PARSE_EXPRESSION, "/e", &s.diag)),
            "%s", RATES[c]);
    setting_done(&s);
}
END_TEST

START_TEST(a_scope_can_forgive)
{
    Setting s = setting_new(true);
    expr_scope_forgive_dimensions(s.scope);
    for (size_t c = 0; c < sizeof MISTAKES / sizeof *MISTAKES; c++)
        ck_assert_msg(!expr_is_none(expr_parse(s.pool, s.scope, MISTAKES[c].text, PARSE_EQUATION,
                                               "/e", &s.diag)),
                      "%s", MISTAKES[c].text);
    setting_done(&s);
}
END_TEST

SUITE(dimensions)
{
    TCase *tc = suite_case(suite, "dimensions");
    tcase_add_test(tc, an_expression_has_the_dimension_of_its_terms);
    tcase_add_test(tc, what_does_not_fit_is_told_once_at_its_place);
    tcase_add_test(tc, names_without_units_fit_all);
    tcase_add_test(tc, a_scope_can_forgive);
}
