/* Numbers that are more than their doubles: functions of constants, pi, decimals and quotients of
 * many digits. What is said of a text is true of the numbers in it, whatever their doubles cancel
 * to. The oracle is how each case was made: a transcendental number less a decimal is not zero. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/core/exact/question.h"
#include "tests/suite.h"

/* None of them vanishes; the doubles of many do. */
static const char *const DIFFERENT[] = {
    "sqrt(2)*1e16 + 1 - sqrt(2)*1e16",
    "x*(sqrt(2)*1e16 + 1) - sqrt(2)*1e16*x",
    "(1e16*sqrt(2) + 1)*x - 1e16*x*sqrt(2)",
    "sin(1e-9) - tan(1e-9)",
    "sin(1e-9)*x - 1e-9*x",
    "tan(1e-9)*x - 1e-9*x",
    "atan(1e-9)*x - asin(1e-9)*x",
    "sinh(1e-9)*x - tanh(1e-9)*x",
    "erf(0)*x + cos(1e-9)*x - x",
    "cosh(1e-9)*x - x",
    "exp(1e-17)*x - x",
    "x - tanh(30)*x",
    "erf(9)*x - x",
    "log(1.0000000000000001)*x",
    "pi - 3.141592653589793",
    "3.141592653589793*x - pi*x",
    "pi*x - 3.14159265358979323846*x",
    "3.14159265358979323846*x - 3.141592653589793*x",
    "pi*(x + y)^2 - 3.141592653589793*x^2 - 6.283185307179586*x*y - pi*y^2",
    "exp(1)*y - 2.718281828459045*y",
    "2.718281828459045*y - exp(1)*y",
    "(exp(1) - 2.718281828459045)*x*y",
    "exp(1)*x/2.718281828459045 - x",
    "x/exp(1) - 0.36787944117144233*x",
    "exp(-1)*x - 0.36787944117144233*x",
    "exp(1)*(x + y)*(x - y) - 2.718281828459045*x^2 + 2.718281828459045*y^2",
    "exp(1)*(10000*x + y)*(x + y) - (27182.81828459045*x^2 + exp(1)*10001*x*y + exp(1)*y^2)",
    "sqrt(5)*x - 2.23606797749979*x",
    "2.23606797749979*x - sqrt(5)*x",
    "sqrt(5)*(x + y) - 2.23606797749979*(x - y) - 4.47213595499958*y",
    "5^0.5*x - 2.23606797749979*x",
    "2^(1/3)*x - 1.2599210498948732*x",
    "cbrt(2)*x - 1.2599210498948732*x",
    "7^0.3*x - 1.7927899625209972*x",
    "hypot(1, 1)*x - 1.4142135623730951*x",
    "sqrt(2 + sqrt(2))*x - 1.8477590650225735*x",
    "exp(exp(1))*x - 15.154262241479262*x",
    "sin(cos(1))*x - 0.5143952585235492*x",
    "log(2)*x - 0.6931471805599453*x",
    "log10(2)*x - 0.3010299956639812*x",
    "atan2(1, 2)*x - 0.4636476090008061*x",
    "acos(0.1)*x - 1.4706289056333368*x",
    "asinh(1)*x - acosh(1.4142135623730951)*x",
    "(sqrt(2) + sqrt(3))*x - 3.1462643699419726*x",
    "(pi + exp(1))*x - 5.859874482048838*x",
    "(pi*exp(1))*x - 8.539734222673566*x",
    "(exp(pi) - pi - 20)*x + 0.000900020810524*x",
    "(exp(pi*sqrt(163)) - 262537412640768744)*x",
    "cos(pi/1e9)*x - x",
    "sin(pi*1e-9)*x - pi*1e-9*x",
    "if(pi > 3.141592653589793, 1, 0)*x",
    "max(pi, 3.141592653589793)*x - 3.141592653589793*x",
    "abs(3.141592653589793 - pi)*x",
    "sign(pi - 3.141592653589793)*x",
    "(1e16*pi + 1)^2*x - (1e16*pi)^2*x",
    "(sqrt(2)^2 - 1.9999999999999999)*x",
    "1e16*(sqrt(2)^2 - 2)*x + 1e-30*x",
    "sqrt(1 + 1e-17)*x - x",
    "(1 + 1e-17)^0.5*x - x",
    "10000000000000001*x - 1e16*x",
    "1e16*x - 10000000000000001*x",
    "0.30000000000000001665*x - 0.3*x",
    "0.1234567890123456789*x - 0.12345678901234568*x",
    "x/1.373878287 - 0.7278665329*x",
    "x/1.373878287 - x*0.72786653299999*1.0000000000000001",
    "x*1.0000001^1000 - 1.000100004950166*x",
    "x/123456789123 - y*0 - 8.1000000670410e-12*x",
    "sin(pi*x) - sin(3.141592653589793*x)",
    "cos(x*sqrt(2)) - cos(1.4142135623730951*x)",
    "exp(pi*x) - exp(3.141592653589793*x)",
    "(x^2 + y^2)^sqrt(2) - (x^2 + y^2)^1.4142135623730951",
    "4611686018427387904*x*pi/4611686018427387904 - 3.141592653589793*x",
    "6423825902826749639*pi*x",
    "sin(x + pi/2) + cos(x)",
    "cos(x + 2*pi/3) - cos(x - 2*pi/3)",
    "sin(x + pi/3) + sin(x - pi/3) + sin(x)",
    "cos(x + 2*pi/5) + cos(x - 2*pi/5) - 2*cos(x)*cos(4*pi/5)",
    "abs(cos(x + pi/5) + cos(x - pi/5)) + 2*cos(pi/5)*abs(cos(x))",
    "abs(cos(x)*cos(4*pi/5)) - cos(4*pi/5)*abs(cos(x))",
    /* the sign of a root is the real one, where it is a cosine, too */
    "2*cos(x + pi/6) + sqrt(3)*cos(x) + sin(x)",
    "sin(pi/4)*x + sqrt(2)/2*x",
    "cos(pi/5)*x - (1 - sqrt(5))/4*x",
    "(sqrt(2)*sqrt(3) + sqrt(6))*x",
    "sin(2*pi/7)*x + sin(4*pi/7)*x + sin(8*pi/7)*x + sqrt(7)/2*x",
    "(sqrt(2) + sqrt(8))*x",
    "sqrt(2)*x - sqrt(3)*x",
    "sqrt(13)*sqrt(17)*x + sqrt(221)*x",
    "cbrt(2)*cbrt(4)*x + 2*x",
    "cbrt(2)*x - sqrt(2)*x",
    "abs((sqrt(2) - 1)*x) - (1 - sqrt(2))*abs(x)",
    "abs((sqrt(2) + 3)*x) + (3 + sqrt(2))*abs(x)",
    "sqrt((3 - sqrt(7))*x^2) + (3 - sqrt(7))*sqrt(x^2)",
};

