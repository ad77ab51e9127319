/* Doubles as rational numbers, and rational numbers as sums of doubles. */
#include "core/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/fraction.h"
#include "core/base/number.h"

__extension__ typedef __int128 Wide;

/* Below 2^53 every whole number is a double: a theorem on IEEE 754. No unit. */
static const double MOST_WHOLE = 0x1p53;
#define MOST_SHORT UINT64_C(1000000000000000) /* 15 digits */
#define MOST_PLAIN UINT64_C(1000000000000)    /* numbers of fewer digits mean no fraction */

/* Most constants are such multiples of 1/1024. A sum of two has at most 15 digits. */
static bool is_simple(double value)
{
    return fabs(value) < 32768 && value * 1024 == rint(value * 1024);
}

/* A product of two such multiples of 1/8 has at most 15 digits. */
static bool is_plain(double value)
{
    return fabs(value) < 4096 && value * 8 == rint(value * 8);
}

static bool is_whole(double value)
{
    return fabs(value) < MOST_WHOLE && value == rint(value);
}

void decimal_read(double value, uint64_t *ret_digits, int *ret_exponent)
{
    char text[NUMBER_TEXT_MAX];
    uint64_t digits = 0;
    int exponent = 0;
    bool after_point = false;

    number_print(fabs(value), text);
    for (const char *c = text; *c; c++) {
        if (*c == '.') {
            after_point = true;
        } else if (*c == 'e') {
            exponent += (int)strtol(c + 1, NULL, 10);
            break;
        } else {
            digits = 10 * digits + (uint64_t)(*c - '0'); /* at most 17 significant digits */
            exponent -= after_point;
        }
    }
    for (; digits != 0 && digits % 10 == 0; exponent++)
        digits /= 10;
    *ret_digits = digits;
    *ret_exponent = digits ? exponent : 0;
}

bool decimal_is_short(double value)
{
    uint64_t digits;
    int exponent;

    if (is_whole(value) || is_simple(value))
        return true;
    decimal_read(value, &digits, &exponent);
    return digits < MOST_SHORT;
}

/* The double nearest to a whole number of at most 18 digits times a power of ten. */
static double nearest(int64_t digits, int exponent)
{
    char text[48];
    double value = 0;
    int n = snprintf(text, sizeof text, "%llde%d", (long long)digits, exponent);

    number_parse(text, (size_t)n, &value);
    return value;
}

/* Finds p/q with p q <= FRACTION_MAX_PRODUCT, times a power of ten, whose nearest double is digits
 * * 10^exponent, the text of a double. Few numbers are near such a fraction by chance. */
static bool read_fraction(double value, uint64_t digits, int exponent, uint64_t *ret_p,
                          uint64_t *ret_q, int *ret_exponent)
{
    /* tolerance in units of the last digit; half the spacing of doubles is less */
    enum { LAST_DIGIT_UNITS = 16 };
    uint64_t unit = 1, p = 1, q = 0, p_before = 0, q_before = 1;
    int scale = exponent;

    /* the convergents of digits / unit, from 1 to 10 */
    for (; digits / unit >= 10; scale++)
        unit *= 10;
    for (uint64_t a = digits, b = unit; b != 0;) {
        const uint64_t whole = a / b, rest = a % b;
        if ((double)whole * (double)p * ((double)whole * (double)q + (double)q_before) >
            FRACTION_MAX_PRODUCT)
            return false;
        const uint64_t p_next = whole * p + p_before, q_next = whole * q + q_before;
        p_before = p;
        q_before = q;
        p = p_next;
        q = q_next;
        a = b;
        b = rest;
        const Wide off = (Wide)p * unit - (Wide)q * digits;
        if ((off < 0 ? -off : off) > (Wide)q * LAST_DIGIT_UNITS)
            continue;
        const Rational fraction = rational_of(false, p, scale, q);
        if (rational_nearest(&fraction) == fabs(value)) {
            *ret_p = p;
            *ret_q = q;
            *ret_exponent = scale;
            return true;
        }
    }
    return false;
}

bool decimal_meaning(double value, uint64_t *ret_digits, uint64_t *ret_denominator,
                     int *ret_exponent)
{
    uint64_t digits;
    int exponent;

    *ret_denominator = 1;
    if (is_whole(value)) {
        *ret_digits = (uint64_t)fabs(value);
        *ret_exponent = 0;
        return true;
    }
    /* a number of many digits may mean a fraction */
    decimal_read(value, &digits, &exponent);
    if (digits >= MOST_PLAIN && isnormal(value) &&
        read_fraction(value, digits, exponent, ret_digits, ret_denominator, ret_exponent))
        return true;
    /* all others mean their shortest decimal */
    *ret_digits = digits;
    *ret_exponent = exponent;
    return digits < MOST_SHORT;
}

bool decimal_is_rounded(double value)
{
    uint64_t digits, denominator;
    int exponent;

    return !isfinite(value) ||
           !(is_simple(value) || decimal_meaning(value, &digits, &denominator, &exponent));
}

bool decimal_rational(double value, Rational *ret)
{
    uint64_t digits, denominator;
    int exponent;

    if (!isfinite(value) || !decimal_meaning(value, &digits, &denominator, &exponent))
        return false;
    *ret = rational_of(value < 0, digits, exponent, denominator);
    return true;
}

/* A number cut to fewer digits. */
static double first_digits(double value, uint64_t below)
{
    uint64_t digits;
    int exponent;

    decimal_read(value, &digits, &exponent);
    for (; digits >= below; exponent++)
        digits /= 10;
    return copysign(nearest((int64_t)digits, exponent), value);
}

/* The largest part of a number. If it means a fraction, that denominator divides the number's. */
static bool first_part(const Rational *number, double *ret, Rational *ret_meant)
{
    static const uint64_t BELOW[] = {UINT64_MAX, MOST_SHORT, MOST_PLAIN};
    const double whole = rational_nearest(number);
    bool found = false;

    for (size_t k = 0; k < 3 && isnormal(whole) && !found; k++) {
        *ret = k == 0 ? whole : first_digits(whole, BELOW[k]);
        found =
            decimal_rational(*ret, ret_meant) && number->denominator % ret_meant->denominator == 0;
    }
    return found;
}

bool decimal_write(const Rational *number, double ret_parts[DECIMAL_PARTS], size_t *ret_n)
{
    Rational rest = *number, meant;
    size_t n = 0;

    while (!rational_is_zero(&rest)) {
        if (n == DECIMAL_PARTS || !first_part(&rest, &ret_parts[n++], &meant))
            return false;
        meant.negative = !meant.negative;
        if (!rational_add(&rest, &meant))
            return false;
    }
    *ret_n = n;
    return true;
}

bool decimal_add(double a, double b, double *ret)
{
    *ret = a + b;
    return a == 0 || b == 0 || (is_simple(a) && is_simple(b)) ||
           (is_whole(a) && is_whole(b) && is_whole(a + b));
}

bool decimal_multiply(double a, double b, double *ret)
{
    *ret = a * b;
    return fabs(a) == 1 || fabs(b) == 1 || a == 0 || b == 0 || (is_plain(a) && is_plain(b)) ||
           (is_whole(a) && is_whole(b) && is_whole(a * b));
}

bool decimal_divide(double a, double b, double *ret)
{
    *ret = a / b;
    return fabs(b) == 1 || a == 0 ||
           (is_simple(*ret) && is_simple(b) && is_simple(a) && *ret * b == a);
}
