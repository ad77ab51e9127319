/* Every mistake with its place and a hint. */
#include <stdio.h>
#include <string.h>

#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

typedef struct Mistake {
    const char *text;
    long offset;
    const char *message; /* a part of it */
    const char *hint;    /* a part of it; NULL: any */
} Mistake;

static const Mistake MISTAKES[] = {
    {"x + thta", 4, "unknown name \"thta\" at column 5", "did you mean \"theta\"?"},
    {"m*omega", 2, "unknown name \"omega\"", NULL},
    {"sine(x)", 0, "unknown function \"sine\"", "did you mean \"sin\"?"},
    {"x + f(m)", 4, "unknown function \"f\"", NULL},
    {"m(x + 1)", 0, "\"m\" is not a function", "write m*(...)"},
    {"sin x", 0, "\"sin\" without its arguments", "write sin(...)"},
    {"sin + 1", 0, "\"sin\" without its arguments", "write sin(...)"},
    {"dot", 0, "\"dot\" without its arguments", "write dot(...)"},
    {"sin(x, m)", 0, "sin takes 1 argument, not 2", NULL},
    {"sin()", 0, "sin takes 1 argument, not 0", NULL},
    {"atan2(x)", 0, "atan2 takes 2 arguments, not 1", NULL},
    {"2 + min(x)", 4, "min takes 2 or more arguments, not 1", NULL},
    {"if(x < m, 1)", 0, "if takes 3 arguments, not 2", NULL},
    {"2x", 1, "an operator is missing", "write 2*x"},
    {"x m", 2, "an operator is missing", "write x*m"},
    {"2(x + 1)", 1, "an operator is missing", "write 2*("},
    {"(x)(m)", 3, "an operator is missing", NULL},
    {"x**2", 1, "\"**\" is not an operator", "use ^"},
    {"if(x < m && m < g, 1, 2)", 9, "\"&&\"", "use and"},
    {"if(x < m || m < g, 1, 2)", 9, "\"||\"", "use or"},
    {"if(!x < m, 1, 2)", 3, "unexpected character \"!\"", "write not"},
    {"if(x = m, 1, 2)", 5, "\"=\" does not compare", "write =="},
    {"x = m", 2, "an equation cannot stand here", "write one side minus the other"},
    {"x < m", 2, "a condition can stand only in if", NULL},
    {"x + (m <= g)", 7, "a condition can stand only in if", NULL},
    {"sin(x == 1)", 6, "a condition can stand only in if", NULL},
    {"if(x < m < g, 1, 2)", 9, "comparisons do not chain", "write a < b and b < c"},
    {"if(x, 1, 2)", 3, "if needs a condition", "if(x < 0, a, b)"},
    {"if(not x, 1, 2)", 7, "not needs a condition", NULL},
    {"if(x < m and g, 1, 2)", 13, "and needs a condition", NULL},
    {"(x + m", 0, "no \")\" for the \"(\" at column 1", NULL},
    {"x*(m + sin(g)", 2, "no \")\" for the \"(\" at column 3", NULL},
    {"x + m)", 5, "\")\" without \"(\"", NULL},
    {"", 0, "the expression is empty", NULL},
    {"   ", 3, "the expression is empty", NULL},
    {"x +", 3, "an operand is missing at the end", NULL},
    {"* x", 0, "an operand is missing before \"*\"", NULL},
    {"x + / m", 4, "an operand is missing before \"/\"", NULL},
    {"()", 1, "an operand is missing before \")\"", NULL},
    {"atan2(x,)", 8, "an operand is missing before \")\"", NULL},
    {"1,5*x", 1, "a comma stands only between arguments", "decimal point"},
    {"(x, m)", 2, "a comma stands only between arguments", NULL},
    {"\xce\xb8 + x", 0, "unexpected character \"\xce\xb8\"", "letters A-Z a-z"},
    {"x\xc2\xb2", 1, "unexpected character \"\xc2\xb2\"", "write ^2"},
    {"x\xc2\xb7m", 1, "unexpected character \"\xc2\xb7\"", "write *"},
    {"x \xe2\x88\x92 m", 2, "unexpected character \"\xe2\x88\x92\"", "write -"},
    {"x \xff m", 2, "unexpected character", NULL},
    {"x $ m", 2, "unexpected character \"$\"", NULL},
    {"x[1]", 1, "unexpected character \"[\"", "use ( and )"},
    {"x \x01", 2, "unexpected character with code 1", NULL},
    {"1/0", 1, "division by zero at column 2", NULL},
    {"x + m/(g - g)", 5, "division by zero at column 6", NULL},
    {"0^-1 + x", 0, "division by zero", NULL},
    {"x*log(-1)", 2, "log of this constant is not a finite number at column 3", NULL},
    {"sqrt(-1)", 0, "sqrt of this constant", NULL},
    {"(-8)^(1/3)", 1, "not a finite number", NULL},
    {"1e999*x", 0, "the number 1e999 is too large", NULL},
    {"1e-999*x", 0, "the number 1e-999 is too small", NULL},
    {"1e300*1e300", 0, "not a finite number", NULL},
    {"1e-200*x*1e-200", 0, "too close to zero for a number", NULL},
    {"exp(1000)", 0, "exp of this constant", NULL},
    {"x^1000000*x^2", 0, "an exponent is beyond 1000000 at column 1", NULL},
    {"dot(m)", 0, "dot(...) of an expression without coordinates and time", NULL},
    {"dot(x*dot(x))", 0, "dot(...) of an expression with velocities", NULL},
    {"dot(x, m)", 0, "dot takes 1 argument, not 2", NULL},
    {"ddot(x)", 0, "ddot(...) needs a computed motion", "observables and events"},
    {"ddot(m)", 5, "ddot(...) takes a coordinate", NULL},
    {"multiplier(c1)", 0, "multiplier(...) needs a computed motion", "observables and events"},
    {"reaction(x)", 0, "reaction(...) needs a computed motion", NULL},
    {"energy()", 0, "energy(...) needs a computed motion", NULL},
    {"momentum(x)", 0, "momentum(...) needs a computed motion", "observables and events"},
    {"kinetic()", 0, "kinetic(...) needs a computed motion", "observables and events"},
    {"lagrangian()", 0, "lagrangian(...) needs a computed motion", NULL},
    {"kinetic", 0, "\"kinetic\" without its arguments", "write kinetic()"},
    {"Lagrangian()", 0, "unknown function", "did you mean \"lagrangian\"?"},
    {"multiplier(2)", 11, "multiplier takes one name", NULL},
    {"energy", 0, "\"energy\" without its arguments", NULL},
    {"2*bad", 2, "the definition \"bad\" has mistakes", NULL},
};

