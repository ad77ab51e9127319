/* Doubles that stand for rational numbers: the constants of expressions.
 *
 * What a double means depends on nothing but its bits. It is the fraction of small whole numbers,
 * times a power of ten, to which it is the nearest double, if there is one: 1/3, 2.5e-9/7. Else it
 * is its shortest text, if that has at most 15 digits or is a whole number below 2^53: 0.1 + 0.2
 * is 0.3. All others are numbers that have been rounded, and are treated as doubles.
 *
 * A rational number that no double means is the exact sum of several: the double nearest to it, or
 * the first 15 digits of that, then the same of the rest, and so on; so 1e16 + 1 is {1e16, 1}.
 * Equal numbers have the same sum. */
#ifndef CORE_BASE_DECIMAL_H
#define CORE_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/rational.h"

/* A number takes no more doubles: each holds 15 digits or more. */
enum { DECIMAL_PARTS = 10 };

/* The shortest decimal of a finite number without its sign: *ret_digits, of at most 17 digits and
 * no multiple of ten, times ten to the power of *ret_exponent. Zero: 0 and 0. */
void decimal_read(double value, uint64_t *ret_digits, int *ret_exponent);

/* The shortest decimal of a finite number has at most 15 digits. */
bool decimal_is_short(double value);

/* What a finite double means, without its sign: *ret_digits / *ret_denominator times ten to the
 * power of *ret_exponent. False where it has been rounded; then it is its shortest decimal. */
bool decimal_meaning(double value, uint64_t *ret_digits, uint64_t *ret_denominator,
                     int *ret_exponent);
bool decimal_is_rounded(double value);
/* False where it has been rounded. */
bool decimal_rational(double value, Rational *ret);

/* The sum, the product and the quotient of what two doubles mean, where that is at once seen to be
 * what one double means; false where it is not, or takes a closer look. */
bool decimal_add(double a, double b, double *ret);
bool decimal_multiply(double a, double b, double *ret);
bool decimal_divide(double a, double b, double *ret);

/* A number as the sum of what doubles mean, the largest first: returns how many, none for zero.
 * False where it takes too many or one is out of range. */
bool decimal_write(const Rational *number, double ret_parts[DECIMAL_PARTS], size_t *ret_n);

#endif
