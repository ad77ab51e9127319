/* Rational numbers in limbs of 18 decimal digits, because the constants of expressions and the
 * shifts are decimal. School arithmetic (Knuth, The Art of Computer Programming 2, 4.3.1). */
#include "core/base/rational.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

__extension__ typedef unsigned __int128 Wide;

enum { LIMB_DIGITS = 18 };

/* 10^LIMB_DIGITS; the largest denominator: 128 bits hold products of two. No units; conventions. */
static const uint64_t LIMB = 1000000000000000000;
static const uint64_t MOST_DENOMINATOR = UINT64_C(1) << 62;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void drop_zeros(Rational *a)
{
    while (a->n > 0 && a->limbs[a->n - 1] == 0)
        a->n--;
}

static uint64_t remainder_by(const Rational *a, uint64_t divisor)
{
    Wide rest = 0;
    for (unsigned k = a->n; k-- > 0;)
        rest = (rest * LIMB + a->limbs[k]) % divisor;
    return (uint64_t)rest;
}

/* Divides the whole number; returns the remainder. */
static uint64_t divide_by(Rational *a, uint64_t divisor)
{
    Wide rest = 0;
    for (unsigned k = a->n; k-- > 0;) {
        rest = rest * LIMB + a->limbs[k];
        a->limbs[k] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    drop_zeros(a);
    return (uint64_t)rest;
}

/* Divides the whole number if there is no remainder, else returns false. Most have one limb. */
static bool divide_small(Rational *a, uint64_t divisor)
{
    if (a->n == 1 ? a->limbs[0] % divisor != 0 : remainder_by(a, divisor) != 0)
        return false;
    if (a->n == 1)
        a->limbs[0] /= divisor;
    else
        divide_by(a, divisor);
    return true;
}

static bool multiply_by(Rational *a, uint64_t factor)
{
    Wide carry = 0;

    for (unsigned k = 0; k < a->n; k++) {
        carry += (Wide)a->limbs[k] * factor;
        a->limbs[k] = (uint64_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry != 0; carry /= LIMB) {
        if (a->n == RATIONAL_LIMBS)
            return false;
        a->limbs[a->n++] = (uint64_t)(carry % LIMB);
    }
    return true;
}

/* Multiplies the whole number by a power of ten. */
static bool shift(Rational *a, int digits)
{
    const unsigned limbs = (unsigned)digits / LIMB_DIGITS;
    uint64_t power = 1;

    if (a->n == 0)
        return true;
    if (limbs + a->n > RATIONAL_LIMBS)
        return false;
    memmove(a->limbs + limbs, a->limbs, a->n * sizeof *a->limbs);
    memset(a->limbs, 0, limbs * sizeof *a->limbs);
    a->n += limbs;
    for (int k = digits % LIMB_DIGITS; k > 0; k--)
        power *= 10;
    return power == 1 || multiply_by(a, power);
}

/* Cancels the common factor of the whole number of a and the denominator of b. */
static void cancel(Rational *a, Rational *b)
{
    if (b->denominator == 1)
        return;
    const uint64_t common = common_divisor(b->denominator, remainder_by(a, b->denominator));
    if (common > 1) {
        divide_small(a, common);
        b->denominator /= common;
    }
}

/* To lowest terms. */
static void reduce(Rational *a)
{
    drop_zeros(a);
    if (a->n == 0) {
        *a = (Rational){.denominator = 1};
        return;
    }
    cancel(a, a);
    /* move factors of ten to the exponent: whole limbs, then single zeros */
    while (a->n > 1 && a->limbs[0] == 0) {
        memmove(a->limbs, a->limbs + 1, --a->n * sizeof *a->limbs);
        a->exponent += LIMB_DIGITS;
    }
    while (divide_small(a, 10))
        a->exponent++;
}

/* Moves factors 2 and 5 of a divisor to a, as 5, 2 and powers of ten; false: no room. */
static bool take_tens(Rational *a, uint64_t *divisor)
{
    for (; *divisor % 2 == 0; *divisor /= 2, a->exponent--)
        if (!multiply_by(a, 5))
            return false;
    for (; *divisor % 5 == 0; *divisor /= 5, a->exponent--)
        if (!multiply_by(a, 2))
            return false;
    return true;
}

Rational rational_of(bool negative, uint64_t digits, int exponent, uint64_t denominator)
{
    Rational a = {
        .negative = negative,
        .n = 2,
        .limbs = {digits % LIMB, digits / LIMB},
        .exponent = exponent,
        .denominator = denominator,
    };
    drop_zeros(&a);
    /* fewer than 64 factors of 2 or 5, so there is room */
    (void)take_tens(&a, &a.denominator);
    reduce(&a);
    return a;
}

/* Compares the whole numbers. */
static int compare(const Rational *a, const Rational *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (unsigned k = a->n; k-- > 0;)
        if (a->limbs[k] != b->limbs[k])
            return a->limbs[k] < b->limbs[k] ? -1 : 1;
    return 0;
}

bool rational_equal(const Rational *a, const Rational *b)
{
    return a->negative == b->negative && a->exponent == b->exponent &&
           a->denominator == b->denominator && compare(a, b) == 0;
}

static bool add_whole(Rational *a, const Rational *b)
{
    uint64_t carry = 0;

    for (unsigned k = 0; k < b->n || carry; k++) {
        if (k == RATIONAL_LIMBS)
            return false;
        if (k == a->n)
            a->limbs[a->n++] = 0;
        a->limbs[k] += carry + (k < b->n ? b->limbs[k] : 0);
        carry = a->limbs[k] >= LIMB;
        if (carry)
            a->limbs[k] -= LIMB;
    }
    return true;
}

/* a - b of whole numbers with a >= b. */
static void subtract_whole(Rational *a, const Rational *b)
{
    uint64_t borrow = 0;

    for (unsigned k = 0; k < a->n; k++) {
        const uint64_t less = borrow + (k < b->n ? b->limbs[k] : 0);
        borrow = a->limbs[k] < less;
        a->limbs[k] += borrow ? LIMB - less : -less;
    }
    drop_zeros(a);
}

/* Brings two numbers to one denominator and one exponent. */
static bool align(Rational *a, Rational *b)
{
    if (a->denominator != b->denominator) {
        const uint64_t common = common_divisor(a->denominator, b->denominator);
        const uint64_t left = b->denominator / common, right = a->denominator / common;
        if ((Wide)a->denominator * left >= MOST_DENOMINATOR || !multiply_by(a, left) ||
            !multiply_by(b, right))
            return false;
        a->denominator *= left;
        b->denominator *= right;
    }
    Rational *high = a->exponent > b->exponent ? a : b, *low = high == a ? b : a;
    const int digits = high->exponent - low->exponent;
    high->exponent = low->exponent;
    return shift(high, digits);
}

bool rational_add(Rational *a, const Rational *b)
{
    Rational other = *b;

    if (b->n == 0)
        return true;
    if (a->n == 0) {
        *a = *b;
        return true;
    }
    if (!align(a, &other))
        return false;
    /* equal signs add; else the larger whole number has the sign */
    if (a->negative == other.negative) {
        if (!add_whole(a, &other))
            return false;
    } else if (compare(a, &other) >= 0) {
        subtract_whole(a, &other);
    } else {
        subtract_whole(&other, a);
        *a = other;
    }
    reduce(a);
    return true;
}

static bool multiply_whole(Rational *a, const Rational *b)
{
    uint64_t product[2 * RATIONAL_LIMBS] = {0};

    /* one row of the product per limb of a */
    for (unsigned i = 0; i < a->n; i++) {
        Wide carry = 0;
        for (unsigned j = 0; j < b->n; j++) {
            carry += (Wide)a->limbs[i] * b->limbs[j] + product[i + j];
            product[i + j] = (uint64_t)(carry % LIMB);
            carry /= LIMB;
        }
        product[i + b->n] = (uint64_t)carry;
    }
    unsigned n = a->n + b->n;
    while (n > 0 && product[n - 1] == 0)
        n--;
    if (n > RATIONAL_LIMBS)
        return false;
    memcpy(a->limbs, product, n * sizeof *product);
    a->n = n;
    return true;
}

bool rational_multiply(Rational *a, const Rational *b)
{
    Rational other = *b;

    if (a->n == 0 || b->n == 0) {
        *a = (Rational){.denominator = 1};
        return true;
    }
    cancel(a, &other);
    cancel(&other, a);
    if ((Wide)a->denominator * other.denominator >= MOST_DENOMINATOR || !multiply_whole(a, &other))
        return false;
    a->denominator *= other.denominator;
    a->negative = a->negative != other.negative;
    a->exponent += other.exponent;
    reduce(a);
    return true;
}

bool rational_divide(Rational *a, const Rational *b)
{
    Rational inverse = rational_of(b->negative, b->denominator, -b->exponent, 1);
    uint64_t divisor = b->limbs[0];

    /* the divisor becomes a denominator, below 2^62, so it has two limbs at most */
    if (b->n > 2 || (b->n == 2 && (Wide)b->limbs[1] * LIMB + b->limbs[0] >= MOST_DENOMINATOR))
        return false;
    if (b->n == 2)
        divisor += b->limbs[1] * LIMB;
    if (!take_tens(&inverse, &divisor))
        return false;
    inverse.denominator = divisor;
    reduce(&inverse);
    return rational_multiply(a, &inverse);
}

bool rational_power(Rational *a, uint64_t exponent)
{
    Rational square = *a;

    *a = rational_of(false, 1, 0, 1);
    for (; exponent; exponent >>= 1) {
        const Rational factor = square;
        if ((exponent & 1) && !rational_multiply(a, &factor))
            return false;
        if (exponent > 1 && !rational_multiply(&square, &factor))
            return false;
    }
    return true;
}

bool rational_read(const char *text, size_t length, Rational *ret)
{
    enum { LARGEST = 100000 };
    Rational sum = {.denominator = 1};
    bool after_point = false;
    int exponent = 0;
    size_t k = 0;

    for (; k < length && text[k] != 'e' && text[k] != 'E'; k++) {
        if (text[k] == '.') {
            after_point = true;
            continue;
        }
        const Rational digit = rational_of(false, (uint64_t)(text[k] - '0'), 0, 1);
        sum.exponent += sum.n > 0; /* times ten */
        if (!rational_add(&sum, &digit))
            return false;
        exponent -= after_point;
    }
    const long power = k < length ? strtol(text + k + 1, NULL, 10) : 0;
    if (labs(power) > LARGEST)
        return false;
    if (sum.n > 0)
        sum.exponent += exponent + (int)power;
    *ret = sum;
    return true;
}

static uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t p)
{
    return (uint64_t)((Wide)a * b % p);
}

static uint64_t power_modulo(uint64_t a, uint64_t exponent, uint64_t p)
{
    uint64_t power = 1;

    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = multiply_modulo(power, a, p);
        a = multiply_modulo(a, a, p);
    }
    return power;
}

