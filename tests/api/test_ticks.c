/* Ticks of axes: few, within, and labels that say what stands there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/plot/ticks.h"
#include "core/base/random.h"
#include "tests/suite.h"

static const char MINUS[] = "\u2212";

/* A label or remark with a plain minus and powers "e-9", so that strtod() reads it. */
static void plain(const Text *text, char *ret)
{
    static const char *const RAISED[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075",
                                         "\u2076", "\u2077", "\u2078", "\u2079", "\u207b"};

    for (const char *c = text_string(text); *c;) {
        size_t digit = 0;
        while (digit < 11 && strncmp(c, RAISED[digit], strlen(RAISED[digit])) != 0)
            digit++;
        if (digit < 11) {
            *ret++ = "0123456789-"[digit];
            c += strlen(RAISED[digit]);
        } else if (strncmp(c, MINUS, strlen(MINUS)) == 0) {
            *ret++ = '-';
            c += strlen(MINUS);
        } else if (strncmp(c, " \u00d7 10", 6) == 0) {
            *ret++ = 'e';
            c += 6;
        } else {
            *ret++ = *c++;
        }
    }
    *ret = '\0';
}

/* What a label and the remark say together. */
static double said(const Ticks *ticks, int64_t k)
{
    Text label = TEXT_INIT, remark = TEXT_INIT;
    char number[80], rest[80], both[160], *offset;
    double value;

    tick_label(ticks, k, &label);
    ck_assert_uint_lt(label.length, 16);
    ticks_remark(ticks, &remark);
    plain(&label, number);
    plain(&remark, rest);
    offset = strpbrk(rest, "+-");
    while (offset && offset > rest && offset[-1] == 'e') /* of the power */
        offset = strpbrk(offset + 1, "+-");
    const double more = offset ? strtod(offset + 2, NULL) * (*offset == '-' ? -1 : 1) : 0;
    if (offset)
        *offset = '\0';
    snprintf(both, sizeof both, "%s%s", number, rest);
    value = strtod(both, NULL) + more;
    text_done(&label);
    text_done(&remark);
    return value;
}

static void check_axis(double least, double greatest, unsigned most)
{
    const Axis axis = axis_around(least, greatest);
    const double size = fmax(fabs(axis.low), fabs(axis.high));

    ck_assert(axis.low <= least && greatest <= axis.high && axis.low < axis.high);
    const Ticks ticks = ticks_on(axis, most);
    const int64_t n = ticks.last - ticks.first + 1;
    ck_assert_int_le(n, most);
    ck_assert_int_ge(n, most / 4);
    ck_assert(ticks.mantissa == 1 || ticks.mantissa == 2 || ticks.mantissa == 5);
    for (int64_t k = ticks.first; k <= ticks.last; k++) {
        const double value = tick_at(&ticks, k), step = tick_at(&ticks, 1);
        ck_assert_double_ge(value, axis.low - 1e-8 * step);
        ck_assert_double_le(value, axis.high + 1e-8 * step);
        ck_assert_double_le(fabs(said(&ticks, k) - value), 4e-16 * size);
    }
}

START_TEST(labels_say_where_ticks_are)
{
    Random random;

    random_init(&random, 5);
    for (int k = 0; k < 5000; k++) {
        const double middle =
            k % 3 ? random_normal(&random) * pow(10, random_uniform(&random, -290, 290)) : 0;
        const double half = middle != 0 ? fabs(middle) * pow(10, random_uniform(&random, -12, 3))
                                        : pow(10, random_uniform(&random, -290, 300));
        check_axis(middle - half, middle + half, 4 + (unsigned)k % 9);
    }
}
END_TEST

START_TEST(axes_of_nothing_or_of_one_value_have_a_length)
{
    const double HARD[][2] = {
        {0, 0},           {1, 1},         {-1e300, -1e300},    {1.7e308, 1.7e308},
        {5e-324, 5e-324}, {1, 1 + 1e-15}, {-1.7e308, 1.7e308}, {0, 5e-324},
        {-3, 1e-200}};

    for (size_t k = 0; k < sizeof HARD / sizeof *HARD; k++)
        check_axis(HARD[k][0], HARD[k][1], 6);
    const Axis none = axis_around(INFINITY, -INFINITY);
    ck_assert(none.low == 0 && none.high == 1);
}
END_TEST

static void check_labels(double least, double greatest, const char *all)
{
    const Ticks ticks = ticks_on((Axis){least, greatest}, 6);
    Text text = TEXT_INIT;

    for (int64_t k = ticks.first; k <= ticks.last; k++) {
        tick_label(&ticks, k, &text);
        text_putc(&text, ' ');
    }
    ticks_remark(&ticks, &text);
    ck_assert_str_eq(text_string(&text), all);
    text_done(&text);
}

START_TEST(labels_are_short)
{
    check_labels(0, 1, "0.0 0.2 0.4 0.6 0.8 1.0 ");
    check_labels(-1.3, 2.7, "\u22121 0 1 2 ");
    check_labels(1e5, 1.3e5, "100000 110000 120000 130000 ");
    check_labels(1e-9, 3e-9, "1.0 1.5 2.0 2.5 3.0  \u00d7 10\u207b\u2079");
    check_labels(123456, 123457, "0.0 0.2 0.4 0.6 0.8 1.0  + 123456");
    check_labels(-1e9 - 1, -1e9,
                 "\u22121.0 \u22120.8 \u22120.6 \u22120.4 \u22120.2 0.0  \u2212 1000000000");
}
END_TEST

SUITE(ticks)
{
    TCase *tc = suite_case(suite, "ticks");
    tcase_add_test(tc, labels_say_where_ticks_are);
    tcase_add_test(tc, axes_of_nothing_or_of_one_value_have_a_length);
    tcase_add_test(tc, labels_are_short);
}
