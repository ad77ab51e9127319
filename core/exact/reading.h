/* Doubles as the numbers they stand for. Private to core/exact. */
#ifndef CORE_EXACT_READING_H
#define CORE_EXACT_READING_H

#include <flint/fmpq.h>
#include <stdbool.h>

/* The shortest decimal that reads back as the value, which is finite. */
void reading_exact(fmpq_t ret, double value);

/* What a constant of an expression means: see core/base/decimal.h. */
void reading_constant(fmpq_t ret, double value);

/* How far the number that was meant may lie from that: 0 for a rational number of
 * core/base/decimal.h; for others, which a search has rounded, some units of the last bit in use (a
 * difference of numbers of size one is a multiple of 2^-54, however small it is). */
double reading_doubt(double value);

#endif
