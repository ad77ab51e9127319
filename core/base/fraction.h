/* Fractions of small whole numbers: what a computed number was meant to be, and how it is printed.
 *
 * There is one rule, so that the same number reads the same wherever it appears: the smallest
 * denominator up to 64, a numerator up to 10000, and agreement to 9 digits. */
#ifndef CORE_BASE_FRACTION_H
#define CORE_BASE_FRACTION_H

#include <stdbool.h>

/* Largest numerator times denominator (no unit): any number is near a larger one. Convention. */
static const double FRACTION_MAX_PRODUCT = 1e12;

typedef struct Fraction {
    double numerator, denominator; /* whole numbers without a common factor; denominator > 0 */
} Fraction;

/* The fraction that x is but for rounding; false where it is none. Only 0 itself is 0: whether a
 * small number is, the caller has to know. */
bool fraction_near(double x, Fraction *ret);
/* The quotient of that fraction, or x where it is none. */
double fraction_round(double x);

/* The fraction whose quotient is x to the last bit, with whole numbers up to 1000. */
bool fraction_exact(double x, Fraction *ret);

/* The first convergent of the continued fraction of x that differs from it by at most `same` times
 * x; false where numerator times denominator is more than FRACTION_MAX_PRODUCT. */
bool fraction_convergent(double x, double same, Fraction *ret);

/* The greatest common divisor of two whole numbers; that of 0 and b is |b|. */
double fraction_divisor(double a, double b);

#endif