/* Spellings that are known elsewhere. */
static const Mistake FOREIGN_MISTAKES[] = {
    {"sgn(x)", 0, "unknown function \"sgn\"", "did you mean \"sign\"?"},
    {"2*ln(x)", 2, "unknown function \"ln\"", "did you mean \"log\"?"},
    {"arcsin(x)", 0, "unknown function", "did you mean \"asin\"?"},
    {"arccos(x)", 0, "unknown function", "did you mean \"acos\"?"},
    {"ArcTan(x)", 0, "unknown function", "did you mean \"atan\"?"},
    {"fabs(x)", 0, "unknown function", "did you mean \"abs\"?"},
    {"Sin(x)", 0, "unknown function", "did you mean \"sin\"?"},
    {"cot(x)", 0, "unknown function", "write 1/tan(x)"},
    {"cot(2*x)", 0, "unknown function", "write 1/tan(...)"},
    {"sind(30)", 0, "unknown function", "angles are in radians: write sin(30*pi/180)"},
    {"cosd(x)", 0, "unknown function", "angles are in radians: write cos(x*pi/180)"},
    {"heaviside(x)", 0, "unknown function", "write if(x > 0, 1, 0)"},
    {"H(x)", 0, "unknown function", "write if(x > 0, 1, 0)"},
    {"xdot", 0, "unknown name", "write dot(x)"},
    {"x_dot^2", 0, "unknown name", "write dot(x)"},
    {"dxdt", 0, "unknown name", "write dot(x)"},
    {"vx", 0, "unknown name", "write dot(x)"},
    {"v_x", 0, "unknown name", "write dot(x)"},
    {"xd", 0, "unknown name", "write dot(x)"},
    {"xp", 0, "unknown name", "write dot(x)"},
    {"thetadot", 0, "unknown name", "write dot(theta)"},
    {"thetadd", 0, "unknown name", "write ddot(theta)"},
    {"xdot(t)", 0, "unknown function", "write dot(x)"},
    {"m*x'", 3, "unexpected character \"'\"", "write dot(x)"},
    {"x''", 1, "unexpected character \"'\"", "write ddot(x)"},
    {"theta\xe2\x80\xb2", 5, "unexpected character", "write dot(theta)"},
    {"(x + m)'", 7, "unexpected character", "write dot(...)"},
    {"d(x)", 0, "unknown function", "write dot(x)"},
    {"diff(x, t)", 0, "unknown function", "write dot(x)"},
    {"2*PI", 2, "unknown name", "did you mean \"pi\"?"},
    {"Pi", 0, "unknown name", "did you mean \"pi\"?"},
    {"L", 0, "unknown name", "did you mean \"l\"?"},
    {"X", 0, "unknown name", "did you mean \"x\"?"},
    {"T", 0, "unknown name", "did you mean \"t\"?"},
    {"e^x", 0, "unknown name", "e^x is written exp(x)"},
    {"30*deg", 3, "unknown name", "30*pi/180"},
    {"30 deg", 3, "a unit cannot stand here: \"deg\"", "30*pi/180"},
    {"30\xc2\xb0", 2, "unexpected character", "write 30*pi/180"},
    {"5 N", 2, "a unit cannot stand here: \"N\"", "units are not written"},
    {"9.81 m/s^2", 5, "an operator is missing", "write 9.81*m"},
    {"10 kg*x", 3, "a unit cannot stand here: \"kg\"", "units are not written"},
};

