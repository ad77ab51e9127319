/* Decimals as whole numbers times powers of ten, exact in 128 bits. */
#include "core/base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

__extension__ typedef __int128 Wide;

enum { DIGITS = 15, MOST_SHIFT = 22 };

static const double MOST_WHOLE = 0x1p53;
static const Wide MOST_WIDE = (Wide)1 << 124;

typedef struct Decimal {
    Wide mantissa; /* no multiple of ten unless it is 0 */
    int exponent;
} Decimal;

static Decimal reduced(Wide mantissa, int exponent)
{
    while (mantissa != 0 && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
    }
    return (Decimal){mantissa, mantissa ? exponent : 0};
}

/* No rounding shows in sums and products of these, of which most expressions consist. */
static bool is_simple(double value)
{
    return fabs(value) < 32768 && value * 1024 == rint(value * 1024);
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
            digits = 10 * digits + (uint64_t)(*c - '0'); /* at most 17 of them count */
            exponent -= after_point;
        }
    }
    for (; digits != 0 && digits % 10 == 0; exponent++)
        digits /= 10;
    *ret_digits = digits;
    *ret_exponent = digits ? exponent : 0;
}

/* False where it is none of at most 15 digits. */
static bool read_decimal(double value, Decimal *ret)
{
    uint64_t digits;

    decimal_read(value, &digits, &ret->exponent);
    ret->mantissa = value < 0 ? -(Wide)digits : (Wide)digits;
    return digits < 1000000000000000;
}

/* The nearest double of a mantissa of at most 18 digits. */
static double nearest(Decimal d)
{
    char text[48];
    double value = 0;
    int n = snprintf(text, sizeof text, "%llde%d", (long long)d.mantissa, d.exponent);

    number_parse(text, (size_t)n, &value);
    return value;
}

/* The mantissa at a lower exponent; false where that has too many digits. */
static bool lower(Decimal d, int exponent, Wide *ret)
{
    for (*ret = d.mantissa; d.mantissa != 0 && d.exponent > exponent; d.exponent--) {
        if (*ret > MOST_WIDE / 10 || *ret < -MOST_WIDE / 10)
            return false;
        *ret *= 10;
    }
    return true;
}

static bool add(Decimal a, Decimal b, Decimal *ret)
{
    const int exponent = a.mantissa == 0                              ? b.exponent
                         : b.mantissa == 0 || a.exponent < b.exponent ? a.exponent
                                                                      : b.exponent;
    Wide left, right;

    if (!lower(a, exponent, &left) || !lower(b, exponent, &right))
        return false;
    *ret = reduced(left + right, exponent);
    return true;
}

static Wide largest_mantissa(void)
{
    Wide most = 1;
    for (int k = 0; k < DIGITS; k++)
        most *= 10;
    return most;
}

static bool is_short(Decimal d)
{
    const Wide most = largest_mantissa();
    return d.mantissa < most && d.mantissa > -most;
}

bool decimal_is_short(double value)
{
    Decimal d;
    return is_whole(value) || is_simple(value) || read_decimal(value, &d);
}

double decimal_add(double a, double b)
{
    Decimal left, right, sum;

    if (a == 0 || b == 0 || (is_simple(a) && is_simple(b)) ||
        (is_whole(a) && is_whole(b) && is_whole(a + b)) || !isfinite(a + b))
        return a + b;
    if (!read_decimal(a, &left) || !read_decimal(b, &right) || !add(left, right, &sum) ||
        !is_short(sum))
        return a + b;
    return nearest(sum);
}

double decimal_multiply(double a, double b)
{
    Decimal left, right;

    if (fabs(a) == 1 || fabs(b) == 1 || a == 0 || b == 0 || (is_simple(a) && is_simple(b)) ||
        (is_whole(a) && is_whole(b) && is_whole(a * b)) || !isfinite(a * b))
        return a * b;
    if (!read_decimal(a, &left) || !read_decimal(b, &right))
        return a * b;
    const Decimal product = reduced(left.mantissa * right.mantissa, left.exponent + right.exponent);
    return is_short(product) ? nearest(product) : a * b;
}

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int k = 0; k < exponent; k++)
        power *= 10; /* exact up to MOST_SHIFT */
    return power;
}

/* A quotient of whole numbers below 2^53 is rounded once. */
double decimal_divide(double a, double b)
{
    Decimal left, right;

    if (fabs(b) == 1 || a == 0 || b == 0 || (is_whole(a) && is_whole(b)) || !isfinite(a / b) ||
        !read_decimal(a, &left) || !read_decimal(b, &right))
        return a / b;
    const int shift = left.exponent - right.exponent;
    double num = (double)(int64_t)left.mantissa, den = (double)(int64_t)right.mantissa;
    if (abs(shift) <= MOST_SHIFT)
        *(shift < 0 ? &den : &num) *= power_of_ten(abs(shift));
    return abs(shift) <= MOST_SHIFT && fabs(num) < MOST_WHOLE && fabs(den) < MOST_WHOLE ? num / den
                                                                                        : a / b;
}

double decimal_power(double base, double exponent)
{
    double result = 1, square = base;

    for (uint64_t left = (uint64_t)exponent; left; left >>= 1) {
        if (left & 1)
            result = decimal_multiply(result, square);
        if (left > 1)
            square = decimal_multiply(square, square);
    }
    return result;
}

/* Its first 15 digits, and the rest. */
static Decimal split(Decimal *d)
{
    const Wide most = largest_mantissa();
    Decimal first = *d;
    Wide unit = 1;

    while (first.mantissa >= most || first.mantissa <= -most) {
        first.mantissa /= 10;
        first.exponent++;
        unit *= 10;
    }
    *d = reduced(d->mantissa - first.mantissa * unit, d->exponent);
    return reduced(first.mantissa, first.exponent);
}

/* Writes a sum to values[n ..]; false where more than `room` are needed. */
static bool write(Decimal sum, double *values, size_t room, size_t *n)
{
    while (sum.mantissa != 0) {
        if (*n == room)
            return false;
        values[(*n)++] = nearest(split(&sum));
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    if (fabs(x) != fabs(y))
        return fabs(x) > fabs(y) ? -1 : 1;
    return (x < y) - (x > y);
}

static bool all_simple(const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!is_simple(values[k]))
            return false;
    return n > 0 && n < 1024;
}

bool decimal_collect(double *values, size_t n, size_t *ret_n)
{
    Decimal sum = {0}, next, more;
    size_t written = 0;

    if (all_simple(values, n)) {
        for (size_t k = 1; k < n; k++)
            values[0] += values[k];
        *ret_n = values[0] != 0;
        return true;
    }
    for (size_t k = 0; k < n; k++)
        if (!isfinite(values[k]) || !decimal_is_short(values[k]))
            return false;
    qsort(values, n, sizeof *values, by_size);
    for (size_t k = 0; k < n; k++) {
        read_decimal(values[k], &next); /* or a whole number, which has more digits */
        /* what is too far below what was added so far begins a sum of its own */
        if (!add(sum, next, &more)) {
            if (!write(sum, values, k, &written))
                return false;
            more = next;
        }
        sum = more;
    }
    if (!write(sum, values, n, &written))
        return false;
    *ret_n = written;
    return true;
}
