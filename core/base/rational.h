/* Rational numbers of bounded length: the constants of expressions during folding.
 *
 * A number is +-(whole number) * 10^exponent / denominator, in lowest terms: the denominator has no
 * factor 2 or 5, and the whole number is not a multiple of ten. An operation that needs more digits
 * than fit returns false, and leaves its result undefined. */
#ifndef CORE_BASE_RATIONAL_H
#define CORE_BASE_RATIONAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RATIONAL_LIMBS = 8 }; /* of 18 digits */

typedef struct Rational {
    bool negative;
    unsigned n; /* limbs in use, the lowest first; 0 for zero */
    uint64_t limbs[RATIONAL_LIMBS];
    int exponent;
    uint64_t denominator;
} Rational;

/* +-digits * 10^exponent / denominator, with 0 < denominator < 2^62. */
Rational rational_of(bool negative, uint64_t digits, int exponent, uint64_t denominator);
bool rational_add(Rational *a, const Rational *b);      /* a + b */
bool rational_multiply(Rational *a, const Rational *b); /* a * b */
bool rational_divide(Rational *a, const Rational *b);   /* a / b; b is not zero */
bool rational_power(Rational *a, uint64_t exponent);    /* a^exponent */

/* A decimal as it is written, 12.34e-5; false if it has too many digits. */
bool rational_read(const char *text, size_t length, Rational *ret);

/* The residue modulo p, a prime below 2^63 that divides neither the denominator nor 10. */
uint64_t rational_residue(const Rational *a, uint64_t p);

static inline bool rational_is_zero(const Rational *a)
{
    return a->n == 0;
}

bool rational_equal(const Rational *a, const Rational *b);

/* The nearest double; zero or infinite if the number is out of the range of doubles. */
double rational_nearest(const Rational *a);

#endif