/* No function where no call stands, nothing else where one does. */
static const char *const WITHOUT_HINT[] = {"sine", "sgn", "tham", "thta(x)", "xdot + sn"};

static const Mistake MOTION_MISTAKES[] = {
    {"energy", 0, "\"energy\" without its arguments", "write energy()"},
    {"multiplier(c2)", 11, "unknown name \"c2\" in multiplier(...)", "did you mean \"c1\"?"},
    {"multiplier(rolling)", 11, "unknown name \"rolling\"", "known here: c1"},
    {"reaction(theta)", 9, "unknown name \"theta\" in reaction(...)", NULL},
    {"reaction()", 0, "reaction(...) needs a name", NULL},
    {"energy(x)", 7, "energy takes no argument", NULL},
    {"energy(2*x)", 7, "energy takes no argument", NULL},
    {"momentum()", 0, "momentum(...) needs a name", NULL},
    {"momentum(theta)", 9, "unknown name \"theta\" in momentum(...)", NULL},
    {"momentum", 0, "\"momentum\" without its arguments", "write momentum(...)"},
    {"2*kinetic()", 2, "kinetic() is not known", NULL},
    {"dot(x*multiplier(c1))", 0, "with accelerations or multipliers", NULL},
    {"dot(ddot(x))", 0, "with accelerations or multipliers", NULL},
};

