/* Constants and coefficients are exact: whatever is added up in whatever order is one node, and
 * that is the node of the total as whole-number arithmetic has it, digit by digit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

/* 21 times a sum of decimals and thirds and sevenths of decimals: digit k counts 10^(k -
 * LOWEST). */
enum { DIGITS = 80, LOWEST = 34, TIMES = 21, TERMS = 8 };

typedef struct Total {
    long digits[DIGITS]; /* between 0 and 9 once carried, but for the sign */
    bool negative;
} Total;

static void total_add(Total *total, long mantissa, int exponent)
{
    const long sign = mantissa < 0 ? -1 : 1;
    int place = LOWEST + exponent;
    for (mantissa = labs(mantissa); mantissa; mantissa /= 10)
        total->digits[place++] += sign * (mantissa % 10);
}

static void total_carry(Total *total)
{
    int top = DIGITS - 1;

    for (int round = 0; round < 2; round++) {
        for (int k = 0; k + 1 < DIGITS; k++) {
            const long carry = total->digits[k] / 10;
            total->digits[k] -= 10 * carry;
            total->digits[k + 1] += carry;
        }
    }
    while (top > 0 && total->digits[top] == 0)
        top--;
    total->negative = total->digits[top] < 0;
    for (int k = 0; k < DIGITS && total->negative; k++)
        total->digits[k] = -total->digits[k];
    for (int k = 0; k + 1 < DIGITS; k++) {
        if (total->digits[k] < 0) {
            total->digits[k] += 10;
            total->digits[k + 1]--;
        }
    }
}

/* The total over 21 as a text, in pieces of so many digits. */
static void total_print(const Total *total, int piece, char *text)
{
    text += sprintf(text, "%s(0", total->negative ? "-" : "");
    for (int k = 0; k < DIGITS; k += piece) {
        text += sprintf(text, " + ");
        for (int i = piece - 1; i >= 0; i--)
            *text++ = (char)('0' + (k + i < DIGITS ? total->digits[k + i] : 0));
        text += sprintf(text, "e%d", k - LOWEST);
    }
    sprintf(text, ")/%d", TIMES);
}

/* Random numbers from 1e-16 to 1e16 as texts, and 21 times their sum. */
static void draw(Random *random, char texts[TERMS][40], Total *total)
{
    static const long BELOW[] = {1, 1, 1, 3, 7, 21};

    *total = (Total){0};
    for (int k = 0; k < TERMS; k++) {
        const long below = BELOW[random_bits(random) % 6];
        const long mantissa = (long)(random_bits(random) % 1999999) - 999999;
        const int exponent = (int)(random_bits(random) % 33) - 16;
        snprintf(texts[k], sizeof texts[k], "%lde%d/%ld", mantissa, exponent, below);
        total_add(total, mantissa * (TIMES / below), exponent);
    }
    total_carry(total);
}

static void shuffle(Random *random, Expr *e)
{
    for (size_t k = TERMS; k > 1; k--) {
        const size_t other = random_bits(random) % k;
        const Expr swap = e[k - 1];
        e[k - 1] = e[other];
        e[other] = swap;
    }
}

/* By pairs, in the order they come to lie. */
static Expr add_somehow(Fixture *fixture, Random *random, const Expr *terms)
{
    Expr e[TERMS];
    memcpy(e, terms, sizeof e);
    shuffle(random, e);
    for (size_t n = TERMS; n > 1; n--) {
        const size_t at = random_bits(random) % (n - 1);
        e[at] = expr_add(fixture->pool, e[at], e[n - 1]);
    }
    return e[0];
}

START_TEST(sums_of_numbers_are_one_node_in_any_order)
{
    enum { SEED = 31, SUMS = 300, ORDERS = 6 };
    char texts[TERMS][40], expected[40 * DIGITS];
    Random random;

    random_init(&random, SEED);
    for (int i = 0; i < SUMS; i++) {
        Fixture fixture;
        Total total;
        Expr numbers[TERMS], terms[TERMS];
        fixture_init(&fixture, false);
        draw(&random, texts, &total);
        for (int k = 0; k < TERMS; k++) {
            numbers[k] = fixture_read(&fixture, texts[k]);
            terms[k] = expr_mul(fixture.pool, numbers[k], fixture.symbols[1]);
        }
        total_print(&total, 9, expected);
        const Expr sum = fixture_read(&fixture, expected);
        Expr multiple = EXPR_NONE;
        for (int k = 0; k < ORDERS; k++) {
            ck_assert_msg(expr_same(add_somehow(&fixture, &random, numbers), sum), "sum %d: %s", i,
                          expected);
            const Expr other = add_somehow(&fixture, &random, terms);
            if (k == 0)
                multiple = other;
            ck_assert(expr_same(other, multiple));
        }
        /* what is off in the last digit is another number */
        total_print(&total, 13, expected);
        strcat(expected, " + 1e-17");
        ck_assert(!expr_same(fixture_read(&fixture, expected), sum));
        ck_assert(!expr_pool_rounded(fixture.pool));
        fixture_done(&fixture);
    }
}
END_TEST

