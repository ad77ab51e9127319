/* Doubles as the numbers they stand for. Private to core/exact. */
#ifndef CORE_EXACT_READING_H
#define CORE_EXACT_READING_H

#include <flint/fmpq.h>
#include <stdbool.h>

/* The shortest decimal that reads back as the value, which is finite. */
void reading_exact(fmpq_t ret, double value);

/* The meaning of a constant of an expression: see core/base/decimal.h. */
void reading_constant(fmpq_t ret, double value);

/* The largest distance of the intended number from that one. It is 0 for a rational number of
 * core/base/decimal.h. A rounded number may be off by some units of its last bit in use (a
 * difference of numbers of size one is a multiple of 2^-54, even if it is small). */
double reading_doubt(double value);

#endif
