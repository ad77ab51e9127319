/* Texts of units, their dimensions, and numbers of them: against the decimals that people write. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units/unit.h"
#include "tests/suite.h"

static Unit read(const char *text)
{
    Unit unit;
    UnitMistake mistake = {0};
    ck_assert_msg(unit_read(text, &unit, &mistake), "%s: %s", text, mistake.message);
    return unit;
}

static void check_printed(const char *text, const char *expected)
{
    const Unit unit = read(text);
    Text out = TEXT_INIT;
    unit_print(&unit, &out);
    ck_assert_str_eq(text_string(&out), expected);
    text_done(&out);
}

static void check_dimension(const char *text, const char *expected)
{
    const Unit unit = read(text);
    Text out = TEXT_INIT;
    dimension_print(&unit.dimension, &out);
    ck_assert_str_eq(text_string(&out), expected);
    text_done(&out);
}

START_TEST(a_number_becomes_the_double_nearest_to_its_decimal)
{
    static const struct {
        const char *unit;
        int exponent;
    } CASES[] = {{"cm", -2}, {"mm", -3}, {"um", -6}, {"g", -3}, {"km", 3}, {"nm", -9}, {"MN", 6}};

    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        const Unit unit = read(CASES[c].unit);
        for (int i = 1; i <= 10000; i++) {
            char text[32];
            snprintf(text, sizeof text, "%de%d", i, CASES[c].exponent);
            ck_assert_double_eq(unit_to_si(&unit, i), strtod(text, NULL));
            snprintf(text, sizeof text, "%de%d", i, CASES[c].exponent - 3);
            ck_assert_double_eq(unit_to_si(&unit, i / 1000.0), strtod(text, NULL));
        }
    }
}
END_TEST

START_TEST(what_is_shown_is_what_was_written)
{
    static const char *const TEXTS[] = {"cm", "mm", "in", "km/h", "deg", "lbf", "rpm", "psi"};

    for (size_t c = 0; c < sizeof TEXTS / sizeof *TEXTS; c++) {
        const Unit unit = read(TEXTS[c]);
        for (int i = -5000; i <= 5000; i++) {
            const double value = i / 100.0, shown = unit_shown(&unit, unit_to_si(&unit, value));
            ck_assert_double_eq(shown, value);
        }
    }
}
END_TEST

START_TEST(a_number_in_the_si_is_left_alone)
{
    static const char *const TEXTS[] = {"m", "kg", "N*m", "kg*m^2/s^2", "rad", "1", "1/s", "mm/mm"};

    for (size_t c = 0; c < sizeof TEXTS / sizeof *TEXTS; c++) {
        const Unit unit = read(TEXTS[c]);
        ck_assert(!unit.scales);
        ck_assert_double_eq(unit_to_si(&unit, 0.1 + 0.2), 0.1 + 0.2);
        ck_assert_double_eq(unit_shown(&unit, 1 / 3.0), 1 / 3.0);
    }
}
END_TEST

START_TEST(factors_are_those_of_the_definitions)
{
    static const struct {
        const char *unit;
        double value;
    } CASES[] = {
        {"in", 0.0254},
        {"ft", 0.3048},
        {"mi", 1609.344},
        {"lb", 0.45359237},
        {"min", 60},
        {"km/h", 1 / 3.6},
        {"L", 1e-3},
        {"kWh", 3.6e6},
        {"g/cm^3", 1000},
        {"mbar", 100},
        {"N/mm^2", 1e6},
        {"1/min", 1 / 60.0},
        {"psi", 6894.7572931683613},
        {"kn", 1852.0 / 3600},
        {"hp", 745.6998715822702},
        {"MeV", 1.602176634e-13},
        {"lbf", 4.4482216152605},
        {"cm^-2", 1e4},
        {"W/(cm^2*K)", 1e4},
        {"m^2/(mm*km)", 1},
    };

    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        const Unit unit = read(CASES[c].unit);
        ck_assert_msg(fabs(unit_to_si(&unit, 1) - CASES[c].value) <= 2.3e-16 * CASES[c].value,
                      "%s: %.17g", CASES[c].unit, unit_to_si(&unit, 1));
    }
}
END_TEST

/* Half of the last digit but for the errors of the longer format. */
static bool is_nearest(double value, long double exact)
{
    const double last = nextafter(fabs(value), INFINITY) - fabs(value);
    return fabsl(value - exact) <= 0.501L * last;
}