static const Mistake EQUATION_MISTAKES[] = {
    {"x == m", 2, "a condition can stand only in if", "an equation is written with one ="},
    {"x <= m", 2, "a condition can stand only in if", "constraints are equations"},
    {"x < m", 2, "a condition can stand only in if", "watch an inequality by an event"},
    {"x = m = g", 6, "an equation has one \"=\"", NULL},
    {"(x = m)", 3, "\"=\" cannot stand inside parentheses", NULL},
    {"x =", 3, "an operand is missing at the end", NULL},
    {"= x", 0, "an operand is missing before \"=\"", NULL},
    {"x = y", 4, "unknown name \"y\"", NULL},
};

static const Mistake EVENT_MISTAKES[] = {
    {"x < m", 2, "a condition can stand only in if", "write one side minus the other"},
    {"x == m", 2, "a condition can stand only in if", "root of an expression"},
    {"x = m", 2, "an equation cannot stand here", "write one side minus the other"},
};

static void check_mistake(const Mistake *mistake, bool motion, ParseFlags flags)
{
    Fixture fixture;
    fixture_init(&fixture, motion);
    Expr e = expr_parse(fixture.pool, fixture.scope, mistake->text, flags, "/place", &fixture.diag);
    ck_assert(expr_is_none(e));
    ck_assert_uint_ge(fixture.diag.count, 1);
    const Diagnostic *first = &fixture.diag.items[0];
    ck_assert_str_eq(first->pointer, "/place");
    ck_assert_msg(strstr(first->message, mistake->message) && first->offset == mistake->offset,
                  "\"%s\": %s, offset %ld", mistake->text, first->message, first->offset);
    if (mistake->hint)
        ck_assert_msg(first->hint && strstr(first->hint, mistake->hint), "\"%s\": hint %s",
                      mistake->text, first->hint ? first->hint : "none");
    /* the pool is still of use */
    ck_assert(expr_pool_status(fixture.pool, NULL) == OK);
    fixture_read(&fixture, "x + m");
    fixture_done(&fixture);
}

START_TEST(a_mistake_is_named_with_its_place)
{
    check_mistake(&MISTAKES[_i], false, PARSE_EXPRESSION);
}
END_TEST

START_TEST(a_foreign_spelling_is_told_with_ours)
{
    check_mistake(&FOREIGN_MISTAKES[_i], false, PARSE_EXPRESSION);
}
END_TEST

START_TEST(a_hint_fits_the_place)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    expr_parse(fixture.pool, fixture.scope, WITHOUT_HINT[_i], PARSE_EXPRESSION, "", &fixture.diag);
    ck_assert_uint_ge(fixture.diag.count, 1);
    const char *hint = fixture.diag.items[fixture.diag.count - 1].hint;
    ck_assert_msg(!hint, "\"%s\": %s", WITHOUT_HINT[_i], hint ? hint : "");
    fixture_done(&fixture);
}
END_TEST

/* Those that the scope is told to list, as many as there is room for. */
START_TEST(an_unknown_name_lists_the_known_ones)
{
    Fixture fixture;
    char name[32], expected[400] = "rates: r0, r1";

    fixture_init(&fixture, false);
    expr_scope_list_as(fixture.scope, "rates");
    for (int k = 0; k < 20; k++) {
        snprintf(name, sizeof name, "r%d", k);
        ck_assert(expr_scope_add(fixture.scope, name, fixture.symbols[7]));
    }
    expr_scope_list_as(fixture.scope, "heights");
    ck_assert(expr_scope_add(fixture.scope, "up", fixture.symbols[8]));
    expr_parse(fixture.pool, fixture.scope, "x + omega", PARSE_EXPRESSION, "", &fixture.diag);
    for (int k = 2; k < NAMES_TOLD; k++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), ", r%d", k);
    snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
             " and %d more; heights: up; add it to parameters", 20 - NAMES_TOLD);
    ck_assert_str_eq(fixture.diag.items[0].hint, expected);
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_mistake_in_an_event_is_named)
{
    check_mistake(&EVENT_MISTAKES[_i], false, PARSE_EVENT);
}
END_TEST