static const char *const EXACT[][2] = {
    {"1e16 + 1 - 1e16", "1"},
    {"(1e16 + 1)*3 - 3e16", "3"},
    {"(1e16 + 1)*x - 1e16*x - x + (1e16 + 1)*m - (1e16 + 1)*m", "(1e16 + 1)*x - (1e16*x + x)"},
    {"1.23456789*9.87654321 - 12.1932631112635", "2.69e-14"},
    {"1.23456789*(9.87654321*x)", "(1.23456789*x)*9.87654321"},
    {"1e5^2 - 1e10", "0"},
    {"1.000001^3", "1.000003000003 + 1e-18"},
    {"7^-2", "1/49"},
    {"1/3 + 1/7 - 10/21 + 1e-30", "1e-30"},
    {"x/3*1e-20 + x - x", "1e-20/3*x"},
    {"(2/3)^5", "32/243"},
    {"x*0.3*(10/3)", "x"},
    {"20*x/267*267", "20*x"},
    {"x*(0.1/0.3) - x/3", "0"},
    {"1.5e-9/(7e8*x)", "3e-17/(14*x)"},
    {"-(0.1 + 1e-20)", "-0.1 - 1e-20"},
};

START_TEST(what_is_exactly_equal_is_one_node)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    fixture_same(&fixture, EXACT[_i][0], EXACT[_i][1]);
    ck_assert(!expr_pool_rounded(fixture.pool));
    fixture_done(&fixture);
}
END_TEST

static const char *const TOO_LONG[] = {
    "1e200 + x*1e-200 + 1 - 1e200*m",  "1e200*x + x + 1", "pi*x - 3.141592653589793*m",
    "sqrt(2)*1e16 + 1 - sqrt(2)*1e16", "sin(1e-9)",       "cos(1e-9)"};

START_TEST(numbers_without_room_are_told)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    fixture_read(&fixture, TOO_LONG[_i]);
    ck_assert(expr_pool_rounded(fixture.pool));
    ExprPool *clone = expr_pool_clone(fixture.pool);
    ck_assert(clone && expr_pool_rounded(clone));
    expr_pool_free(clone);
    fixture_done(&fixture);
}
END_TEST

/* Inverses of coefficients stand for inverses, the values of parameters for their decimals. */
START_TEST(numbers_from_elsewhere_are_what_they_are_said_to_be)
{
    Fixture fixture;
    double root = 0;

    fixture_init(&fixture, false);
    ck_assert(expr_is_const(fixture.pool, fixture_read(&fixture, "sqrt(5)"), &root));
    const Expr x = fixture.symbols[1];
    const Expr e = expr_scale(fixture.pool, expr_inverse(fixture.pool, 1.373878287), x);
    ck_assert(expr_vanishes(fixture.pool,
                            expr_sub(fixture.pool, e, fixture_read(&fixture, "x/1.373878287"))));
    ck_assert(expr_vanishes(fixture.pool,
                            expr_sub(fixture.pool,
                                     expr_scale(fixture.pool, expr_inverse(fixture.pool, root), x),
                                     fixture_read(&fixture, "x/sqrt(5)"))));
    ck_assert(!expr_pool_rounded(fixture.pool));
    /* a parameter that reads as the root's double */
    const Expr zero =
        expr_sub(fixture.pool, expr_given(fixture.pool, root), fixture_read(&fixture, "sqrt(5)"));
    ck_assert(expr_is_zero(fixture.pool, zero) && !expr_vanishes(fixture.pool, zero));
    fixture_done(&fixture);
}
END_TEST

/* Powers whose numbers alone are beyond the range of doubles. */
START_TEST(powers_have_values_where_those_of_their_numbers_have_none)
{
    static const char *const POWERS[] = {"(x/50)^200", "(50/x)^-200", "(x/50)^100*(x/50)^100",
                                         "((x/50)^20)^10", "(1e-3*x)^200/(1e-3*50)^200"};
    double symbols[FIXTURE_SYMBOLS] = {0};

    symbols[1] = 40;
    for (size_t k = 0; k < sizeof POWERS / sizeof *POWERS; k++) {
        Fixture fixture;
        double value;
        fixture_init(&fixture, false);
        const Expr e = fixture_read(&fixture, POWERS[k]);
        ck_assert_int_eq(expr_eval(fixture.pool, &e, 1, symbols, &value, NULL), OK);
        ck_assert_msg(fabs(value / pow(0.8, 200) - 1) < 1e-12, "%s is %.17g", POWERS[k], value);
        fixture_done(&fixture);
    }
}
END_TEST

SUITE(constants)
{
    TCase *tc = suite_case(suite, "constants");
    tcase_add_test(tc, sums_of_numbers_are_one_node_in_any_order);
    tcase_add_loop_test(tc, what_is_exactly_equal_is_one_node, 0,
                        (int)(sizeof EXACT / sizeof *EXACT));
    tcase_add_test(tc, numbers_from_elsewhere_are_what_they_are_said_to_be);
    tcase_add_test(tc, powers_have_values_where_those_of_their_numbers_have_none);
    tcase_add_loop_test(tc, numbers_without_room_are_told, 0,
                        (int)(sizeof TOO_LONG / sizeof *TOO_LONG));
}
