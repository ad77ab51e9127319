/* Doubles as the numbers they stand for. */
#include "core/exact/reading.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/base/decimal.h"

/* digits / denominator * 10^exponent */
static void set(fmpq_t ret, bool negative, uint64_t digits, uint64_t denominator, int exponent)
{
    fmpz_set_ui(fmpq_numref(ret), digits);
    fmpz_set_ui(fmpq_denref(ret), denominator);
    fmpq_canonicalise(ret);
    fmpz_t power;
    fmpz_init(power);
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)abs(exponent));
    if (exponent < 0)
        fmpq_div_fmpz(ret, ret, power);
    else
        fmpq_mul_fmpz(ret, ret, power);
    fmpz_clear(power);
    if (negative)
        fmpq_neg(ret, ret);
}

static bool is_small(double value)
{
    return fabs(value) < 1e9 && value == rint(value);
}

void reading_exact(fmpq_t ret, double value)
{
    uint64_t digits;
    int exponent;

    if (is_small(value)) {
        fmpq_set_si(ret, (slong)value, 1);
        return;
    }
    decimal_read(value, &digits, &exponent);
    set(ret, value < 0, digits, 1, exponent);
}

void reading_constant(fmpq_t ret, double value)
{
    uint64_t digits, denominator;
    int exponent;

    if (is_small(value)) {
        fmpq_set_si(ret, (slong)value, 1);
        return;
    }
    decimal_meaning(value, &digits, &denominator, &exponent);
    set(ret, value < 0, digits, denominator, exponent);
}

double reading_doubt(double value)
{
    enum { UNITS = 8 };

    if (!decimal_is_rounded(value))
        return 0;
    int power;
    int64_t mantissa = (int64_t)ldexp(frexp(fabs(value), &power), 53);
    while (mantissa % 2 == 0) {
        mantissa /= 2;
        power++;
    }
    return UNITS * ldexp(1, power - 53);
}
