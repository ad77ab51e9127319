/* Rational numbers of a bounded length: what the constants of expressions are while they are
 * folded.
 *
 * A number is +-(whole number) * 10^exponent / denominator, in lowest terms: the denominator has no
 * factor 2 or 5, the whole number is no multiple of ten. An operation that needs more digits than
 * there is room for returns false, and what it was to write is then of no use. */
#ifndef CORE_BASE_RATIONAL_H
#define CORE_BASE_RATIONAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RATIONAL_LIMBS = 8 }; /* of 18 digits */

typedef struct Rational {
    bool negative;
    unsigned n; /* limbs in use, the lowest first; none: zero */
    uint64_t limbs[RATIONAL_LIMBS];
    int exponent;
    uint64_t denominator;
} Rational;

/* +-digits * 10^exponent / denominator; denominator is not 0 and below 2^62. */
Rational rational_of(bool negative, uint64_t digits, int exponent, uint64_t denominator);
bool rational_add(Rational *a, const Rational *b);      /* a + b */
bool rational_multiply(Rational *a, const Rational *b); /* a * b */
bool rational_divide(Rational *a, const Rational *b);   /* a / b; b is not zero */
bool rational_power(Rational *a, uint64_t exponent);    /* a^exponent */

/* A decimal as it is written, 12.34e-5; false where it has more digits than there is room for. */
bool rational_read(const char *text, size_t length, Rational *ret);

/* In the field of p elements, p a prime below 2^63 that does not divide the denominator or 10. */
uint64_t rational_residue(const Rational *a, uint64_t p);

static inline bool rational_is_zero(const Rational *a)
{
    return a->n == 0;
}

bool rational_equal(const Rational *a, const Rational *b);

/* The nearest double; zero or infinite beyond their range. */
double rational_nearest(const Rational *a);

#endif