uint64_t rational_residue(const Rational *a, uint64_t p)
{
    uint64_t ten = 10 % p;
    uint64_t residue = remainder_by(a, p);

    /* 1 / b = b^(p - 2) */
    if (a->exponent < 0)
        ten = power_modulo(ten, p - 2, p);
    residue = multiply_modulo(residue, power_modulo(ten, (uint64_t)abs(a->exponent), p), p);
    if (a->denominator != 1)
        residue = multiply_modulo(residue, power_modulo(a->denominator % p, p - 2, p), p);
    return a->negative && residue ? p - residue : residue;
}

static int count_digits(const Rational *a)
{
    int digits = (int)(a->n - 1) * LIMB_DIGITS;
    for (uint64_t top = a->limbs[a->n - 1]; top; top /= 10)
        digits++;
    return digits;
}

/* Prints the digits of the quotient, with a 1 behind if there is a remainder, and reads them. */
double rational_nearest(const Rational *a)
{
    enum { ENOUGH = 42 }; /* digits of the numerator: the quotient then has at least 22 */
    char text[(RATIONAL_LIMBS + 1) * LIMB_DIGITS + 16];
    Rational quotient = *a;
    bool more = false;
    double value = 0;

    if (a->n == 0)
        return 0;
    if (a->denominator != 1) {
        const int digits = count_digits(a);
        if (digits < ENOUGH && shift(&quotient, ENOUGH - digits))
            quotient.exponent -= ENOUGH - digits;
        more = divide_by(&quotient, a->denominator) != 0;
    }
    int length = snprintf(text, sizeof text, "%s%" PRIu64, a->negative ? "-" : "",
                          quotient.limbs[quotient.n - 1]);
    for (unsigned k = quotient.n - 1; k-- > 0;)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%018" PRIu64, quotient.limbs[k]);
    length += snprintf(text + length, sizeof text - (size_t)length, "%se%d", more ? "1" : "",
                       quotient.exponent - more);
    number_parse(text, (size_t)length, &value);
    return value;
}