START_TEST(what_differs_is_never_the_same)
{
    Question q;
    question_init(&q);
    ck_assert_msg(question_identity(&q, DIFFERENT[_i]) != EXACT_ZERO, "%s", DIFFERENT[_i]);
    question_done(&q);
}
END_TEST

/* All of them vanish. Of the second half this need not be found. */
static const struct {
    const char *text;
    bool found;
} EQUAL[] = {
    {"sqrt(4)*x - 2*x", true},
    {"(sqrt(2)*x + y)*(sqrt(2)*x - y) - 2*x^2 + y^2", true},
    {"(sqrt(2)*sqrt(3) - sqrt(6))*x + (sqrt(8) - 2*sqrt(2))*y", true},
    {"(sqrt(2)*sqrt(0.5) - 1)*x + (sqrt(1/3)*sqrt(3) - 1)*y", true},
    {"x/(sqrt(2) - 1) - (1 + sqrt(2))*x", true},
    {"(cbrt(2)^3 - 2)*x + (cbrt(4) - cbrt(2)^2)*y + (cbrt(-3)*cbrt(9) + 3)*z", true},
    {"(2^0.5*2^1.5 - 4)*x + (12^(3/2)/12 - 2*sqrt(3))*y", true},
    {"(2^(1/3)*4^(1/3) - 2)*x", true},
    {"(sqrt(13)*sqrt(17) - sqrt(221))*x + (sqrt(19)*sqrt(23)*sqrt(29) - sqrt(12673))*y", true},
    {"sin(x + pi/4) - sqrt(2)/2*(sin(x) + cos(x))", true},
    {"2*cos(x + pi/6) - sqrt(3)*cos(x) + sin(x)", true},
    {"cos(x + pi/5) + cos(x - pi/5) - (1 + sqrt(5))/2*cos(x)", true},
    {"sin(x + pi/12) - sin(x - pi/12) - (sqrt(6) - sqrt(2))/2*cos(x)", true},
    {"sin(x + 2*pi/7) + sin(x + 4*pi/7) + sin(x + 8*pi/7) + sin(x)/2 - sqrt(7)/2*cos(x)", true},
    {"(cos(pi/5) - (1 + sqrt(5))/4)*x + (sin(pi/12) - (sqrt(6) - sqrt(2))/4)*y", false},
    {"tan(3*pi/11)*x + 4*sin(2*pi/11)*x - sqrt(11)*x", false},
    {"sqrt(k2)^2*x - 3*x + (sqrt(k2)*sqrt(k3) - sqrt(k2*k3))*y", true},
    {"(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))*x", false},
    {"abs(sqrt(2)*x) - sqrt(2)*abs(x)", true},
    {"sqrt(2*x^2) - sqrt(2)*sqrt(x^2)", false},
    {"sqrt(0.09)*x - 0.3*x", true},
    {"cbrt(-8)*x + 2*x", true},
    {"8^(1/3)*x - 2*x", true},
    {"4^1.5*x - 8*x", true},
    {"hypot(3, 4)*x - 5*x", true},
    {"log10(1000)*x - 3*x", true},
    {"log10(0.001)*x + 3*x", true},
    {"(exp(0) - 1)*x + log(1)*y + sin(0)*z", true},
    {"sin(pi)*x", true},
    {"(cos(pi) + 1)*x + (sin(pi/2) - 1)*y + cos(3*pi/2)*z", true},
    {"acos(0)*x - pi*x/2 + asin(1)*y - pi/2*y + 4*atan(1)*z - pi*z", true},
    {"sin(-0.3)*x + sin(0.3)*x + (cos(-0.3) - cos(0.3))*y", true},
    {"pi*(x + y) - pi*x - y*pi", true},
    {"pi/3*x - x*pi*(1/3)", true},
    {"3*(x*(pi/3)) - pi*x", true},
    {"exp(1)*(x + y)^2 - exp(1)*x^2 - 2*exp(1)*x*y - exp(1)*y^2", true},
    {"(sqrt(2)*x + y)*(sqrt(2)*x - y) - (sqrt(2)*x)^2 + y^2", true},
    {"sin(2*pi*x) - 2*sin(pi*x)*cos(pi*x)", true},
    {"sin(x + pi/7) - sin(x)*cos(pi/7*y/y) - cos(x)*sin(pi*y/(7*y))", true},
    {"cos(x) + cos(x + 2*pi/3) + cos(x + 4*pi/3)", true},
    {"sin(x)^2 + sin(x + 2*pi/3)^2 + sin(x - 2*pi/3)^2 - 3/2", true},
    {"cos(x - pi) + cos(x) + sin(y + pi/2) - cos(y) + cos(z - 2*pi) - cos(z)", true},
    {"sin(x + pi/11 + y)*tan(y - pi/4) - sin(x + y + pi/11)*tan(y + 3*pi/4)", true},
    {"cos(x + pi/12) - cos(x)*cos(pi/12) + sin(x)*sin(pi/12)", true},
    {"cos(x + pi/13) - cos(x)*cos(pi/13) + sin(x)*sin(pi/13)", false},
    {"abs(cos(x + pi/3) + cos(x - pi/3)) - abs(cos(x))", false},
    {"exp(sqrt(2)*x)*exp(-x*sqrt(2)) - 1", true},
    {"x/1.373878287*1.373878287 - x", true},
    {"(x + y)/1.373878287 - x/1.373878287 - y/1.373878287", true},
    {"x/123456789123 + x/7 - x*(1/123456789123 + 1/7)", true},
    {"(x/1.373878287 + y/3)^2 - x^2/1.373878287^2 - 2*x*y/(3*1.373878287) - y^2/9", true},
    {"x*1.0000001^1000 - x*1.0000001^999*1.0000001", true},
    {"if(pi > 3, x, y) - x + max(exp(1), 2)*y - exp(1)*y + abs(-sqrt(2))*z - sqrt(2)*z", true},
    {"sign(1 - pi)*x + x", true},
    {"2.718281828459045*(x + y) - 2.718281828459045*x - 2.718281828459045*y", true},
    {"sqrt(2)^2 - 2", true},
    {"(sqrt(2)^2 - 2)*x", true},
    {"1e16*(sqrt(2)^2 - 2)*x", true},
    {"sqrt(8)*x - 2*sqrt(2)*x", true},
    {"(log(6) - log(2) - log(3))*x", false},
    {"(sin(1)^2 + cos(1)^2 - 1)*x", false},
    {"1e20*(sin(1)^2 + cos(1)^2 - 1)*x", false},
    {"(exp(1)*exp(2) - exp(3))*x*1e10", false},
    {"sin(1e15*pi)*x", false},
    {"sin(1e22*pi)*x", false},
    {"(sqrt(2)*sqrt(3) - sqrt(6))*x*1e12", true},
    {"(4*atan(0.2) - atan(1/239) - pi/4)*1e18*x", false},
    {"(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))*1e17*x", false},
    {"tan(pi/8)*x - (sqrt(2) - 1)*x", false},
};