START_TEST(angles_are_numbers)
{
    const Unit deg = read("deg"), rpm = read("rpm");
    const long double pi = 3.14159265358979323846264338327950288L;

    ck_assert(dimension_is_number(&deg.dimension));
    ck_assert_double_eq(unit_to_si(&deg, 180), acos(-1));
    ck_assert_double_eq(unit_shown(&deg, acos(-1)), 180);
    for (int i = 1; i < 3600; i++) {
        ck_assert(is_nearest(unit_to_si(&deg, i / 8.0), i / 8.0L * pi / 180));
        ck_assert(is_nearest(unit_to_si(&rpm, i), i * pi / 30));
    }
}
END_TEST

START_TEST(units_are_shown_as_products_of_powers)
{
    check_printed("m/s^2", "m/s^2");
    check_printed("kg*m*m/s/s", "kg*m^2/s^2");
    check_printed("J/(kg*K)", "J/(kg*K)");
    check_printed("J/kg/K", "J/(kg*K)");
    check_printed("1/s", "1/s");
    check_printed("s^-1", "1/s");
    check_printed("m^0.5", "m^(1/2)");
    check_printed("m^(-3/2)", "1/m^(3/2)");
    check_printed("cm/cm", "1");
    check_printed("\xc2\xb5m\xc2\xb7N", "\xc2\xb5m*N");
}
END_TEST

START_TEST(dimensions_have_the_name_of_their_unit)
{
    check_dimension("kg*cm^2/h^2", "J");
    check_dimension("psi", "Pa");
    check_dimension("rpm", "1/s");
    check_dimension("kg*m/s", "kg*m/s");
    check_dimension("N/m^(3/2)", "kg/(m^(1/2)*s^2)");
    check_dimension("deg", "1");
    check_dimension("ohm*F", "s");
}
END_TEST

/* Also where it could not be written in a document. */
START_TEST(a_coherent_unit_is_that_of_its_dimension)
{
    Dimension a = dimension_base(BASE_M);
    Text out = TEXT_INIT;

    ck_assert(dimension_power(&a, exponent_whole(200)));
    const Unit unit = unit_of(&a);
    unit_print(&unit, &out);
    ck_assert_str_eq(text_string(&out), "m^200");
    ck_assert(dimension_agrees(&unit.dimension, &a));
    ck_assert_double_eq(unit_to_si(&unit, 0.3), 0.3);
    text_done(&out);
}
END_TEST

START_TEST(numbers_that_no_double_holds_in_the_si_are_told)
{
    const Unit nm = read("nm"), Gm = read("Gm");

    ck_assert_ptr_null(unit_misfit(0, unit_to_si(&nm, 0)));
    ck_assert_ptr_null(unit_misfit(1e-300, unit_to_si(&nm, 1e-300)));
    ck_assert_ptr_nonnull(strstr(unit_misfit(1e-320, unit_to_si(&nm, 1e-320)), "too small"));
    ck_assert_ptr_nonnull(strstr(unit_misfit(-1e300, unit_to_si(&Gm, -1e300)), "too large"));
    ck_assert_ptr_nonnull(strstr(unit_misfit(NAN, unit_to_si(&Gm, NAN)), "finite"));
}
END_TEST

START_TEST(a_quotient_cancels)
{
    Unit a = read("cm/s");
    const Unit b = read("g*cm");
    Text out = TEXT_INIT;

    ck_assert(unit_divide(&a, &b));
    unit_print(&a, &out);
    ck_assert_str_eq(text_string(&out), "1/(s*g)");
    ck_assert_double_eq(unit_to_si(&a, 1), 1000);
    text_done(&out);
}
END_TEST

