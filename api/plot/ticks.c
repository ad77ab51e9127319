/* Nice numbers as integers times powers of ten: no label carries a rounding error. */
#include "api/plot/ticks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Relative to the values: a narrower range is rounding noise. */
static const double NARROW = 1e-13;
/* The most digits of a label, and the magnitudes that are written without an exponent. */
enum { DIGITS_MOST = 6, PLAIN_LEAST = -4, PLAIN_MOST = 5 };

Axis axis_around(double least, double greatest)
{
    const double size = fmax(fabs(least), fabs(greatest));

    if (!(least <= greatest) || !isfinite(size))
        return (Axis){0, 1};
    if (size < DBL_MIN / NARROW)
        return (Axis){-1, 1};
    if (greatest / 2 - least / 2 < NARROW * size) {
        const double middle = least / 2 + greatest / 2, half = size / 10;
        return (Axis){fmax(middle - half, -DBL_MAX), fmin(middle + half, DBL_MAX)};
    }
    return (Axis){least, greatest};
}

static double power_of_ten(int exponent)
{
    return exponent < -300 ? pow(10, exponent + 300) * 1e-300 : pow(10, exponent);
}

double tick_at(const Ticks *ticks, int64_t k)
{
    const double whole = (double)(k * ticks->mantissa);

    /* a division is rounded once, and so is a product if the power is exact */
    return ticks->exponent < 0 && ticks->exponent > -300 ? whole / power_of_ten(-ticks->exponent)
                                                         : whole * power_of_ten(ticks->exponent);
}

/* The next greater step: 1, 2, 5, 10, .. */
static void coarsen(Ticks *ticks)
{
    ticks->mantissa = ticks->mantissa == 1 ? 2 : ticks->mantissa == 2 ? 5 : 1;
    ticks->exponent += ticks->mantissa == 1;
}

static void place(Ticks *ticks, Axis axis)
{
    const double step = tick_at(ticks, 1),
                 hair = 1e-9; /* of a step: a tick at the end of the axis counts */

    ticks->first = (int64_t)ceil(axis.low / step - hair);
    ticks->last = (int64_t)floor(axis.high / step + hair);
}

static int digits_of(int64_t whole)
{
    int n = 0;

    for (uint64_t rest = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole; rest > 0; rest /= 10)
        n++;
    return n;
}

static int64_t largest_label(const Ticks *ticks)
{
    const int64_t a = ticks->first - ticks->offset, b = ticks->last - ticks->offset;

    return (a < 0 ? -a : a) > (b < 0 ? -b : b) ? a : b;
}

Ticks ticks_on(Axis axis, unsigned most)
{
    const double span = axis.high / 2 - axis.low / 2;
    Ticks ticks = {.mantissa = 1, .exponent = (int)floor(log10(span / most * 2)) - 1};

    for (place(&ticks, axis); ticks.last - ticks.first >= (int64_t)most; place(&ticks, axis))
        coarsen(&ticks);
    if (digits_of(largest_label(&ticks) * ticks.mantissa) > DIGITS_MOST)
        ticks.offset = ticks.first - ticks.first % 10;
    const int magnitude = digits_of(largest_label(&ticks) * ticks.mantissa) + ticks.exponent - 1;
    if (magnitude < PLAIN_LEAST || magnitude > PLAIN_MOST)
        ticks.scale = magnitude;
    return ticks;
}

/* Appends whole * 10^exponent as an exact decimal. */
static void put_decimal(int64_t whole, int exponent, Text *out)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%" PRIu64, whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole);
    const int n = (int)strlen(digits), point = n + exponent; /* digits before the point */
    if (whole < 0)
        text_puts(out, "\u2212");
    /* leading zeros, digits with the point, trailing zeros */
    if (point <= 0)
        text_puts(out, "0.");
    for (int k = point; k < 0; k++)
        text_putc(out, '0');
    for (int k = 0; k < n; k++) {
        if (k > 0 && k == point)
            text_putc(out, '.');
        text_putc(out, digits[k]);
    }
    for (int k = n; k < point && whole != 0; k++)
        text_putc(out, '0');
}

void tick_label(const Ticks *ticks, int64_t k, Text *out)
{
    put_decimal((k - ticks->offset) * ticks->mantissa, ticks->exponent - ticks->scale, out);
}

static void put_power(int exponent, Text *out)
{
    static const char *const RAISED[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char digits[16];

    text_puts(out, " \u00d7 10");
    if (exponent < 0)
        text_puts(out, "\u207b");
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *c = digits; *c; c++)
        text_puts(out, RAISED[*c - '0']);
}

/* Appends the offset: " + 12000", or a multiple of a power of ten. */
static void put_offset(const Ticks *ticks, Text *out)
{
    int64_t whole = ticks->offset * ticks->mantissa;
    int exponent = ticks->exponent;

    for (; whole % 10 == 0; whole /= 10)
        exponent++;
    const int magnitude = digits_of(whole) + exponent - 1;
    const bool plain = magnitude >= PLAIN_LEAST && magnitude < 3 * PLAIN_MOST;
    text_puts(out, whole < 0 ? " \u2212 " : " + ");
    put_decimal(whole < 0 ? -whole : whole, plain ? exponent : exponent - magnitude, out);
    if (!plain)
        put_power(magnitude, out);
}

void ticks_remark(const Ticks *ticks, Text *out)
{
    if (ticks->scale)
        put_power(ticks->scale, out);
    if (ticks->offset)
        put_offset(ticks, out);
}