START_TEST(what_is_the_same_never_differs)
{
    Question q;
    question_init(&q);
    const ExactAnswer answer = question_identity(&q, EQUAL[_i].text);
    if (EQUAL[_i].found)
        ck_assert_msg(answer == EXACT_ZERO, "%s: %s", EQUAL[_i].text,
                      q.result.why ? q.result.why : "");
    ck_assert_msg(question_difference(&q, EQUAL[_i].text) != EXACT_NONZERO, "%s", EQUAL[_i].text);
    question_done(&q);
}
END_TEST

/* Cosines at k/n of a turn, and the sums that they have: of all of them zero, of their squares
 * n/2. */
START_TEST(parts_of_a_turn_are_what_they_are)
{
    static const int PARTS[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        for (int power = 1; power <= 2; power++) {
            Text sum = TEXT_INIT;
            for (int k = 0; k < PARTS[i]; k++)
                text_printf(&sum, "cos(x + %d*pi/%d)^%d + ", 2 * k, PARTS[i], power);
            text_printf(&sum, "%d/2", power == 2 ? -PARTS[i] : 0);
            Question q;
            question_init(&q);
            ck_assert_msg(question_identity(&q, text_string(&sum)) == EXACT_ZERO, "%s",
                          text_string(&sum));
            text_printf(&sum, " + 1e-30*cos(x)");
            ck_assert_int_ne(question_identity(&q, text_string(&sum)), EXACT_ZERO);
            question_done(&q);
            text_done(&sum);
        }
}
END_TEST

/* A function of constants, of random arguments, and how its value is written. */
static void draw_number(Random *random, char *text, size_t size, double *ret_value)
{
    static const struct {
        const char *name;
        double (*function)(double);
    } FUNCTIONS[] = {{"sqrt", sqrt}, {"cbrt", cbrt}, {"exp", exp},     {"log", log},
                     {"sin", sin},   {"cos", cos},   {"tan", tan},     {"atan", atan},
                     {"sinh", sinh}, {"tanh", tanh}, {"asinh", asinh}, {"erf", erf}};
    const size_t k = random_bits(random) % (sizeof FUNCTIONS / sizeof *FUNCTIONS);
    const int digits = 1 + (int)(random_bits(random) % 6);
    char argument[32];

    /* from 1e-10 to 10, never the square or the cube of a decimal of so few digits */
    snprintf(argument, sizeof argument, "%.*g", digits,
             pow(10, random_uniform(random, -10, 1)) * (1 + 1e-3));
    double value = 0;
    number_parse(argument, strlen(argument), &value);
    snprintf(text, size, "%s(%s)", FUNCTIONS[k].name, argument);
    *ret_value = FUNCTIONS[k].function(value);
}

/* c is a function value, d the same as a decimal of some digits: terms that differ by (c - d) x,
 * hidden in different ways. */
static const char *const HIDDEN[] = {
    "(%c) - (%d)",
    "(%c)*x - (%d)*x",
    "(%d)*x - (%c)*x",
    "3*(%c)*x*(x + y) - 3*x*(%d)*(x + y)",
    "(x + y)*(x - y)*(%c) - (%d)*x^2 + (%c)*y^2",
    "sin((%c)*x) - sin((%d)*x)",
    "exp(x)*x/(%c) - exp(x)*x/(%d)",
    "(1e16*(%c) + 1)*x - 1e16*(%c)*x",
    "(1e16*(%c))*x - 1e16*(%d)*x",
    "((%c)^2 - (%d)^2)*x",
    "(cbrt(2 + %c) - cbrt(2 + %d))*x",
    "abs((%c) - (%d))*x + max(%c, %d)*y - (%c)*y",
};

static void write_hidden(const char *form, const char *c, const char *d, char *text)
{
    for (; *form; form++) {
        if (form[0] == '%')
            text += sprintf(text, "%s", *++form == 'c' ? c : d);
        else
            *text++ = *form;
    }
    *text = 0;
}

START_TEST(random_function_values_are_no_decimals)
{
    enum { SEED = 77, MODELS = 3000 };
    char c[64], d[64], text[600];
    Random random;
    size_t refuted = 0;

    random_init(&random, SEED);
    for (int i = 0; i < MODELS; i++) {
        Question q;
        double value;
        do
            draw_number(&random, c, sizeof c, &value);
        while (strstr(c, "rt(") && decimal_is_short(value)); /* of a square or a cube */
        snprintf(d, sizeof d, "%.*g", 9 + (int)(random_bits(&random) % 14), value);
        const size_t form = random_bits(&random) % (sizeof HIDDEN / sizeof *HIDDEN);
        if (strstr(c, "rt(") && strlen(d) < 9)
            continue; /* the same, though its double is longer: cbrt(1e-09) */
        write_hidden(HIDDEN[form], c, d, text);
        question_init(&q);
        ck_assert_msg(question_identity(&q, text) != EXACT_ZERO, "%s", text);
        refuted += question_difference(&q, text) == EXACT_NONZERO;
        question_done(&q);
    }
    ck_assert_uint_gt(refuted, MODELS / 4);
}
END_TEST

/* Quotients by c of many digits: true in rational numbers, of which the doubles know little. */
START_TEST(quotients_by_numbers_of_many_digits_are_exact)
{
    enum { SEED = 78, MODELS = 500 };
    char text[600];
    Random random;

    random_init(&random, SEED);
    for (int i = 0; i < MODELS; i++) {
        Question q;
        char c[40], d[40];
        snprintf(c, sizeof c, "%.*g", 4 + (int)(random_bits(&random) % 12),
                 pow(10, random_uniform(&random, -6, 6)));
        snprintf(d, sizeof d, "%.*g", 4 + (int)(random_bits(&random) % 12),
                 pow(10, random_uniform(&random, -6, 6)));
        snprintf(
            text, sizeof text,
            "(x/%s + y/%s)^2 - x^2/%s^2 - 2*x*y/(%s*%s) - y^2/%s/%s + (x + y)/%s - x/%s - y/%s", c,
            d, c, d, c, d, d, d, d, d);
        question_init(&q);
        ck_assert_msg(question_identity(&q, text) == EXACT_ZERO, "%s: %s", text,
                      q.result.why ? q.result.why : "");
        ck_assert_int_ne(question_difference(&q, text), EXACT_NONZERO);
        strcat(text, " + 1e-12*x^3");
        ck_assert_int_ne(question_identity(&q, text), EXACT_ZERO);
        ck_assert_msg(question_difference(&q, text) == EXACT_NONZERO, "%s", text);
        question_done(&q);
    }
}
END_TEST

SUITE(numbers)
{
    TCase *tc = suite_case(suite, "numbers");
    tcase_add_loop_test(tc, what_differs_is_never_the_same, 0,
                        (int)(sizeof DIFFERENT / sizeof *DIFFERENT));
    tcase_add_loop_test(tc, what_is_the_same_never_differs, 0, (int)(sizeof EQUAL / sizeof *EQUAL));
    tcase_add_test(tc, parts_of_a_turn_are_what_they_are);
    tcase_add_test(tc, random_function_values_are_no_decimals);
    tcase_add_test(tc, quotients_by_numbers_of_many_digits_are_exact);
}
