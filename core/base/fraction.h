/* Fractions of small whole numbers: the probable meaning of a computed number, for printing.
 *
 * There is one rule, so that the same number reads the same everywhere: the smallest denominator up
 * to 64, a numerator up to 10000, and agreement to 9 digits. */
#ifndef CORE_BASE_FRACTION_H
#define CORE_BASE_FRACTION_H

#include <stdbool.h>

/* Largest numerator times denominator, no unit: beyond it any number is near one. Convention. */
static const double FRACTION_MAX_PRODUCT = 1e12;

typedef struct Fraction {
    double numerator, denominator; /* whole numbers without a common factor; denominator > 0 */
} Fraction;

/* The fraction that equals x except for rounding; false if there is none. The fraction 0 is found
 * only for x = 0: the caller must know whether a small number is zero. */
bool fraction_near(double x, Fraction *ret);
/* The quotient of that fraction, or x if there is none. */
double fraction_round(double x);

/* The fraction whose quotient is x to the last bit, with whole numbers up to 1000. */
bool fraction_exact(double x, Fraction *ret);

/* The first convergent of the continued fraction of x that differs from x by at most `same` times
 * x; false if numerator times denominator is more than FRACTION_MAX_PRODUCT. */
bool fraction_convergent(double x, double same, Fraction *ret);

/* The greatest common divisor of two whole numbers; |b| for 0 and b. */
double fraction_divisor(double a, double b);

#endif
