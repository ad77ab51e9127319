/* Arithmetic of doubles that stand for decimals.
 *
 * A double whose shortest text has at most 15 digits is that decimal: 0.1 + 0.2 is 0.3, and 1e16 + 1
 * is no double at all. Results are the doubles nearest to the exact results as long as all operands are
 * such decimals; others are numbers that have been rounded, and are treated as doubles. */
#ifndef CORE_BASE_DECIMAL_H
#define CORE_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The shortest decimal of a finite number without its sign: *ret_digits, of at most 17 digits and no
 * multiple of ten, times ten to the power of *ret_exponent. Zero: 0 and 0. */
void decimal_read(double value, uint64_t *ret_digits, int *ret_exponent);

/* The shortest decimal of a finite number has at most 15 digits. */
bool decimal_is_short(double value);

double decimal_add(double a, double b);
double decimal_multiply(double a, double b);
double decimal_divide(double a, double b);
/* exponent: a whole number that is not negative. */
double decimal_power(double base, double exponent);

/* Adds up values[n]: replaces them by as few as have the same sum exactly, the largest first, and
 * returns how many, none where it is zero. False where a value is no short decimal, or where that
 * takes more than n values. */
bool decimal_collect(double *values, size_t n, size_t *ret_n);

#endif
