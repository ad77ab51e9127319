/* Arithmetic of dimensions: vectors of exponents, which are fractions. */
#include "core/units/dimension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fraction.h"

enum { EXPONENT_MOST = 10000 };

static const char *const BASE_NAMES[N_BASE] = {"kg", "m", "s", "A", "K", "mol", "cd"};

/* Units with names of their own, in the order of BaseUnit. If several share a dimension (J and N*m,
 * Hz and Bq), the table has the one that is meant most often; a rate stays 1/s. */
static const struct {
    const char *name;
    signed char exponents[N_BASE];
} NAMED[] = {
    {"N", {1, 1, -2}},     {"J", {1, 2, -2}},      {"W", {1, 2, -3}},     {"Pa", {1, -1, -2}},
    {"C", {0, 0, 1, 1}},   {"V", {1, 2, -3, -1}},  {"F", {-1, -2, 4, 2}}, {"ohm", {1, 2, -3, -2}},
    {"S", {-1, -2, 3, 2}}, {"Wb", {1, 2, -2, -1}}, {"T", {1, 0, -2, -1}}, {"H", {1, 2, -2, -2}},
};

Exponent exponent_whole(int n)
{
    return (Exponent){(int16_t)n, 1};
}

bool exponent_from(double value, Exponent *ret)
{
    Fraction fraction;

    if (!fraction_exact(value, &fraction))
        return false;
    *ret = (Exponent){(int16_t)fraction.numerator, (int16_t)fraction.denominator};
    return true;
}

static bool lowest_terms(int64_t p, int64_t q, Exponent *ret)
{
    const int64_t divisor = (int64_t)fraction_divisor((double)llabs(p), (double)q);

    p /= divisor;
    q /= divisor;
    if (llabs(p) > EXPONENT_MOST || q > EXPONENT_MOST)
        return false;
    *ret = (Exponent){(int16_t)p, (int16_t)q};
    return true;
}

bool exponent_add(Exponent *a, Exponent b)
{
    const int64_t q = (int64_t)a->denominator * b.denominator;

    return lowest_terms(
        (int64_t)a->numerator * b.denominator + (int64_t)b.numerator * a->denominator, q, a);
}

bool exponent_multiply(Exponent *a, Exponent b)
{
    return lowest_terms((int64_t)a->numerator * b.numerator,
                        (int64_t)a->denominator * b.denominator, a);
}

Dimension dimension_number(void)
{
    Dimension number = {.known = true};

    for (int k = 0; k < N_BASE; k++)
        number.exponents[k] = exponent_whole(0);
    return number;
}

Dimension dimension_base(BaseUnit base)
{
    Dimension a = dimension_number();

    a.exponents[base] = exponent_whole(1);
    return a;
}

bool dimension_is_number(const Dimension *a)
{
    const Dimension number = dimension_number();
    return dimension_agrees(a, &number);
}

bool dimension_agrees(const Dimension *a, const Dimension *b)
{
    return !a->known || !b->known || memcmp(a->exponents, b->exponents, sizeof a->exponents) == 0;
}

bool dimension_multiply(Dimension *a, const Dimension *b, Exponent n)
{
    if (!a->known || !b->known) {
        *a = (Dimension){0};
        return true;
    }
    for (int k = 0; k < N_BASE; k++) {
        Exponent add = b->exponents[k];
        if (!exponent_multiply(&add, n) || !exponent_add(&a->exponents[k], add))
            return false;
    }
    return true;
}

bool dimension_power(Dimension *a, Exponent n)
{
    for (int k = 0; a->known && k < N_BASE; k++)
        if (!exponent_multiply(&a->exponents[k], n))
            return false;
    return true;
}

static void print_power(const UnitPower *power, Text *out)
{
    const int p = abs(power->exponent.numerator), q = power->exponent.denominator;

    text_puts(out, power->name);
    if (q != 1)
        text_printf(out, "^(%d/%d)", p, q);
    else if (p != 1)
        text_printf(out, "^%d", p);
}

/* The factors with exponents of this sign; returns their number. */
static unsigned print_powers(const UnitPower *powers, unsigned n, int sign, Text *out)
{
    unsigned seen = 0;

    for (unsigned k = 0; k < n; k++) {
        if (sign * powers[k].exponent.numerator <= 0)
            continue;
        text_puts(out, seen++ ? "*" : "");
        print_power(&powers[k], out);
    }
    return seen;
}

void powers_print(const UnitPower *powers, unsigned n, Text *out)
{
    unsigned below = 0;

    for (unsigned k = 0; k < n; k++)
        below += powers[k].exponent.numerator < 0;
    /* the factors above the stroke, then those below it, in parentheses if there are several */
    if (print_powers(powers, n, 1, out) == 0)
        text_puts(out, "1");
    text_puts(out, below > 1 ? "/(" : below ? "/" : "");
    (void)print_powers(powers, n, -1, out);
    text_puts(out, below > 1 ? ")" : "");
}

static bool is_named(const Dimension *a, const signed char exponents[N_BASE])
{
    for (int k = 0; k < N_BASE; k++)
        if (a->exponents[k].denominator != 1 || a->exponents[k].numerator != exponents[k])
            return false;
    return true;
}

static UnitPower named_power(const char *name, Exponent exponent)
{
    UnitPower power = {.exponent = exponent};

    snprintf(power.name, sizeof power.name, "%s", name);
    return power;
}

unsigned dimension_powers(const Dimension *a, UnitPower *ret_powers)
{
    unsigned n = 0;

    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++) {
        if (is_named(a, NAMED[i].exponents)) {
            ret_powers[0] = named_power(NAMED[i].name, exponent_whole(1));
            return 1;
        }
    }
    for (int k = 0; k < N_BASE; k++)
        if (a->exponents[k].numerator != 0)
            ret_powers[n++] = named_power(BASE_NAMES[k], a->exponents[k]);
    return n;
}

void dimension_print(const Dimension *a, Text *out)
{
    UnitPower powers[N_BASE];

    powers_print(powers, dimension_powers(a, powers), out);
}