START_TEST(mistakes_have_their_place_and_a_hint)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *message, *hint;
    } CASES[] = {
        {"furlong", 0, "unknown unit \"furlong\"", "such as kg, mm, N*m or m/s^2"},
        {"kg*meters", 3, "unknown unit \"meters\"", "did you mean \"m\"?"},
        {"KG", 0, "unknown unit \"KG\"", NULL},
        {"degC", 0, "unknown unit \"degC\"", "its zero is not that of a quantity: use K"},
        {"m2", 1, "a power is written with ^", "as in m^2"},
        {"N m", 1, "\"*\" or \"/\" is expected", "as in kg*m/s^2"},
        {"", 0, "the name of a unit is missing", "as in kg*m/s^2"},
        {"m/", 2, "the name of a unit is missing", "as in kg*m/s^2"},
        {"m^x", 1, "behind ^ there is to be a whole number or a fraction of such", NULL},
        {"m^0", 1, "behind ^ there is to be a whole number or a fraction of such", NULL},
        {"m^(1/0)", 1, "behind ^ there is to be a whole number or a fraction of such", NULL},
        {"m/(s", 4, "no \")\" for the \"(\"", ""},
        {"5*m", 0, "the name of a unit is expected", NULL},
        {"cm^(1/2)", 0, "a root of this unit has no exact factor", NULL},
        {"km^99", 0, "the factor of the unit is too large or too small", ""},
        {"kmin", 0, "unknown unit \"kmin\"", NULL},
    };

    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        Unit unit;
        UnitMistake mistake = {0};
        ck_assert_msg(!unit_read(CASES[c].text, &unit, &mistake), "%s", CASES[c].text);
        ck_assert_str_eq(mistake.message, CASES[c].message);
        ck_assert_msg(mistake.offset == CASES[c].offset, "%s: %zu", CASES[c].text, mistake.offset);
        if (CASES[c].hint)
            ck_assert_str_eq(mistake.hint, CASES[c].hint);
    }
}
END_TEST

START_TEST(powers_of_dimensions_are_fractions)
{
    Dimension a = dimension_base(BASE_M);
    const Dimension m = a;
    Exponent n;

    ck_assert(exponent_from(1.5, &n) && n.numerator == 3 && n.denominator == 2);
    ck_assert(dimension_power(&a, n));
    ck_assert(!dimension_agrees(&a, &m));
    ck_assert(exponent_from(2 / 3.0, &n));
    ck_assert(dimension_power(&a, n));
    ck_assert(dimension_agrees(&a, &m));
    ck_assert(exponent_from(0, &n));
    ck_assert(dimension_power(&a, n));
    ck_assert(dimension_is_number(&a));
    ck_assert(!exponent_from(0.123456789, &n));
    a = m;
    for (int k = 0; k < 5; k++)
        ck_assert_int_eq(dimension_power(&a, exponent_whole(10)), k < 4);
}
END_TEST

SUITE(units)
{
    TCase *tc = suite_case(suite, "units");
    tcase_add_test(tc, a_number_becomes_the_double_nearest_to_its_decimal);
    tcase_add_test(tc, what_is_shown_is_what_was_written);
    tcase_add_test(tc, a_number_in_the_si_is_left_alone);
    tcase_add_test(tc, factors_are_those_of_the_definitions);
    tcase_add_test(tc, angles_are_numbers);
    tcase_add_test(tc, units_are_shown_as_products_of_powers);
    tcase_add_test(tc, dimensions_have_the_name_of_their_unit);
    tcase_add_test(tc, a_coherent_unit_is_that_of_its_dimension);
    tcase_add_test(tc, numbers_that_no_double_holds_in_the_si_are_told);
    tcase_add_test(tc, a_quotient_cancels);
    tcase_add_test(tc, mistakes_have_their_place_and_a_hint);
    tcase_add_test(tc, powers_of_dimensions_are_fractions);
}