START_TEST(a_mistake_about_a_motion_is_named)
{
    check_mistake(&MOTION_MISTAKES[_i], true, PARSE_EXPRESSION);
}
END_TEST

START_TEST(a_mistake_in_an_equation_is_named)
{
    check_mistake(&EQUATION_MISTAKES[_i], false, PARSE_EQUATION);
}
END_TEST

/* How many diagnostics a text has in all. */
static const struct {
    const char *text;
    size_t total;
} TOTALS[] = {
    {"thta + ggg*x + sin(qq)", 3},
    {"if(aa < bb, cc, dd)", 4},
    {"1/0 + zz + log(-1)", 3},
    {"sin(x, m) + atan2(x) + foo(bar)", 4},
    {"2x", 1},
    {"x\xc2\xb2 + 1", 1},
    {"x $ m", 1},
    {"x**2", 1},
    {"((x", 2},
    {"if(x < m < g < l, 1, 2)", 2},
    {"x < m", 1},
    {"if(x = m, 1, 2)", 1},
    {"bad + bad", 2},
    {"9.81 kg*cm/s^2 + x", 1},
    {"m*x' + 1", 1},
    {"x'' - m", 1},
};

START_TEST(all_mistakes_are_reported_and_none_twice)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    expr_parse(fixture.pool, fixture.scope, TOTALS[_i].text, PARSE_EXPRESSION, "", &fixture.diag);
    ck_assert_msg(fixture.diag.total == TOTALS[_i].total, "\"%s\": %zu mistakes, second: %s",
                  TOTALS[_i].text, fixture.diag.total,
                  fixture.diag.count > 1 ? fixture.diag.items[1].message : "");
    fixture_done(&fixture);
}
END_TEST

START_TEST(places_count_characters_not_bytes)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    expr_parse(fixture.pool, fixture.scope, "\xce\xb8 + \xf0\x9d\x9c\x83 + thta", PARSE_EXPRESSION,
               "", &fixture.diag);
    ck_assert_uint_eq(fixture.diag.count, 3);
    ck_assert_int_eq(fixture.diag.items[1].offset, 4);
    ck_assert_int_eq(fixture.diag.items[2].offset, 8);
    ck_assert(strstr(fixture.diag.items[2].message, "\"thta\" at column 9"));
    fixture_done(&fixture);
}
END_TEST

SUITE(mistakes)
{
    TCase *tc = suite_case(suite, "diagnostics");
    tcase_add_test(tc, an_unknown_name_lists_the_known_ones);
    tcase_add_loop_test(tc, a_mistake_is_named_with_its_place, 0,
                        sizeof MISTAKES / sizeof MISTAKES[0]);
    tcase_add_loop_test(tc, a_foreign_spelling_is_told_with_ours, 0,
                        sizeof FOREIGN_MISTAKES / sizeof FOREIGN_MISTAKES[0]);
    tcase_add_loop_test(tc, a_hint_fits_the_place, 0, sizeof WITHOUT_HINT / sizeof WITHOUT_HINT[0]);
    tcase_add_loop_test(tc, a_mistake_in_an_event_is_named, 0,
                        sizeof EVENT_MISTAKES / sizeof EVENT_MISTAKES[0]);
    tcase_add_loop_test(tc, a_mistake_about_a_motion_is_named, 0,
                        sizeof MOTION_MISTAKES / sizeof MOTION_MISTAKES[0]);
    tcase_add_loop_test(tc, a_mistake_in_an_equation_is_named, 0,
                        sizeof EQUATION_MISTAKES / sizeof EQUATION_MISTAKES[0]);
    tcase_add_loop_test(tc, all_mistakes_are_reported_and_none_twice, 0,
                        sizeof TOTALS / sizeof TOTALS[0]);
    tcase_add_test(tc, places_count_characters_not_bytes);
}
