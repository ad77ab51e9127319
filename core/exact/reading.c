/* Doubles as the numbers they stand for. */
#include "core/exact/reading.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/fraction.h"
#include "core/base/number.h"

void reading_exact(fmpq_t ret, double value)
{
    uint64_t digits;
    int exponent;

    if (fabs(value) < 1e9 && value == rint(value)) {
        fmpq_set_si(ret, (slong)value, 1);
        return;
    }
    decimal_read(value, &digits, &exponent);
    fmpz_set_ui(fmpq_numref(ret), digits);
    fmpz_one(fmpq_denref(ret));
    fmpz_t power;
    fmpz_init(power);
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)abs(exponent));
    if (exponent < 0)
        fmpq_div_fmpz(ret, ret, power);
    else
        fmpq_mul_fmpz(ret, ret, power);
    fmpz_clear(power);
    if (value < 0)
        fmpq_neg(ret, ret);
}

static bool is_near(double value, double other)
{
    const double unit = nextafter(fabs(value), INFINITY) - fabs(value);
    return fabs(value - other) <= 2 * unit;
}

static bool near_fraction(double value, fmpq_t ret)
{
    Fraction fraction;

    if (!fraction_convergent(value, 0x1p-51, &fraction) ||
        !is_near(value, fraction.numerator / fraction.denominator))
        return false;
    fmpq_set_si(ret, (slong)fraction.numerator, (ulong)fraction.denominator);
    return true;
}

void reading_constant(fmpq_t ret, double value)
{
    char text[NUMBER_TEXT_MAX];
    double rounded;

    if (decimal_is_short(value)) {
        reading_exact(ret, value);
        return;
    }
    if (near_fraction(value, ret))
        return;
    snprintf(text, sizeof text, "%.11e", value);
    if (number_parse(text, strlen(text), &rounded) > 0 && is_near(value, rounded))
        reading_exact(ret, rounded);
    else
        reading_exact(ret, value);
}

double reading_doubt(double value)
{
    enum { UNITS = 8 };

    if (decimal_is_short(value))
        return 0;
    int power;
    int64_t mantissa = (int64_t)ldexp(frexp(fabs(value), &power), 53);
    while (mantissa % 2 == 0) {
        mantissa /= 2;
        power++;
    }
    return UNITS * ldexp(1, power - 53);
}
