/* Doubles that stand for rational numbers: the constants of expressions.
 *
 * The meaning of a double depends only on its bits. It is the fraction of small whole numbers,
 * times a power of ten, to which it is the nearest double, if there is one: 1/3, 2.5e-9/7. Else it
 * is its shortest text, if that has at most 15 digits or is a whole number below 2^53: 0.1 + 0.2 is
 * 0.3. All other doubles are rounded numbers, and stand for themselves.
 *
 * A rational number that no double means is the exact sum of several: the double nearest to it, or
 * the first 15 digits of that, then the same of the rest, and so on. So 1e16 + 1 is {1e16, 1}.
 * Equal numbers have the same sum. */
#ifndef CORE_BASE_DECIMAL_H
#define CORE_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/rational.h"

/* The largest number of doubles in a sum: each holds 15 digits or more. */
enum { DECIMAL_PARTS = 10 };

/* The shortest decimal of a finite number without its sign: *ret_digits, of at most 17 digits and
 * not a multiple of ten, times ten to the power of *ret_exponent. Zero gives 0 and 0. */
void decimal_read(double value, uint64_t *ret_digits, int *ret_exponent);

/* True if the shortest decimal of a finite number has at most 15 digits. */
bool decimal_is_short(double value);

/* The meaning of a finite double, without its sign: *ret_digits / *ret_denominator times ten to the
 * power of *ret_exponent. If the double is rounded: false, and its shortest decimal. */
bool decimal_meaning(double value, uint64_t *ret_digits, uint64_t *ret_denominator,
                     int *ret_exponent);
bool decimal_is_rounded(double value);
/* False if the double is rounded. */
bool decimal_rational(double value, Rational *ret);

/* The sum, the product and the quotient of two doubles by the processor. True if a quick check
 * shows that *ret means the exact result; false if it does not, or if the check cannot tell. */
bool decimal_add(double a, double b, double *ret);
bool decimal_multiply(double a, double b, double *ret);
bool decimal_divide(double a, double b, double *ret);

/* Writes a number as the sum of the meanings of doubles, the largest first; *ret_n is 0 for zero.
 * False if the sum needs too many doubles or one is out of range. */
bool decimal_write(const Rational *number, double ret_parts[DECIMAL_PARTS], size_t *ret_n);

#endif
